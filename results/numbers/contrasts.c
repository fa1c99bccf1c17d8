#include "contrasts.h"

#include <math.h>
#include <stdlib.h>

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

enum bg_status contrasts_of(struct contrasts *out, int nodes, const struct contrasts_edge *edges,
                            size_t count, double shared_df, struct bg_error *err)
{
    size_t n = (size_t)nodes, cells = n * n;
    double *v = calloc(cells + 1, sizeof *v), *middle = calloc(cells + 1, sizeof *middle);
    double *work = calloc(cells + 1, sizeof *work);
    enum bg_status status = BG_OK;

    *out =
        (struct contrasts){nodes, calloc(cells + 1, sizeof(double)), calloc(n + 1, sizeof(double))};
    if (v == NULL || middle == NULL || work == NULL || out->variance == NULL || out->df == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "error bars of %d bots", nodes);
        goto done;
    }
    for (size_t k = 0; k < count; k++) {
        const struct contrasts_edge *e = &edges[k];

        laplacian_add(v, nodes, e->a, e->b, e->weight);
        laplacian_add(middle, nodes, e->a, e->b, e->known + e->shared + e->own);
    }
    if (!laplacian_pinv(v, nodes)) {
        status = bg_error_set(err, BG_E_MISMATCH, "error bars: results too lopsided");
        goto done;
    }
    linear_sandwich(out->variance, work, v, middle, nodes);
    for (int i = 0; i < nodes; i++) {
        out->df[i] = nodes <= OWN_DF_NODES ? df_of(i, out, v, edges, count, shared_df) : shared_df;
    }
done:
    free(v);
    free(middle);
    free(work);
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
    return a == b ? 0 : sqrt(fmax(0, v));
}

double contrasts_se_of_mean(const struct contrasts *contrasts, int a, const bool *in)
{
    size_t n = (size_t)contrasts->nodes;
    double count = 0, cross = 0, own = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; in[i] && j < n; j++) {
            own += in[j] ? contrasts->variance[i * n + j] : 0;
        }
        cross += in[i] ? contrasts->variance[(size_t)a * n + i] : 0;
        count += in[i];
    }
    return sqrt(fmax(0, contrasts->variance[(size_t)a * n + (size_t)a] - 2 * cross / count +
                            own / (count * count)));
}

double contrasts_df(const struct contrasts *contrasts, int a, int b)
{
    return b < 0 ? contrasts->df[a] : fmin(contrasts->df[a], contrasts->df[b]);
}
