/* spread.h - many durations in little room: sum, extremes, and quantiles to about 4 %.
 *
 * A logarithmic histogram of fixed size; adding never allocates. Zeroed is empty. What is not
 * defined is NaN.
 */
#ifndef RESULTS_RECORD_SPREAD_H
#define RESULTS_RECORD_SPREAD_H

#include <stdint.h>

enum { SPREAD_STEPS = 16 /* of a doubling */, SPREAD_PLACES = 63 * SPREAD_STEPS };

struct spread {
    uint64_t count;
    double sum_ns, most_ns;
    uint32_t place[SPREAD_PLACES];
};

/* ns: not below 0. */
void spread_add(struct spread *spread, int64_t ns);

/* In seconds; share 0..1: 0.5 is the median. */
double spread_mean(const struct spread *spread);
double spread_quantile(const struct spread *spread, double share);
double spread_most(const struct spread *spread);

#endif
