/* contrasts.h - standard errors of differences that were fitted to encounters: one variance for
 * error bars, LOS and claims.
 *
 * A fit of one number per node to the encounters has the covariance V M V. V is the pseudo-inverse
 * of the Laplacian of the encounters' weights; M is the same matrix with the real spread of their
 * results. An encounter's spread has three parts: one from an estimate that the whole event shares,
 * one from the encounter's own clusters, and one known from the model. Degrees of freedom after
 * Satterthwaite. Pure.
 */
#ifndef RESULTS_NUMBERS_CONTRASTS_H
#define RESULTS_NUMBERS_CONTRASTS_H

#include <bgref/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Number of clusters at which an encounter's own spread counts as much as the event's. */
#define CONTRASTS_OWN 30.0

/* Returns the weight of an encounter's own spread (0..1) with these degrees of freedom. */
double contrasts_own_share(double own_df);

struct contrasts_edge {
    int a, b;
    double weight;             /* in the Laplacian, above 0 */
    double known, shared, own; /* parts of M; their sum is the edge's weight in M */
    double own_df;             /* degrees of freedom of own; used if own > 0 */
};

struct contrasts {
    int nodes;
    double *variance; /* owned; [i * nodes + j], against the mean of all nodes */
    double *df;       /* owned; for node i against the mean */
};

/* shared_df: degrees of freedom of the event's estimate. The nodes must be connected.
 * BG_E_MISMATCH: the weights differ too much for double precision. */
enum bg_status contrasts_of(struct contrasts *out, int nodes, const struct contrasts_edge *edges,
                            size_t count, double shared_df, struct bg_error *err);
void contrasts_deinit(struct contrasts *contrasts); /* accepts a zeroed struct */

/* Standard error and degrees of freedom of the difference between node a and node b, or between
 * node a and the mean (b -1). */
double contrasts_se(const struct contrasts *contrasts, int a, int b);
/* Standard errors of the differences between each node and a mean with these weights, sum 1. */
void contrasts_se_of_mean(double *se, const struct contrasts *contrasts, const double *weight);
double contrasts_df(const struct contrasts *contrasts, int a, int b);

#endif
