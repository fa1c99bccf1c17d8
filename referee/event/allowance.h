/* allowance.h - games a day of the event's remote bots (bot/day_games.h): counts the games that
 * begin, and lets no new fixture of a bot begin that has had its games.
 *
 * The counts are in a book (bot/day_book.h): RESULTS.begun, or that of the host that lends its
 * door, which all of its events write. A fixture has to take its places there before it begins.
 */
#ifndef REFEREE_EVENT_ALLOWANCE_H
#define REFEREE_EVENT_ALLOWANCE_H

#include "bot/day_book.h"
#include "entrants.h"
#include "fixture_queue.h"

struct allowance_place;

struct allowance {
    struct entrants *entrants; /* lent, like these */
    struct fixture_queue *queue;
    struct day_games *bots;         /* owned; by bot; begun: as the book says */
    bool *is_told;                  /* owned; by bot: its author knows that no game is left today */
    bool any;                       /* some bot may have a limit */
    struct day_book book;           /* owned */
    struct allowance_place *places; /* owned: of fixtures that have not begun */
    int place_count;
};

/* The bots have been started. Reads what earlier runs have counted. BG_E_MEMORY, BG_E_SYSTEM,
 * BG_E_ARGUMENT. */
enum bg_status allowance_open(struct allowance *allowance, int64_t now_s, struct bg_error *err);
void allowance_close(struct allowance *allowance); /* a zeroed one is fine */

/* Takes places for a fixture that is about to begin. False: a bot has no game left today. */
bool allowance_take(struct allowance *allowance, const struct fixture *fixture, int64_t now_s);
/* The fixture is over, or does not begin: gives places back that it has not used. */
void allowance_give_back(struct allowance *allowance, const struct fixture *fixture, int64_t now_s);
/* A game of this fixture begins. */
void allowance_begin(struct allowance *allowance, const struct fixture *fixture, int64_t now_s);
/* Takes the news of the bots that have a limit. Call before fixtures begin. */
void allowance_look(struct allowance *allowance, int64_t now_s);
/* Takes all of its news, and lets bots play on whose day has come. Call regularly. */
void allowance_sweep(struct allowance *allowance, int64_t now_s);

#endif
