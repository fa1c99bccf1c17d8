#include "sim_event.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "base/exit_status.h"

#define MS_NS INT64_C(1000000)

enum { RUNS_MAX = 400 };

void sim_event_break(const struct sim_event *sim, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    fprintf(stderr, "test_sim: world %" PRIu64 ": ", sim->seed);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    va_end(words);
    exit(EXIT_FAILURE);
}

uint64_t sim_event_draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void draw_bots(struct sim_event *sim, uint64_t *state)
{
    sim->event.bots = sim->bots;
    sim->event.bot_count = 2 + (int)sim_event_draw(state, SIM_EVENT_BOTS - 1);
    memset(sim->bots, 0, sizeof sim->bots);
    for (int i = 0; i < sim->event.bot_count; i++) {
        enum sim_kind kind = i < 1 ? SIM_HONEST : (enum sim_kind)sim_event_draw(state, SIM_EXACT);

        snprintf(sim->bots[i].name, sizeof sim->bots[i].name, "%s%d", sim_kind_names[kind], i);
        snprintf(sim->bots[i].cmd, sizeof sim->bots[i].cmd, "sim");
    }
}

static void draw_rules(struct sim_event *sim, uint64_t *state)
{
    static const int lengths[] = {0, 0, 1, 3, 5};
    static const char *const clocks[] = {"none", "move=5ms", "bank=20ms,inc=1ms",
                                         "bank=15ms/pt,delay=2ms"};
    struct config_event *event = &sim->event;
    struct bg_rules *rules = &event->rules;

    *rules = bg_rules_default(bg_variant_find("backgammon"), lengths[sim_event_draw(state, 5)]);
    if (rules->length_points == 0) {
        rules->jacoby = sim_event_draw(state, 2);
        rules->beavers = sim_event_draw(state, 2);
        rules->raises = rules->beavers ? (int)sim_event_draw(state, 3) : 0;
        rules->auto_doubles = (int)sim_event_draw(state, 3);
    } else {
        rules->crawford = sim_event_draw(state, 4) != 0;
        rules->holland = rules->crawford && sim_event_draw(state, 2);
    }
    if (clock_control_read(&event->clock, clocks[sim_event_draw(state, 4)], NULL) != BG_OK) {
        abort();
    }
}

void sim_event_make(struct sim_event *sim, uint64_t seed)
{
    uint64_t state = seed * 7919 + 17;
    struct config_event *event = &sim->event;

    sim->seed = seed;
    config_event_init(event);
    draw_bots(sim, &state);
    draw_rules(sim, &state);
    snprintf(event->name, sizeof event->name, "sim");
    snprintf(event->results, sizeof event->results, "sim.db");
    event->pairs = 1 + sim_event_draw(&state, 4);
    event->duplicate = sim_event_draw(&state, 4) != 0;
    event->margin_ns = (int64_t)sim_event_draw(&state, 2) * MS_NS;
    event->ceiling_ns = 200 * MS_NS;
    event->start_ns = 1000 * MS_NS;
    event->quarantine = 1000000;
    event->has_seed = true;
    event->seed = seed;
    sim->plan = (struct sim_plan){
        .seed = seed,
        .rate = 20 + (int)sim_event_draw(&state, 400),
        .late_ns = 150 * MS_NS,
        .hangs = event->clock.kind == CLOCK_NONE,
        .interrupt_every_ns = (int64_t)(10 + sim_event_draw(&state, 300)) * MS_NS,
        .machine_dies_every = 1 + (int)sim_event_draw(&state, 4),
        .sync_ns = (int64_t)sim_event_draw(&state, 60) * MS_NS,
        .stumble = sim_event_draw(&state, 2) == 0 ? 2 + (int)sim_event_draw(&state, 6) : 0,
        .stops_every_ns = sim_event_draw(&state, 4) == 0
                              ? (int64_t)(150 + sim_event_draw(&state, 300)) * MS_NS + 123
                              : 0,
        /* Longer than any wait of the loop: a stop during a wait is not detected. */
        .stops_ns = (int64_t)(130 + sim_event_draw(&state, 1000)) * MS_NS,
        .store_fails_every =
            sim_event_draw(&state, 3) == 0 ? 3 + (int)sim_event_draw(&state, 20) : 0,
    };
}

char *sim_event_play(uint64_t *runs, const struct sim_event *sim)
{
    struct tournament_run run = {.event = &sim->event, .command = "sim", .quiet = true};
    int status = EXIT_SURROUNDINGS;
    char *table = NULL;

    for (*runs = 0; status != EXIT_DONE; ++*runs) {
        struct bg_error err = {.text = ""};

        MUST(*runs < RUNS_MAX, "it never comes to an end");
        /* After many interruptions no more follow, so that long matches end too. */
        sim_new_run(*runs < RUNS_MAX / 2);
        sim_hear();
        status = tournament_run(&run, &err);
        free(table);
        table = sim_heard();
        MUST(status == EXIT_DONE || status == EXIT_UNPLAYED || strncmp(err.text, "sim:", 4) == 0,
             "status %d: %s", status, err.text);
    }
    return table;
}
