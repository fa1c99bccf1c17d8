#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "large.h"

enum {
    GRID = 12,
    GRID_NODES = 60, /* with more nodes s is known well enough */
    STEPS = 200,
    ROUNDS = 6,  /* of a large field: its strengths, then its s */
    SPREADS = 60 /* steps to the s of a large field */
};

static const double S_LEAST = 0.1, S_MOST = 4;
static const double S_CLOSE = 0.02;
/* A grid that is even in log s weighs each s by this power of it: with 1 every s is equally
 * likely. Matches have more: fields of two groups, or with bots that lose to nobody else, are no
 * normal ones, and with less their outer bots came too near to the mean: nominal 95 % covered 90 %
 * of such fields, and with 4 no field loses (tools/campaign-coverage). */
static const double POINTS_PRIOR = 1, GAMES_PRIOR = 4;
static const double SMALL_STEP = 1e-6; /* Newton's next one is its square */
static const double DRAFT_STEP = 0.01; /* for a draft of a large field */
static const double SAFE_STEP = 0.3;   /* a longer one may lead downhill */

struct work {
    size_t nodes, count;
    const struct field_result *result;
    double *strength;
    double *step, *next, *degree;
    double *matrix; /* information and prior, then its factor, then its inverse */
    double enough;  /* the last step is at most this long */
    struct bg_error *err;
};

/* ln(1 / (1 + e^-x)), without overflow. */
static double log_logistic(double x)
{
    return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x));
}

/* The logarithm of likelihood and prior, but for constants. */
static double height(const struct work *work, const double *strength, double precision)
{
    double sum = 0, squares = 0;

    for (size_t k = 0; k < work->count; k++) {
        const struct field_result *r = &work->result[k];
        double apart = strength[r->a] - strength[r->b], x = r->slope * apart;
        double miss = apart - r->better;

        if (r->won + r->lost > 0) {
            sum += r->won * log_logistic(x) + r->lost * log_logistic(-x);
        }
        sum -= r->weight * miss * miss / 2;
    }
    for (size_t i = 0; i < work->nodes; i++) {
        squares += strength[i] * strength[i];
    }
    return sum - precision * squares / 2;
}

/* Fills in the information at the strengths, its diagonal also alone (degree), and the gradient. */
static void fill(struct work *work, double precision)
{
    size_t n = work->nodes;

    memset(work->matrix, 0, n * n * sizeof *work->matrix);
    memset(work->degree, 0, n * sizeof *work->degree);
    for (size_t i = 0; i < n; i++) {
        work->step[i] = -precision * work->strength[i];
    }
    for (size_t k = 0; k < work->count; k++) {
        const struct field_result *r = &work->result[k];
        size_t low = (size_t)(r->a < r->b ? r->a : r->b), high = (size_t)(r->a + r->b) - low;
        double apart = work->strength[r->a] - work->strength[r->b], x = r->slope * apart;
        double e = exp(-fabs(x)), more = 1 / (1 + e), less = e * more;
        double p = x < 0 ? less : more, q = x < 0 ? more : less;
        double pull = r->slope * (r->won * q - r->lost * p) - r->weight * (apart - r->better);
        double known = r->slope * r->slope * (r->won + r->lost) * p * q + r->weight;

        work->step[r->a] += pull;
        work->step[r->b] -= pull;
        work->degree[low] += known;
        work->degree[high] += known;
        work->matrix[low * n + high] -= known;
    }
    for (size_t i = 0; i < n; i++) {
        work->matrix[i * n + i] = work->degree[i] + precision;
    }
}

/* Moves by the step, or by less if that is too far. Returns how far. */
static double advance(struct work *work, double precision)
{
    double share = 1, most = 0, from = 0;

    for (size_t i = 0; i < work->nodes; i++) {
        most = fmax(most, fabs(work->step[i]));
    }
    if (most > SAFE_STEP) {
        from = height(work, work->strength, precision);
        for (int half = 0; half < 60; half++, share /= 2) {
            for (size_t i = 0; i < work->nodes; i++) {
                work->next[i] = work->strength[i] + share * work->step[i];
            }
            if (height(work, work->next, precision) >= from) {
                break;
            }
        }
    }
    for (size_t i = 0; i < work->nodes; i++) {
        work->strength[i] += share * work->step[i];
    }
    return share * most;
}

/* Finds the maximum for this s by Newton's method. matrix is then the factor. */
static enum bg_status climb(struct work *work, double s)
{
    double precision = 1 / (s * s), moved = INFINITY;

    for (int step = 0; step < STEPS && moved > work->enough; step++) {
        fill(work, precision);
        if (!cholesky_factor(work->matrix, (int)work->nodes)) {
            return bg_error_set(work->err, BG_E_MISMATCH, "ratings: results too lopsided");
        }
        cholesky_solve(work->step, work->matrix, (int)work->nodes);
        moved = advance(work, precision);
    }
    return moved <= work->enough
               ? BG_OK
               : bg_error_set(work->err, BG_E_MISMATCH, "ratings: results too lopsided");
}

/* Replaces the factor by the covariance against the mean of all nodes. Returns its trace. */
static double invert(struct work *work, double *out, double s)
{
    size_t n = work->nodes;
    double trace = 0;

    cholesky_invert(work->matrix, (int)n);
    for (size_t i = 0; i < n * n; i++) {
        out[i] = work->matrix[i] - s * s / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        trace += out[i * n + i];
    }
    return trace;
}

/* The logarithm of the posterior probability of this s, one of a grid that is even in log s. */
static double log_weight(const struct work *work, double s)
{
    double sum = height(work, work->strength, 1 / (s * s)), n = (double)work->nodes;

    for (size_t i = 0; i < work->nodes; i++) {
        sum -= log(work->matrix[i * work->nodes + i]);
    }
    return sum - n * log(s) + (work->result->weight > 0 ? POINTS_PRIOR : GAMES_PRIOR) * log(s);
}

/* What the grid leaves: one row for each s. */
struct grid {
    double *strength, *variance, *degree; /* owned */
    double log_weight[GRID], effective[GRID];
};

static double s_at(int g)
{
    return S_LEAST * pow(S_MOST / S_LEAST, (double)g / (GRID - 1));
}

static void mix(struct field *out, struct grid *grid, bool draft)
{
    size_t n = (size_t)out->nodes;
    double most = -INFINITY, sum = 0;

    for (int g = 0; g < GRID; g++) {
        most = fmax(most, grid->log_weight[g]);
    }
    for (int g = 0; g < GRID; g++) {
        sum += exp(grid->log_weight[g] - most);
    }
    memset(out->strength, 0, n * sizeof(double));
    memset(out->information, 0, n * sizeof(double));
    out->s = out->effective = 0;
    for (int g = 0; g < GRID; g++) {
        double share = grid->log_weight[g] = exp(grid->log_weight[g] - most) / sum;

        for (size_t i = 0; i < n; i++) {
            out->strength[i] += share * grid->strength[(size_t)g * n + i];
            out->information[i] += share * grid->degree[(size_t)g * n + i];
        }
        out->s += share * s_at(g);
        out->effective += share * grid->effective[g];
    }
    for (int g = 0; !draft && g < GRID; g++) {
        const double *at = grid->strength + (size_t)g * n;

        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                double apart = (at[i] - out->strength[i]) * (at[j] - out->strength[j]);

                out->variance[i * n + j] +=
                    grid->log_weight[g] * (grid->variance[((size_t)g * n + i) * n + j] + apart);
            }
        }
    }
}

static enum bg_status fit_small(struct field *out, struct work *work, bool draft)
{
    size_t n = work->nodes;
    struct grid grid = {.strength = calloc(GRID * n, sizeof(double)),
                        .variance = calloc(GRID * n * n, sizeof(double)),
                        .degree = calloc(GRID * n, sizeof(double))};
    enum bg_status status = BG_OK;

    if (grid.strength == NULL || grid.variance == NULL || grid.degree == NULL) {
        status = bg_error_set(work->err, BG_E_MEMORY, "ratings of %zu bots", n);
    }
    for (int g = 0; status == BG_OK && g < GRID; g++) {
        double s = s_at(g);

        status = climb(work, s);
        if (status == BG_OK) {
            memcpy(grid.strength + (size_t)g * n, work->strength, n * sizeof(double));
            memcpy(grid.degree + (size_t)g * n, work->degree, n * sizeof(double));
            grid.log_weight[g] = log_weight(work, s);
            grid.effective[g] =
                (double)n - 1 - invert(work, grid.variance + (size_t)g * n * n, s) / (s * s);
        }
    }
    if (status == BG_OK) {
        mix(out, &grid, draft);
    }
    free(grid.strength);
    free(grid.variance);
    free(grid.degree);
    return status;
}

/* The most likely s at these strengths, by expectation and maximisation, as if each node's variance
 * came from its own results alone. */
static double likely_s(const struct work *work, double s)
{
    double squares = 0;

    for (size_t i = 0; i < work->nodes; i++) {
        squares += work->strength[i] * work->strength[i];
    }
    for (int step = 0; step < SPREADS; step++) {
        double sum = squares;

        for (size_t i = 0; i < work->nodes; i++) {
            sum += 1 / (work->degree[i] + 1 / (s * s));
        }
        s = fmin(fmax(sqrt(sum / (double)(work->nodes - 1)), S_LEAST), S_MOST);
    }
    return s;
}

static enum bg_status fit_large(struct field *out, struct work *work, bool draft)
{
    size_t n = work->nodes;
    double s = out->s > 0 ? out->s : 1, next = s;
    enum bg_status status = BG_OK;

    for (int round = 0; round < ROUNDS; round++) {
        s = next;
        status = climb(work, s);
        next = status == BG_OK ? likely_s(work, s) : s;
        if (status != BG_OK || fabs(next / s - 1) < S_CLOSE) {
            break;
        }
    }
    out->s = s;
    out->effective = -1;
    for (size_t i = 0; i < n; i++) {
        out->effective += work->degree[i] / (work->degree[i] + 1 / (s * s));
    }
    if (status == BG_OK) {
        memcpy(out->strength, work->strength, n * sizeof(double));
        memcpy(out->information, work->degree, n * sizeof(double));
    }
    if (status == BG_OK && !draft) {
        invert(work, out->variance, s);
    }
    return status;
}

static enum bg_status room(struct field *out, struct work *work, bool draft)
{
    size_t n = work->nodes;

    if (out->strength == NULL) {
        out->strength = calloc(n, sizeof(double));
        out->information = calloc(n, sizeof(double));
    }
    if (out->variance == NULL && !draft) {
        out->variance = large_array(n * n, sizeof(double));
    }
    work->strength = calloc(n, sizeof(double));
    work->step = calloc(n, sizeof(double));
    work->next = calloc(n, sizeof(double));
    work->degree = calloc(n, sizeof(double));
    work->matrix = large_array(n * n, sizeof(double));
    return out->strength == NULL || out->information == NULL || (out->variance == NULL && !draft) ||
                   work->strength == NULL || work->step == NULL || work->next == NULL ||
                   work->degree == NULL || work->matrix == NULL
               ? bg_error_set(work->err, BG_E_MEMORY, "ratings of %zu bots", n)
               : BG_OK;
}

enum bg_status field_fit(struct field *out, int nodes, const struct field_result *results,
                         size_t count, bool draft, struct bg_error *err)
{
    struct work work = {.nodes = (size_t)nodes, .count = count, .result = results, .err = err};

    bool known = out->nodes == nodes;
    enum bg_status status;

    out->nodes = nodes;
    status = room(out, &work, draft);
    work.enough = draft && nodes > GRID_NODES ? DRAFT_STEP : SMALL_STEP;
    if (status == BG_OK && known) {
        memcpy(work.strength, out->strength, work.nodes * sizeof(double));
    }
    if (status == BG_OK) {
        status = nodes <= GRID_NODES ? fit_small(out, &work, draft) : fit_large(out, &work, draft);
    }
    free(work.strength);
    free(work.step);
    free(work.next);
    free(work.degree);
    free(work.matrix);
    if (status != BG_OK) {
        field_deinit(out);
    }
    return status;
}

void field_deinit(struct field *field)
{
    free(field->strength);
    free(field->information);
    free(field->variance);
    *field = (struct field){0};
}
