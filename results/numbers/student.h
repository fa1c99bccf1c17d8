/* student.h - Student's t and Fisher's F: used for small samples in place of the normal
 * distribution. Pure.
 *
 * df: degrees of freedom, above 0; INFINITY is the normal distribution.
 */
#ifndef RESULTS_NUMBERS_STUDENT_H
#define RESULTS_NUMBERS_STUDENT_H

/* P(T <= t). NaN stays NaN. */
double student_cdf(double t, double df);

/* t with P(|T| <= t) = 0.95; NaN if df is not above 0. */
double student_t95(double df);

/* P(F > f) with these degrees of freedom of numerator and denominator; NaN if undefined. */
double student_f_tail(double f, double df1, double df2);

/* Upper 1 % point of chi-square / df (Wilson and Hilferty). */
double student_chi99(double df);

#endif
