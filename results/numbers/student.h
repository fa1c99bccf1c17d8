/* student.h - Student's t and Fisher's F: used for small samples in place of the normal
 * distribution; and mixtures of t. Pure.
 *
 * df: degrees of freedom, above 0; INFINITY is the normal distribution.
 */
#ifndef RESULTS_NUMBERS_STUDENT_H
#define RESULTS_NUMBERS_STUDENT_H

#include <stdbool.h>

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

#endif
