/* duration_histogram.h - a histogram of durations: mean, maximum, and quantiles to about 4 %.
 *
 * Logarithmic, with a fixed size; adding never allocates. All zero is empty. Undefined values are
 * NaN.
 */
#ifndef RESULTS_RECORD_DURATION_HISTOGRAM_H
#define RESULTS_RECORD_DURATION_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_STEPS = 16 /* steps per doubling */, HISTOGRAM_PLACES = 63 * HISTOGRAM_STEPS };

struct duration_histogram {
    uint64_t count;
    double sum_ns, most_ns;
    uint32_t place[HISTOGRAM_PLACES];
};

/* Adds a duration; ns >= 0. */
void histogram_add(struct duration_histogram *histogram, int64_t ns);

/* The place of a duration: floor(HISTOGRAM_STEPS log2 ns), and 0 below 1 ns. */
int histogram_place(int64_t ns);

/* In seconds; share 0..1: 0.5 is the median. */
double histogram_mean(const struct duration_histogram *histogram);
double histogram_quantile(const struct duration_histogram *histogram, double share);
double histogram_most(const struct duration_histogram *histogram);

#endif
