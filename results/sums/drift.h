/* drift.h - whether the results between two bots change during an event. Pure.
 *
 * Fits a line to the results of their clusters (the mean of a pair's legs) against their order in
 * the schedule. The slope is the change from the first to the last cluster; the standard error is
 * White's for unequal variances (HC3), with m - 2 degrees of freedom. The view is that of the bot
 * that was entered first.
 */
#ifndef RESULTS_SUMS_DRIFT_H
#define RESULTS_SUMS_DRIFT_H

#include "sums/legs.h"

struct drift {
    int a, b, length_points; /* a is the bot entered first */
    double clusters;
    double change, se, df, low, high; /* points a game, or share of matches won (0 to 1) */
    double p, p_holm;                 /* two-sided; p_holm is adjusted for all tested encounters */
};

/* Tests every encounter with at least STRENGTH_SMALL clusters whose results vary. Returns
 * *count of them; the caller frees them. */
struct drift *drift_of(size_t *count, const struct legs *legs);

#endif
