/* contrasts.h - standard errors of differences that were fitted to encounters: one variance for
 * error bars, LOS and claims.
 *
 * A fit of one number a node by its encounters has the covariance V M V: V the pseudo-inverse of
 * the Laplacian of the encounters' weights, M the same with what their results really spread. Of
 * an encounter's spread one part comes from an estimate that the whole event shares, one from the
 * encounter's own clusters, one is known from the model. Degrees of freedom after Satterthwaite.
 * Pure.
 */
#ifndef RESULTS_NUMBERS_CONTRASTS_H
#define RESULTS_NUMBERS_CONTRASTS_H

#include <bgref/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Clusters whose own spread counts as much as the event's. */
#define CONTRASTS_OWN 30.0

/* The share of an encounter's own spread with these degrees of freedom, 0..1. */
double contrasts_own_share(double own_df);

struct contrasts_edge {
    int a, b;
    double weight;             /* in the Laplacian, above 0 */
    double known, shared, own; /* parts of the middle; their sum is its weight in M */
    double own_df;             /* of own; used when own > 0 */
};

struct contrasts {
    int nodes;
    double *variance; /* owned; [i * nodes + j], against the mean of all nodes */
    double *df;       /* owned; of node i against the mean */
};

/* shared_df: degrees of freedom of the event's estimate. Nodes have to be connected. BG_E_MEMORY;
 * BG_E_MISMATCH: weights too unlike for double precision. */
enum bg_status contrasts_of(struct contrasts *out, int nodes, const struct contrasts_edge *edges,
                            size_t count, double shared_df, struct bg_error *err);
void contrasts_deinit(struct contrasts *contrasts); /* also of a zeroed one */

/* Standard error and degrees of freedom of node a's difference to b, or to the mean (b -1). */
double contrasts_se(const struct contrasts *contrasts, int a, int b);
/* Standard error of node a's difference to the mean of those nodes that are in. */
double contrasts_se_of_mean(const struct contrasts *contrasts, int a, const bool *in);
double contrasts_df(const struct contrasts *contrasts, int a, int b);

#endif
