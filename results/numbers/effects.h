/* effects.h - the advantage of the seat and of the opening roll, over all bots. Pure.
 *
 * The two legs of a pair have the same dice with the seats exchanged, so the mean of a pair's legs
 * from the view of a seat, or of who began, is free of who is the stronger. A cluster is a pair.
 */
#ifndef RESULTS_NUMBERS_EFFECTS_H
#define RESULTS_NUMBERS_EFFECTS_H

#include "tally/legs.h"

enum effect_kind {
    EFFECT_SEAT,          /* seat 0: pairs with both legs only */
    EFFECT_STARTER,       /* who began the leg, in its result */
    EFFECT_STARTER_GAME,  /* who began the leg, in its first game: share won above a half */
    EFFECT_STARTER_LEG0,  /* EFFECT_STARTER in leg 0 alone */
    EFFECT_STARTER_LEG1,  /* likewise */
    EFFECT_STARTER_APART, /* leg 0 minus leg 1, of pairs with both */
    EFFECT_KINDS
};

struct effect {
    double clusters, legs;
    double estimate;          /* money: points a game; matches: share won above a half */
    double se, df, low, high; /* NaN below STRENGTH_SMALL clusters */
    double p;                 /* two-sided, of no effect */
};

/* BG_E_MEMORY. */
enum bg_status effects_of(struct effect out[EFFECT_KINDS], const struct legs *legs,
                          struct bg_error *err);

#endif
