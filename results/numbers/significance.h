/* significance.h - from a number and its error to a probability: the normal distribution, Student's
 * t and Fisher's F for small samples, mixtures of t, and p-values when many hypotheses are tested
 * at once. Pure.
 *
 * df: degrees of freedom, above 0; INFINITY is the normal distribution.
 */
#ifndef RESULTS_NUMBERS_SIGNIFICANCE_H
#define RESULTS_NUMBERS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* z of a two-sided 95 % interval. */
#define STAT_Z95 1.959963984540054

/* ln(1 / (1 + e^-x)), without overflow. */
double log_logistic(double x);

/* Distribution function of the standard normal distribution. */
double stat_phi(double x);

/* LOS of a difference with its standard error; 0.5, 0 or 1 by the difference's sign if se is 0; NaN
 * stays NaN. */
double stat_los(double difference, double se);

/* P(T <= t). NaN stays NaN. */
double student_cdf(double t, double df);

/* t with P(|T| <= t) = 0.95; NaN if df is not above 0. */
double student_t95(double df);

/* P(F > f) with these degrees of freedom of numerator and denominator; NaN if undefined. */
double student_f_tail(double f, double df1, double df2);

/* Upper 1 % point of chi-square / df (Wilson and Hilferty). */
double student_chi99(double df);

/* A number whose distribution is a mixture: in each part Student's t around a mean, moved and
 * stretched, and skewed by Cornish and Fisher's first term. */
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

/* Replaces p-values by Holm's adjusted ones: if nothing is wrong, any of them is below 0.05 in at
 * most one event in twenty. A NaN is not tested and stays NaN. */
void holm_adjust(double *p, size_t count);

#endif
