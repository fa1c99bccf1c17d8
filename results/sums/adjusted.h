/* adjusted.h - joint ratings of an event from luck-adjusted results: what stands beside the plain
 * ones. Money in points a game by least squares, matches in FIBS points (numbers/quasi.h).
 */
#ifndef RESULTS_SUMS_ADJUSTED_H
#define RESULTS_SUMS_ADJUSTED_H

#include <numbers/quasi.h>
#include <numbers/rating.h>

#include "judged_sums.h"

struct adjusted {
    const struct judged_sums *sums; /* lent */
    struct quasi_bot *bot;          /* owned; as in the sums; money: points a game, no bounds */
    int groups;
};

/* options: the anchor of the plain ratings; NULL: the mean. In match play the mean goes over the
 * core, as in the plain ratings: that of the matches that are judged. BG_E_MEMORY, BG_E_MISMATCH:
 * cannot be fitted in double precision. */
enum bg_status adjusted_of(struct adjusted *out, const struct judged_sums *sums,
                           const struct rating_options *options, struct bg_error *err);
void adjusted_deinit(struct adjusted *adjusted); /* also of a zeroed one */

/* Bots by adjusted rating, best first; those without one last. order has a place for each. */
void adjusted_order(int *order, const struct adjusted *adjusted);

#endif
