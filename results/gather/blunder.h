/* blunder.h - the worst choices of an event, with the positions in which they were made.
 */
#ifndef RESULTS_GATHER_BLUNDER_H
#define RESULTS_GATHER_BLUNDER_H

#include <bgref/notation.h>

#include <sums/judged_sums.h>

enum { BLUNDER_WORDS = 96 };

struct blunder {
    int bot;                   /* of the tally */
    struct judged_worst worst; /* strings lent from the judgements */
    struct bg_match match;     /* before the choice */
    int seat;                  /* who chose */
    char opponent[BG_GAME_ID]; /* name of the other bot */
    char played[BLUNDER_WORDS];
};

/* At most `room` of them, as many of each bot, the largest error first; returns how many in *count.
 * A game that is not in the store any more, or cannot be replayed, is left out. BG_E_STORE,
 * BG_E_MEMORY. */
enum bg_status blunders_find(struct blunder *out, int *count, int room, struct store *store,
                             const struct judged_sums *judged, struct bg_error *err);

#endif
