/* adjusted.h - joint ratings of an event from luck-adjusted results, printed beside the plain
 * ratings. Money: points per game by least squares; matches: FIBS points (numbers/quasi.h).
 */
#ifndef RESULTS_SUMS_ADJUSTED_H
#define RESULTS_SUMS_ADJUSTED_H

#include <numbers/quasi.h>
#include <numbers/rating.h>

#include "judged_sums.h"

struct adjusted {
    const struct judged_sums *sums; /* lent */
    struct quasi_bot *bot; /* owned; order as in the sums; money: points per game, no bounds */
    int groups;
};

/* options: the plain ratings' anchor; NULL: the mean. In match play the mean is that of
 * the judged matches' plain ratings. BG_E_MISMATCH: cannot be fitted in double precision. */
enum bg_status adjusted_of(struct adjusted *out, const struct judged_sums *sums,
                           const struct rating_options *options, struct bg_error *err);
void adjusted_deinit(struct adjusted *adjusted); /* accepts a zeroed struct */

/* The value of the field bound_side for this side of a bound (quasi.h): lower or upper. */
const char *adjusted_side_name(int side);

/* Sorts the bots by adjusted rating, best first; bots without one last. order needs one element per
 * bot. */
void adjusted_order(int *order, const struct adjusted *adjusted);

#endif
