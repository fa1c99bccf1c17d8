/* mixture.h - a number whose distribution is a mixture: in each part Student's t around a mean,
 * moved and stretched, and skewed by Cornish and Fisher's first term. Pure.
 */
#ifndef RESULTS_NUMBERS_MIXTURE_H
#define RESULTS_NUMBERS_MIXTURE_H

#include <stdbool.h>

enum { MIXTURE_PARTS = 36 };

struct mixture {
    int parts;
    const double *share; /* [parts]; sum 1 */
    double df, t;        /* of all parts; t: student_t95(df) */
    double mean[MIXTURE_PARTS], sd[MIXTURE_PARTS], skew[MIXTURE_PARTS];
};

double mixture_mean(const struct mixture *mixture);
double mixture_sd(const struct mixture *mixture);

/* Probability to be below x; what has no spread counts half at its place. */
double mixture_cdf(const struct mixture *mixture, double x);

/* An end of the 95 % interval. */
double mixture_end(const struct mixture *mixture, bool high);

#endif
