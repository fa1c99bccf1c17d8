/* field.h - the strengths of a field of bots, from what each two of them played: a posterior.
 *
 * The prior is the field itself: strengths lie around a middle with an unknown scale s, nearly
 * normal or with heavy tails, so that a bot far out does not decide how near the others are to each
 * other, or in two groups. So the numbers hold however the pairings came about: a posterior depends
 * on what was played, not on why (docs/statistics.md). For each kind and each s of a grid the
 * posterior is nearly normal around its maximum (Laplace, and the skewness of games); the result is
 * their mixture. In a large field s is well known, and its most likely value is used alone. Pure.
 */
#ifndef RESULTS_NUMBERS_FIELD_H
#define RESULTS_NUMBERS_FIELD_H

#include <bgref/error.h>
#include <stdbool.h>
#include <stddef.h>

#include "significance.h"

enum { FIELD_GRID_NODES = 60 /* with more nodes s is known well enough: one part, no skewness */ };

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
    int parts;           /* one for each s and kind */
    double share[MIXTURE_PARTS];
    double *at;       /* owned; [part][node]: strengths, sum 0 */
    double *variance; /* owned; [part][i][j], against the mean of all nodes */
    double *third;    /* owned; [part][result]: third derivatives of the log likelihood; or NULL */
    const struct field_result *result;
    size_t results;
};

/* A sum of strengths in one part of the posterior. */
struct field_sum {
    double mean, variance, unit;
    const double *cov; /* covariance of each node with it; not read in a large field */
};

/* The nodes have to be connected; the results have to outlive `out`. Starts from out->strength and
 * out->s if out->nodes is `nodes`; else out has to be zeroed. draft: without variance.
 * BG_E_MISMATCH: out of reach in double precision. */
enum bg_status field_fit(struct field *out, int nodes, const struct field_result *results,
                         size_t count, bool draft, struct bg_error *err);
/* Sets one part of the posterior of a sum of strengths whose weights add up to 0, in `unit`. */
void field_part(struct mixture *out, const struct field *field, int part,
                const struct field_sum *sum);
void field_deinit(struct field *field); /* accepts a zeroed struct */

#endif
