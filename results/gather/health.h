/* health.h - checks whether an event is sound: what the seats, the opening roll and the order of
 * play have done to its results. The tables `effects` and `drift` of a report.
 */
#ifndef RESULTS_GATHER_HEALTH_H
#define RESULTS_GATHER_HEALTH_H

#include <numbers/drift.h>
#include <numbers/effects.h>

#include "document/document.h"

/* An effect that should not be there is an alarm beyond 3 standard errors, a drift and a judge that
 * favours a bot below 5 %; all after Holm. */
#define HEALTH_RARE  0.0027
#define HEALTH_LEVEL 0.05

struct health {
    struct effect effect[EFFECT_KINDS];
    double seat_p, apart_p; /* of EFFECT_SEAT, EFFECT_STARTER_APART, after Holm; NaN too few */
    struct drift *drift;    /* owned; the least likely first */
    size_t drifts;
};

/* BG_E_MEMORY. */
enum bg_status health_of(struct health *out, const struct legs *legs, struct bg_error *err);
void health_deinit(struct health *health); /* also of a zeroed one */

/* Adds the tables with what they mean, and a warning for each alarm. */
void health_tables(struct doc *doc, const struct health *health, const struct tally *tally);

#endif
