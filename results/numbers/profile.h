/* profile.h - intervals and tests from the profile likelihood of ratings: what is asked of one
 * difference with all other ratings fitted to it. For likelihoods that a prior has made finite,
 * whose tails are nothing like a normal's. Pure.
 */
#ifndef RESULTS_NUMBERS_PROFILE_H
#define RESULTS_NUMBERS_PROFILE_H

#include <bgref/error.h>
#include <stddef.h>

/* Results of two nodes at one length: slope is that of the logit per rating point; won (by a) and
 * lost contain the virtual draws and are above 0. */
struct profile_term {
    int a, b;
    double slope, won, lost;
};

struct profile {
    int nodes; /* at least 2, connected by the terms */
    const struct profile_term *term;
    size_t terms;
    const double *top; /* [nodes] ratings of the largest likelihood */
};

/* The 95 % interval of node i's rating minus that of the anchor, or of the mean (anchor -1).
 * se: a first guess of its standard error, above 0. BG_E_MEMORY; BG_E_MISMATCH: results too
 * lopsided for double precision. */
enum bg_status profile_interval(double out[2], const struct profile *profile, int i, int anchor,
                                double se, struct bg_error *err);

/* The signed root of the likelihood ratio against a and b being equal, above 0 where a is the
 * better: standard normal if they are. Errors as above. */
enum bg_status profile_root(double *out, const struct profile *profile, int a, int b,
                            struct bg_error *err);

#endif
