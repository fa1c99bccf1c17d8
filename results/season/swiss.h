/* swiss.h - a Swiss event: each round pairs entrants with similar scores who have not met. Pure.
 *
 * Score: 1 for a win, a bye or a walkover, 0.5 for a draw.
 * Round 1: by seed, the upper half against the lower half (i against i + n/2); with an odd number
 * the last seed has the bye.
 * Later rounds: in the order of score, Buchholz so far, seed. With an odd number the bye goes to
 * the last entrant in this order that had neither a bye nor a walkover and without which the others
 * can be paired; if there is none, to the last of those with fewest byes. Then the first is paired
 * with the nearest below that it has not met, and so on, so that all are paired: of all complete
 * pairings, the first in dictionary order.
 * If no complete pairing exists without a rematch, there are as few rematches as possible; each is
 * the one longest ago, and of equal ones the lowest in the order.
 */
#ifndef RESULTS_SEASON_SWISS_H
#define RESULTS_SEASON_SWISS_H

#include "history.h"
#include "numbers/standings.h"

/* A late entrant's score for each round that it missed. */
enum swiss_late { SWISS_LATE_NOTHING, SWISS_LATE_HALF };

/* ceil(log2 n) + 1 rounds, at most all of them. */
int swiss_rounds(int entrants);

/* Whether a new entrant may still enter: until half of the rounds are paired. */
bool swiss_may_enter(int rounds, int paired);

/* Pairs the next round into out, room for (entrants + 1) / 2, and returns the number of its
 * meetings. The bye is last. While a meeting is open, or with fewer than two entrants, there are
 * none. */
int swiss_round(struct meeting *out, const struct history *history, enum swiss_late late);

/* Fills rows[0..entrants - 1], best first: score, Buchholz, direct encounter, Sonneborn-Berger,
 * shared rank. An entrant that has left keeps its score. */
void swiss_standing(struct standings_row *rows, const struct history *history,
                    enum swiss_late late);

#endif
