/* A difference of two ratings is more exact than each of them, so errors are kept as a whole
 * matrix, and every bar is asked of it. An encounter's spread is partly known, partly shared and
 * partly its own; each part has its own degrees of freedom. */
#include "contrasts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"

enum { OWN_DF_NODES = 200 /* with more nodes, all get the event's degrees of freedom */ };

double contrasts_own_share(double own_df)
{
    return own_df > 0 ? own_df / (own_df + CONTRASTS_OWN) : 0;
}

/* Returns Satterthwaite's degrees of freedom of one node. Each part of the variance is weighted
 * with the square of its effect on the node. The shared estimate contains the encounters' own
 * estimates, so their covariance is the event's. */
static double df_of(int node, const struct contrasts *of, const double *v,
                    const struct contrasts_edge *edges, size_t count, double shared_df)
{
    const double *row = v + (size_t)node * (size_t)of->nodes;
    double known = 0, shared = 0, own = 0, doubt = 0;

    for (size_t k = 0; k < count; k++) {
        const struct contrasts_edge *e = &edges[k];
        /* How far this encounter moves the node: nothing if it moves both of its sides alike. */
        double reach = (row[e->a] - row[e->b]) * (row[e->a] - row[e->b]);

        known += reach * e->known;
        shared += reach * e->shared;
        own += reach * e->own;
        if (e->own > 0) {
            doubt += reach * e->own * reach * e->own / e->own_df;
        }
    }
    if (shared > 0) {
        doubt += (shared * shared + 2 * shared * own) / shared_df;
    }
    known += shared + own;
    return doubt > 0 ? known * known / doubt : INFINITY;
}

/* Whether the edges spread as their weights say. Then V M V is V, and two products of matrices
 * are saved. */
static bool is_plain(const struct contrasts_edge *edges, size_t count)
{
    bool plain = true;

    for (size_t k = 0; k < count && plain; k++) {
        plain = edges[k].known == edges[k].weight && edges[k].shared == 0 && edges[k].own == 0;
    }
    return plain;
}

/* Fills matrix with the Laplacian of the edges' weights, or of what they really spread (middle).
 * degree: space for n numbers. */
static void fill_laplacian(double *matrix, double *degree, int nodes,
                           const struct contrasts_edge *edges, size_t count, bool middle)
{
    memset(degree, 0, (size_t)nodes * sizeof *degree);
    for (size_t k = 0; k < count; k++) {
        const struct contrasts_edge *e = &edges[k];

        laplacian_link(matrix, degree, nodes,
                       &(struct laplacian_edge){
                           e->a, e->b, middle ? e->known + e->shared + e->own : e->weight});
    }
    laplacian_close(matrix, degree, nodes);
}

/* variance = v M v. */
static void spread(struct contrasts *out, const double *v, double *degree,
                   const struct contrasts_edge *edges, size_t count)
{
    size_t cells = (size_t)out->nodes * (size_t)out->nodes;
    double *middle = memory_zeroed(cells, sizeof *middle),
           *work = memory_zeroed(cells, sizeof *work);

    fill_laplacian(middle, degree, out->nodes, edges, count, true);
    linear_sandwich(out->variance, work, v, middle, out->nodes);
    free(middle);
    free(work);
}

enum bg_status contrasts_of(struct contrasts *out, int nodes, const struct contrasts_edge *edges,
                            size_t count, double shared_df, struct bg_error *err)
{
    size_t n = (size_t)nodes, cells = n * n;
    bool plain = is_plain(edges, count);
    double *v = memory_zeroed(cells, sizeof *v), *degree = memory_zeroed(n, sizeof *degree);
    enum bg_status status = BG_OK;

    *out = (struct contrasts){nodes, plain ? NULL : memory_zeroed(cells, sizeof(double)),
                              memory_zeroed(n, sizeof(double))};
    fill_laplacian(v, degree, nodes, edges, count, false);
    if (!laplacian_pinv(v, nodes)) {
        status = bg_error_set(err, BG_E_MISMATCH, "error bars: results too lopsided");
        goto done;
    }
    if (plain) { /* M is the Laplacian, so V M V is V */
        out->variance = v;
        v = NULL;
    } else {
        spread(out, v, degree, edges, count);
    }
    for (int i = 0; i < nodes; i++) {
        bool own = !plain && nodes <= OWN_DF_NODES;

        out->df[i] = plain ? (double)INFINITY
                     : own ? df_of(i, out, v, edges, count, shared_df)
                           : shared_df;
    }
done:
    free(v);
    free(degree);
    if (status != BG_OK) {
        contrasts_deinit(out);
    }
    return status;
}

void contrasts_deinit(struct contrasts *contrasts)
{
    free(contrasts->variance);
    free(contrasts->df);
    *contrasts = (struct contrasts){0};
}

double contrasts_se(const struct contrasts *contrasts, int a, int b)
{
    size_t n = (size_t)contrasts->nodes, i = (size_t)a, j = (size_t)b;
    double v = contrasts->variance[i * n + i];

    if (b >= 0) {
        v += contrasts->variance[j * n + j] - 2 * contrasts->variance[i * n + j];
    }
    /* Rounding may bring a variance of nearly 0 below it. */
    return a == b ? 0 : sqrt(fmax(0, v));
}

void contrasts_se_of_mean(double *se, const struct contrasts *contrasts, const double *weight)
{
    size_t n = (size_t)contrasts->nodes;
    const double *v = contrasts->variance;
    double own = 0;

    for (size_t a = 0; a < n; a++) { /* for now the covariance with the mean */
        se[a] = 0;
        for (size_t i = 0; i < n; i++) {
            se[a] += weight[i] * v[a * n + i];
        }
        own += weight[a] * se[a];
    }
    for (size_t a = 0; a < n; a++) {
        se[a] = sqrt(fmax(0, v[a * n + a] - 2 * se[a] + own));
    }
}

double contrasts_df(const struct contrasts *contrasts, int a, int b)
{
    return b < 0 ? contrasts->df[a] : fmin(contrasts->df[a], contrasts->df[b]);
}
