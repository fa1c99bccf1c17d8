/* allowance.h - games a day of the event's remote bots (bot/day_games.h): counts the games that
 * begin, and lets no new fixture of a bot begin that has had its games.
 *
 * Where a host lends its door, it counts for all of its events, and tells us. Else the counts are
 * in RESULTS.begun (bot/day_book.h).
 */
#ifndef REFEREE_EVENT_ALLOWANCE_H
#define REFEREE_EVENT_ALLOWANCE_H

#include "bot/day_book.h"
#include "entrants.h"
#include "fixture_queue.h"

struct allowance {
    struct entrants *entrants; /* lent, like these */
    struct fixture_queue *queue;
    struct day_games *bots; /* owned; by bot */
    bool *is_told;          /* owned; by bot: its author knows that no game of today is left */
    bool any;               /* some bot may have a limit */
    struct day_book book;   /* owned; closed: the host counts */
};

/* The bots have been started. Reads what earlier runs have counted. BG_E_MEMORY, BG_E_SYSTEM,
 * BG_E_ARGUMENT. */
enum bg_status allowance_open(struct allowance *allowance, int64_t now_s, struct bg_error *err);
void allowance_close(struct allowance *allowance); /* a zeroed one is fine */

/* A game of this fixture begins. */
void allowance_begin(struct allowance *allowance, const struct fixture *fixture, int64_t now_s);
/* Takes the host's news of the bots that have a limit. Call before fixtures begin. */
void allowance_look(struct allowance *allowance, int64_t now_s);
/* Takes all of its news, and lets bots play on whose day has come. Call regularly. */
void allowance_sweep(struct allowance *allowance, int64_t now_s);

#endif
