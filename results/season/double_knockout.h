/* double_knockout.h - a double elimination: an entrant is out after two losses. Pure.
 *
 * Winners' bracket: part MAIN, rounds as in knockout.h. Losers' bracket: part LOSERS. Its round 1
 * pairs the losers of neighbouring meetings of the winners' round 1. Round 2r - 2, r >= 2: survivor
 * i meets a loser of the winners' round r; these are taken in reversed order for even r and with
 * exchanged halves for odd r. Round 2r - 1 pairs neighbouring survivors. A missing entrant is a
 * bye. Part FINAL, round 1, is between the two brackets' winners; if the one from the losers'
 * bracket wins, round 2 decides.
 */
#ifndef RESULTS_SEASON_DOUBLE_KNOCKOUT_H
#define RESULTS_SEASON_DOUBLE_KNOCKOUT_H

#include "history.h"

/* As knockout_next. Places: losers of one round of the losers' bracket share a place. */
int double_knockout_next(struct meeting *out, int *place, const struct history *history);

#endif
