/* preflight.h - how a run begins: opens the results and compares them with the event, starts the
 * bots, and, when they are ready, stores the event's settings and allows the first game.
 */
#ifndef REFEREE_EVENT_PREFLIGHT_H
#define REFEREE_EVENT_PREFLIGHT_H

#include "bulletin.h"
#include "director.h"
#include "door/door.h"
#include "door/lent_door.h"
#include "entrants.h"
#include "feed/display.h"
#include "feed/feed.h"
#include "fixture_queue.h"
#include "fixtures/fresh.h"
#include "health.h"
#include "config/openings.h"
#include "surroundings.h"
#include "tournament.h"

struct preflight {
    const struct config_event *event; /* lent, like these */
    const char *command;              /* the resolved command line */
    struct director *director;
    struct entrants *entrants;
    struct feed *feed;
    struct display *display;
    struct fixture_queue *queue;
    struct run_health *health;
    struct surroundings *surroundings;
    struct openings_order *openings;
    struct ledger *ledger; /* the caller's once preflight_results has opened it */
    struct door *door; /* of preflight_start, until preflight_close_door; NULL: none is remote */
    struct lent_door *lent;   /* the host's, in the place of an own one */
    struct bulletin bulletin; /* for the authors of remote bots */
    enum tournament_end end;  /* why a signal has ended the run */
    char farewell[160];       /* what they were told when the run was interrupted; "" nothing */
    struct fresh fresh;       /* old results, moved away; moved back unless the event begins */
    bool begun;               /* the first game has begun */
};

/* Opens what the event needs before anything is started: surroundings, ledger, openings, feed.
 * The caller closes them in every case. Errors as of each. */
enum bg_status preflight_results(struct preflight *preflight, struct bg_error *err);

/* Creates and starts the bots that have something to play. setup: the common settings of their
 * sessions; the caller fills loop, link, reader, listener and user. Opens the door if a bot is
 * remote. Errors as of entrants_start and door_open. */
enum bg_status preflight_start(struct preflight *preflight, const struct session_setup *setup,
                               struct roster *roster, struct bg_error *err);

/* Every bot is ready or left out: checks that the ready ones have a game to play. BG_E_START:
 * too many bots are missing for any game. */
enum bg_status preflight_check(const struct preflight *preflight, struct bg_error *err);

/* Stores the event's settings. identities: as in ledger_begin, with its errors. */
enum bg_status preflight_store(const struct preflight *preflight, const struct identity *identities,
                               struct bg_error *err);

/* Allows the first game: the same as above, with what the bots said of themselves. */
enum bg_status preflight_play(struct preflight *preflight, int64_t now_ns, struct bg_error *err);

/* When all is closed: if no game was played, moves the old results back. */
void preflight_undo(struct preflight *preflight);

#define PREFLIGHT_INTERRUPTED "the referee was interrupted"

/* A signal ends the run, with this value (enum tournament_end); authors of remote bots are told.
 * Returns whether the event is cancelled. */
bool preflight_note_end(struct preflight *preflight, int value);

/* The run ends before the event does, and the next one goes on: authors of remote bots are told,
 * who then stay. Returns what a Goodbye says; why: if there are none. Lent until the next call. */
const char *preflight_interrupted(struct preflight *preflight, const char *why);

/* Closes what preflight_start has opened; nothing is fine. */
void preflight_close_door(struct preflight *preflight);

#endif
