/* bracket.h - what single and double eliminations share: lines, byes, and who goes on.
 *
 * A side of a meeting is an entrant, FORMS_NOBODY (a bye, or nobody went on), or BRACKET_UNKNOWN (a
 * meeting before it has no result yet).
 */
#ifndef RESULTS_FORMS_BRACKET_H
#define RESULTS_FORMS_BRACKET_H

#include "history.h"

#define BRACKET_UNKNOWN (-2)

/* Collects the meetings that can be paired by now. */
struct bracket {
    const struct history *history;
    struct meeting *out; /* caller's; NULL: only counted */
    int count;
};

/* How a meeting ended. gone: both were absent; winner and loser are then FORMS_NOBODY. */
struct bracket_sides {
    int winner, loser;
    const struct meeting *gone;
};

/* Lines of round 1: the next power of two of the entrants, at least 1. */
int bracket_lines(int entrants);

/* seed[0..lines - 1]: the entrant of each line in round 1, FORMS_NOBODY for a bye. */
void bracket_seeds(int *seed, int entrants);

/* The winner and the loser of a meeting between two sides. A meeting that is not in the history is
 * added to the bracket's, as a walkover where one has left, and its sides are unknown. */
struct bracket_sides bracket_meet(struct bracket *bracket, enum meeting_part part, int round,
                                  int line, int one, int two);

#endif
