/* effects.h - the advantage of the seat and of the opening roll, over all bots. Pure.
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

#endif
