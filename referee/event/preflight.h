/* preflight.h - how a run begins: results are opened and compared with the event, bots are started,
 * and when they are ready what the event is, is stored, and the first game may begin.
 */
#ifndef REFEREE_EVENT_PREFLIGHT_H
#define REFEREE_EVENT_PREFLIGHT_H

#include "entrants.h"
#include "feed/display.h"
#include "feed/feed.h"
#include "fixture_queue.h"
#include "fixtures/fresh.h"
#include "health.h"
#include "starts.h"
#include "surroundings.h"

struct preflight {
    const struct config_event *event; /* lent, like these */
    const char *command;              /* the resolved command line */
    const struct schedule *schedule;
    struct entrants *entrants;
    struct feed *feed;
    struct display *display;
    struct fixture_queue *queue;
    struct health *health;
    struct surroundings *surroundings;
    struct starts *starts;
    struct ledger *ledger; /* of the caller once preflight_results has opened it */
    struct fresh fresh;    /* old results, moved away; back unless the event begins */
    bool begun;            /* it came to its first game */
};

/* Opens what the event needs before anything is started: surroundings, ledger, starts, feed.
 * Whatever the outcome the caller closes them. Errors as of each. */
enum bg_status preflight_results(struct preflight *preflight, struct bg_error *err);

/* Creates and starts the bots that have something to play; setup: what their sessions share, with
 * loop, link, reader, listener and user filled by the caller. Errors as of entrants_start. */
enum bg_status preflight_start(const struct preflight *preflight, const struct session_setup *setup,
                               struct roster *roster, struct bg_error *err);

/* Every bot is ready or left out: whether those that are ready have a game to play. BG_E_START:
 * there is none, for want of a bot; BG_E_MEMORY. */
enum bg_status preflight_check(const struct preflight *preflight, struct bg_error *err);

/* What the event is from now on is stored; versions: as in ledger_begin, with its errors. */
enum bg_status preflight_store(const struct preflight *preflight, const char *const *versions,
                               struct bg_error *err);

/* The first game may begin: the same, with what the bots' processes say of themselves. */
enum bg_status preflight_play(struct preflight *preflight, int64_t now_ns, struct bg_error *err);

/* When all is closed: where it did not come to a game, the old results are back in their place. */
void preflight_undo(struct preflight *preflight);

#endif
