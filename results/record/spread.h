/* spread.h - a histogram of durations: mean, maximum, and quantiles to about 4 %.
 *
 * Logarithmic, with a fixed size; adding never allocates. All zero is empty. Undefined values are
 * NaN.
 */
#ifndef RESULTS_RECORD_SPREAD_H
#define RESULTS_RECORD_SPREAD_H

#include <stdint.h>

enum { SPREAD_STEPS = 16 /* steps per doubling */, SPREAD_PLACES = 63 * SPREAD_STEPS };

struct spread {
    uint64_t count;
    double sum_ns, most_ns;
    uint32_t place[SPREAD_PLACES];
};

/* Adds a duration; ns >= 0. */
void spread_add(struct spread *spread, int64_t ns);

/* The place of a duration: floor(SPREAD_STEPS log2 ns), and 0 below 1 ns. */
int spread_place(int64_t ns);

/* In seconds; share 0..1: 0.5 is the median. */
double spread_mean(const struct spread *spread);
double spread_quantile(const struct spread *spread, double share);
double spread_most(const struct spread *spread);

#endif
