/* drift.h - whether the results of two bots change during an event. Pure.
 *
 * A line is fitted to the results of their clusters (the mean of a pair's legs)
 * against their order in the schedule. Its slope is the change from the first to the last cluster;
 * the standard error is that of White for unequal variances (HC3), with m - 2 degrees of freedom.
 * Seen from the bot that was entered first.
 */
#ifndef RESULTS_NUMBERS_DRIFT_H
#define RESULTS_NUMBERS_DRIFT_H

#include "tally/legs.h"

struct drift {
    int a, b, length_points; /* a is the one entered first */
    double clusters;
    double change, se, df, low, high; /* points a game, or share of matches won (0 to 1) */
    double p, p_holm;                 /* two-sided; over all that are tested */
};

/* Every encounter with STRENGTH_SMALL clusters or more that vary; *out is the caller's to free.
 * BG_E_MEMORY. */
enum bg_status drift_of(struct drift **out, size_t *count, const struct legs *legs,
                        struct bg_error *err);

#endif
