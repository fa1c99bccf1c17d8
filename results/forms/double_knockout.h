/* double_knockout.h - a double elimination: who has lost twice is out. Pure.
 *
 * Winners' bracket: part MAIN, rounds as in knockout.h. Losers' bracket: part LOSERS. Its round 1
 * pairs the losers of the winners' round 1 in neighbouring meetings. Round 2r - 2, r >= 2: survivor
 * i meets the loser of the winners' round r, taken in reversed order for even r and with the halves
 * exchanged for odd r. Round 2r - 1 pairs neighbouring survivors. A missing entrant is a bye. Part
 * FINAL, round 1, is between the two winners; if the one from the losers' bracket wins it, round 2
 * decides.
 */
#ifndef RESULTS_FORMS_DOUBLE_KNOCKOUT_H
#define RESULTS_FORMS_DOUBLE_KNOCKOUT_H

#include <bgref/error.h>

#include "history.h"

/* As knockout_next. Places: losers of one round of the losers' bracket share. */
enum bg_status double_knockout_next(struct meeting *out, int *count, int *place,
                                    const struct history *history, struct bg_error *err);

#endif
