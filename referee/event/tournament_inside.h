/* tournament_inside.h - the members of a run, and what its files (tournament*.c) share; for them
 * only.
 */
#ifndef REFEREE_EVENT_TOURNAMENT_INSIDE_H
#define REFEREE_EVENT_TOURNAMENT_INSIDE_H

#include "../loop/signals.h"
#include "../seat/roster.h"
#include "absences.h"
#include "forfeits.h"
#include "conclusion.h"
#include "entrants.h"
#include "feed/display.h"
#include "feed/feed.h"
#include "fixture_queue.h"
#include "health.h"
#include "holding.h"
#include "judge/judge_run.h"
#include "live_desk.h"
#include "metrics.h"
#include "offences.h"
#include "config/openings.h"
#include "phase.h"
#include "places.h"
#include "preflight.h"
#include "reports.h"
#include "surroundings.h"
#include "tournament.h"

struct tournament {
    const struct tournament_run *run;
    const struct config_event *event;
    struct ledger *ledger;
    struct preflight preflight;
    struct link *link;
    struct loop *loop;
    struct wire_reader *reader;
    struct roster roster;
    struct entrants entrants;
    struct director *director;
    struct live_desk desk;
    struct openings_order openings;
    struct fixture_queue queue;
    struct absences absences;
    struct forfeits forfeits;
    struct places places;
    struct offences offences;
    struct display display;
    struct reports reports;
    struct run_health health;
    struct metrics metrics;
    struct feed feed;
    struct surroundings surroundings;
    struct conclusion conclusion;
    struct judging judging;
    struct holding holding;  /* while results cannot be written */
    int64_t looked_ns;       /* when the results were last checked */
    uint64_t put_by_change;  /* what the store had got when a bot was last put out or came back */
    struct signals *signals; /* the signals that end the run */
    enum phase phase;
    bool refused; /* a bot changed; the run cannot continue */
    int exit_status;
    enum bg_status status;
    struct bg_error *err;
};

/* Opens the results, and compares them with the event: see preflight_results. */
enum bg_status tournament_open_results(struct tournament *t, struct bg_error *err);

/* What counts faults, and where games are played. */
void tournament_open_places(struct tournament *t, const struct offences_listener *of_offences,
                            const struct places_listener *of_places);

/* What reports and concludes; all of it is lent. */
void tournament_open_reports(struct tournament *t);

#endif
