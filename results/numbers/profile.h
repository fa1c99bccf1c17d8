/* profile.h - intervals and tests from the profile likelihood of ratings: one difference is fixed,
 * and all other ratings are fitted to it. For likelihoods that are finite only because of a prior;
 * their tails are very different from a normal distribution's. Pure.
 */
#ifndef RESULTS_NUMBERS_PROFILE_H
#define RESULTS_NUMBERS_PROFILE_H

#include <bgref/error.h>
#include <stddef.h>

/* Results of two nodes at one length. slope: change of the logit per rating point; won (by a) and
 * lost include the virtual draws and are above 0. */
struct profile_term {
    int a, b;
    double slope, won, lost;
};

struct profile {
    int nodes; /* at least 2, connected by the terms */
    const struct profile_term *term;
    size_t terms;
    const double *top; /* [nodes] ratings with the largest likelihood */
};

/* Computes the 95 % interval of node i's rating minus the anchor's, or minus the mean (anchor -1).
 * se: first estimate of its standard error, above 0. BG_E_MEMORY; BG_E_MISMATCH: results too
 * lopsided for double precision. */
enum bg_status profile_interval(double out[2], const struct profile *profile, int i, int anchor,
                                double se, struct bg_error *err);

/* Computes the signed root of the likelihood ratio for the hypothesis that a and b are equal; above
 * 0 if a is better. If they are equal, it is standard normal. Errors as above. */
enum bg_status profile_root(double *out, const struct profile *profile, int a, int b,
                            struct bg_error *err);

#endif
