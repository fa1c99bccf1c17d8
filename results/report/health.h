/* health.h - checks whether an event is sound: how the seats, the opening roll and the order
 * of play affected its results. The tables `effects` and `drift` of a report.
 */
#ifndef RESULTS_REPORT_HEALTH_H
#define RESULTS_REPORT_HEALTH_H

#include <sums/effects.h>

#include "document/document.h"

/* Limits for alarms, all after Holm: 3 standard errors for an effect that should not exist; 5 % for
 * drift and for a judge that favours a bot. */
#define HEALTH_RARE  0.0027
#define HEALTH_LEVEL 0.05

struct health {
    struct effect effect[EFFECT_KINDS];
    double seat_p, apart_p; /* EFFECT_SEAT, EFFECT_STARTER_APART, after Holm; NaN: too few */
    struct drift *drift;    /* owned; smallest probability first */
    size_t drifts;
};

void health_of(struct health *out, const struct legs *legs);
void health_deinit(struct health *health); /* accepts a zeroed struct */

/* Adds the tables with explanations, and a warning for each alarm. */
void health_tables(struct doc *doc, const struct health *health, const struct tally *tally);

#endif
