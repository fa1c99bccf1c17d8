/* quasi.h - joint ratings from results that are not counts: luck-adjusted matches.
 *
 * An adjusted match result has the same mean as the plain result, the chance to win, but can lie
 * outside 0..1. So there is no likelihood. The ratings solve the score equations of the FIBS model
 * with adjusted sums in place of wins (a quasi-likelihood). Their errors come from the clusters'
 * residuals (sandwich), with one spread of a cluster for the whole event. An encounter whose mean
 * lies outside (0, 1) has no finite difference and is left out of the fit; a bot with no other
 * encounter gets a one-sided 95 % bound against the rated bots. Pure.
 */
#ifndef RESULTS_NUMBERS_QUASI_H
#define RESULTS_NUMBERS_QUASI_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* All matches between two bots, from a's side: clusters with D adjusted matches won in n
 * matches. */
struct quasi_encounter {
    int a, b;
    double clusters, matches, sum;
    double dd, dn, nn; /* sums over clusters of DD, Dn, nn */
};

struct quasi_bot {
    double rating, se, bar; /* bar: half of the 95 % interval; NaN without a rating */
    double bound;           /* one-sided 95 %; NaN if there is none */
    int side;               /* side of the bound: 1 at least, -1 at most, 0 no bound */
    int group;              /* ratings compare only inside one group; -1 not rated */
};

struct quasi_options {
    double length_points;
    int anchor;           /* the bot with anchor_rating; -1, and for other groups: the mean */
    double anchor_rating; /* rating of the anchor, or of the mean */
    const double *weight; /* [bots]: shares in the mean; NULL: all the same */
};

/* The caller owns bot[bots]. BG_E_ARGUMENT, BG_E_MISMATCH. */
enum bg_status quasi_fit(struct quasi_bot *bot, int bots, const struct quasi_encounter *encounters,
                         size_t count, const struct quasi_options *options, struct bg_error *err);

/* --- errors of differences ---------------------------------------------------------------- */

/* A fit of one number per node to the encounters has the covariance V M V. V is the pseudo-inverse
 * of the Laplacian of the encounters' weights; M is the same matrix with the real spread of their
 * results. An encounter's spread has two parts: one from an estimate that the whole event shares,
 * and one from the encounter's own clusters. Degrees of freedom after Satterthwaite. */
struct contrasts_edge {
    int a, b;
    double weight;      /* in the Laplacian, above 0 */
    double shared, own; /* parts of M; their sum is the edge's weight in M */
    double own_df;      /* degrees of freedom of own; used if own > 0 */
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

/* Standard error of the difference between two nodes. */
double contrasts_se(const struct contrasts *contrasts, int a, int b);

#endif
