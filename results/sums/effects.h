/* effects.h - the advantage of the seat and of the opening roll, over all bots, and whether the
 * results between two bots change during an event (drift). Pure.
 *
 * The two legs of a pair have the same dice with the seats exchanged. So the mean of a pair's legs,
 * seen from one seat or from the starter, does not depend on which bot is stronger. A cluster is a
 * pair.
 */
#ifndef RESULTS_SUMS_EFFECTS_H
#define RESULTS_SUMS_EFFECTS_H

#include "sums/legs.h"

enum effect_kind {
    EFFECT_SEAT,          /* seat 0: pairs with both legs only */
    EFFECT_STARTER,       /* the starter of the leg, in the leg's result */
    EFFECT_STARTER_GAME,  /* the starter of the leg, in the leg's first game: share won above a half
                           */
    EFFECT_STARTER_LEG0,  /* EFFECT_STARTER for leg 0 only */
    EFFECT_STARTER_LEG1,  /* EFFECT_STARTER for leg 1 only */
    EFFECT_STARTER_APART, /* leg 0 minus leg 1, in pairs with both legs */
    EFFECT_KINDS
};

struct effect {
    double clusters, legs;
    double estimate;          /* money: points a game; matches: share won above a half */
    double se, df, low, high; /* NaN below STRENGTH_SMALL clusters */
    double p;                 /* two-sided test of no effect */
};

void effects_of(struct effect out[EFFECT_KINDS], const struct legs *legs);

/* Drift: fits a line to the results of two bots' clusters (the mean of a pair's legs) against their
 * order in the schedule. The slope is the change from the first to the last cluster; the standard
 * error is White's for unequal variances (HC3), with m - 2 degrees of freedom. The view is that of
 * the bot that was entered first. */
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
