/* rollout_sums.h - the mean values of several lines of a rollout, and their standard errors.
 *
 * Trial t of each line uses the same dice (duplicate dice), so the error of a difference between
 * two lines is smaller than the errors of both. The first throw of trial t is known before: of each
 * 36 trials in a row every throw is first once. So the 21 first rolls are strata: from eight trials
 * in each on (288 in all), the mean weighs them with 1/36 or 2/36, and only the spread within them
 * is an error. Before that the plain mean and its plain error are used, which is a little too
 * large.
 */
#ifndef RESULTS_NUMBERS_ROLLOUT_SUMS_H
#define RESULTS_NUMBERS_ROLLOUT_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

struct rollout_sums {
    int lines;
    uint64_t trials;
    uint64_t count[21]; /* trials with this first roll, in the order of luck_roll_index */
    double *base;       /* owned, like the others; [lines]: the first trial's values */
    double *sum;        /* [21][lines], of value - base */
    double *product;    /* [21][lines][lines], of two lines' */
};

/* lines: 1 or more. */
void rollout_sums_init(struct rollout_sums *out, int lines);
void rollout_sums_deinit(struct rollout_sums *sums); /* accepts a zeroed struct */

/* Adds one trial: a value for each line. */
void rollout_sums_add(struct rollout_sums *sums, int first_roll, const double *value);

/* NaN without a trial. */
double rollout_sums_mean(const struct rollout_sums *sums, int line);

/* Standard error of a line's mean, and of the difference of two lines' means; NaN below two
 * trials. */
double rollout_sums_error(const struct rollout_sums *sums, int line);
double rollout_sums_error_apart(const struct rollout_sums *sums, int line, int other);

/* The covariance of two lines' means; 0 below two trials. */
double rollout_sums_covariance(const struct rollout_sums *sums, int line, int other);

#endif
