/* field.h - the strengths of a field of bots, from what each two of them played: a posterior.
 *
 * The prior is the field itself: strengths are normal around its mean with variance s^2, s^2
 * unknown and flat. So the numbers hold however the pairings came about: a posterior depends on
 * what was played, not on why (docs/statistics.md). For each s of a grid the posterior is normal
 * around its maximum (Laplace); the result has the mean and covariance of the mixture. In a large
 * field s is well known, and its most likely value is used alone. Pure.
 */
#ifndef RESULTS_NUMBERS_FIELD_H
#define RESULTS_NUMBERS_FIELD_H

#include <bgref/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Results between two nodes. Strengths are in units in which a field's s lies between 0.1 and 4. */
struct field_result {
    int a, b;              /* different */
    double slope;          /* games: the chance of a is logistic in slope * (a - b) */
    double won, lost;      /* of a; both may be fractions */
    double weight, better; /* points: a - b was measured as `better`, with variance 1 / weight */
};

struct field {
    int nodes;
    double *strength;    /* owned; sum 0 */
    double *information; /* owned; what a node's own results say about it: inverse variance */
    double s;            /* of the field; its mean, if a grid was used */
    double effective;    /* number of free parameters that the results settled: below nodes */
    double *variance;    /* owned; [i * nodes + j], against the mean of all nodes */
};

/* The nodes have to be connected. Starts from out->strength and out->s if out->nodes is `nodes`;
 * else out has to be zeroed. draft: without variance. BG_E_MEMORY; BG_E_MISMATCH: out of reach in
 * double precision. */
enum bg_status field_fit(struct field *out, int nodes, const struct field_result *results,
                         size_t count, bool draft, struct bg_error *err);
void field_deinit(struct field *field); /* accepts a zeroed struct */

#endif
