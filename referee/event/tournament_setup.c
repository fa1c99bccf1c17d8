/* How a run is put together. The parts know each other by pointers into the struct tournament,
 * which so must not move: each is filled once, in the order in which they need one another. */
#include "tournament_inside.h"

#include "../loop/loop.h"

enum bg_status tournament_open_results(struct tournament *t, struct bg_error *err)
{
    enum bg_status status;

    t->preflight = (struct preflight){.event = t->event,
                                      .command = t->run->command,
                                      .director = t->director,
                                      .entrants = &t->entrants,
                                      .feed = &t->feed,
                                      .display = &t->display,
                                      .queue = &t->queue,
                                      .health = &t->health,
                                      .surroundings = &t->surroundings,
                                      .openings = &t->openings};
    status = preflight_results(&t->preflight, err);
    t->ledger = t->preflight.ledger;
    return status;
}

void tournament_open_places(struct tournament *t, const struct offences_listener *of_offences,
                            const struct places_listener *of_places)
{
    t->offences = (struct offences){.event = t->event,
                                    .ledger = t->ledger,
                                    .entrants = &t->entrants,
                                    .feed = &t->feed,
                                    .display = &t->display,
                                    .absences = &t->absences,
                                    .listener = of_offences,
                                    .user = t};
    t->places = (struct places){.event = t->event,
                                .host = t->surroundings.host,
                                .ledger = t->ledger,
                                .entrants = &t->entrants,
                                .openings = &t->openings,
                                .queue = &t->queue,
                                .feed = &t->feed,
                                .offences = &t->offences,
                                .listener = of_places,
                                .user = t,
                                .elsewhere = t->run->elsewhere,
                                .supply = t->run->supply};
    places_init(&t->places);
}

void tournament_open_reports(struct tournament *t)
{
    const struct display_setup shown = {.event = t->event,
                                        .command = t->run->command,
                                        .duel = t->run->duel,
                                        .quiet = t->run->quiet,
                                        .ledger = t->ledger,
                                        .source = director_source(t->director)};

    t->holding =
        (struct holding){.results = t->event->results, .patience_ns = t->event->store_wait_ns};
    display_init(&t->display, &shown, loop_now(NULL));
    t->display.test = feed_test(&t->feed);
    t->display.judge = t->surroundings.judge.how;
    t->reports = (struct reports){.event = t->event,
                                  .ledger = t->ledger,
                                  .feed = &t->feed,
                                  .display = &t->display,
                                  .judging = &t->judging};
    t->metrics.from = (struct metrics_sources){t->event,    &t->entrants,        &t->places,
                                               &t->holding, t->offences.counted, &t->health.lag,
                                               &t->roster,  &t->preflight.door};
    t->conclusion = (struct conclusion){.event = t->event,
                                        .command = t->run->command,
                                        .director = t->director,
                                        .ledger = t->ledger,
                                        .entrants = &t->entrants,
                                        .feed = &t->feed,
                                        .reports = &t->reports,
                                        .judging = &t->judging,
                                        .holding = &t->holding,
                                        .signals = t->signals};
}
