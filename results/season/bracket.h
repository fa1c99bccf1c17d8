/* bracket.h - shared by single and double eliminations: lines, byes, and the next round's entrants.
 *
 * A side of a meeting is an entrant, FORMS_NOBODY (a bye, or no entrant came through), or
 * BRACKET_UNKNOWN (an earlier meeting has no result yet).
 */
#ifndef RESULTS_SEASON_BRACKET_H
#define RESULTS_SEASON_BRACKET_H

#include "history.h"

#define BRACKET_UNKNOWN (-2)

/* Collects the meetings that can be paired now. */
struct bracket {
    const struct history *history;
    struct meeting *out; /* the caller's; NULL: only counts */
    int count;
};

/* The result of a meeting. gone: both were absent; winner and loser are then FORMS_NOBODY. */
struct bracket_sides {
    int winner, loser;
    const struct meeting *gone;
};

/* Returns the lines of round 1: the number of entrants rounded up to a power of two, at least 1. */
int bracket_lines(int entrants);

/* Fills seed[0..lines - 1]: the entrant of each line in round 1, FORMS_NOBODY for a bye. */
void bracket_seeds(int *seed, int entrants);

/* Returns the winner and the loser of a meeting between two sides. If the history does not have the
 * meeting, adds it to the bracket's meetings, as a walkover if one side has left; its sides are
 * then unknown. */
struct bracket_sides bracket_meet(struct bracket *bracket, enum meeting_part part, int round,
                                  int line, int one, int two);

#endif
