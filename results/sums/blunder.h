/* blunder.h - the worst choices of an event, with their positions. */
#ifndef RESULTS_SUMS_BLUNDER_H
#define RESULTS_SUMS_BLUNDER_H

#include <bgref/notation.h>

#include "decision_key.h"
#include "judged_sums.h"

struct blunder {
    int bot;                   /* as in the tally */
    struct judged_worst worst; /* strings lent by the judgements */
    struct bg_match match;     /* before the choice */
    int seat;                  /* the seat that chose */
    char opponent[BG_GAME_ID]; /* the other bot's name */
    char played[DECISION_WORDS];
};

/* Finds at most `room` blunders, equally many for each bot, largest error first. *count: how many.
 * Leaves out a game that is no longer in the store or cannot be replayed. BG_E_STORE. */
enum bg_status blunders_find(struct blunder *out, int *count, int room, struct store *store,
                             const struct judged_sums *judged, struct bg_error *err);

#endif
