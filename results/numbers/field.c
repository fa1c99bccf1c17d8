/* The spread of the field is not chosen but integrated over: for each kind of field and each
 * spread of a grid the strengths are fitted by Newton's method, and the parts are weighed by how
 * well they explain the results. Of a large field, where the results say what the spread is, one
 * part is fitted at the most likely one. */
#include "field.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"
#include "draw.h"

enum {
    KINDS = 3,
    GRID = MIXTURE_PARTS / KINDS, /* scales for each kind of field */
    TWO = 2,                      /* the kind of two groups */
    LEAST_OF_TWO = 6,             /* bots in a field that may be two groups */
    STEPS = 200,
    PULLS = 40,  /* steps after which the prior's precisions stay, so that Newton's method ends */
    ROUNDS = 6,  /* of a large field: its strengths, then its s */
    SPREADS = 60 /* steps to the s of a large field */
};

static const double S_LEAST = 0.1, S_MOST = 4;
static const double S_CLOSE = 0.02;
/* Of the middles of two groups around the field's middle: wide beside what groups differ by, as the
 * results say where they are. */
static const double S_MIDDLES = 2;

/* How the strengths of a field lie around its middle. */
struct field_kind {
    double freedom; /* of Student's t; 0: two groups */
    double peak;    /* logarithm of the density in the middle, for s = 1 */
    /* A grid that is even in log s weighs each s by this power of it: with 1 every s is equally
     * likely. */
    double points, games;
    double least; /* the first s of the grid */
};

/* With bell-shaped fields alone a hopeless bot among equals in a Swiss makes s large, and the
 * others cover 91 % instead of 95 (tools/campaign-coverage). With one middle alone the bots of two
 * groups come too near to it, because how near they are to each other says how near it is: they
 * cover 92 %. So heavy tails, a bell and two bells are in the posterior, and the games weigh them.
 * The bells are at least 0.4 wide: with 0.1 the bots of a group are held for equals as soon as they
 * look alike, and cover 99 %. */
static const struct field_kind kinds[KINDS] = {
    {2, -1.0397208, 2, 2, 0.1}, {30, -0.9272703, 2, 4, 0.1}, {0, -0.9189385, 2, 4, 0.4}};
static const struct field_kind large_kind = {.freedom = 4}; /* one part alone, so none is weighed */
/* More is known of nothing but the prior: two bots after a 4:0 would have an established order, and
 * of equals one event in eleven ends so. */
static const double MOST_SKEW = 0.7;
static const double SMALL_STEP = 1e-6;       /* Newton's next one is its square */
static const double DRAFT_STEP = 0.01;       /* for a draft of a large field */
static const double SAFE_STEP = 0.3;         /* a longer one may lead downhill */
static const double SAFE_SMALL_STEP = 0.001; /* where the prior bends */

struct field_work {
    size_t nodes, count;
    const struct field_result *result;
    double *strength;
    double *step, *next, *degree;
    const struct field_kind *kind;
    double *pull; /* precision of the prior at each node's strength */
    double *bend; /* its curvature there: minus the second derivative of its logarithm */
    int *group;   /* of each node, 0 or 1 in a field of two; else all 0 */
    int size[2];
    double bond[2]; /* of two in the same group: minus what links them in the prior's precision */
    double *matrix; /* information and prior, then its factor, then its inverse */
    double enough;  /* the last step is at most this long */
    struct bg_error *err;
};

static double log_likelihood(const struct field_work *work, const double *strength)
{
    double sum = 0;

    for (size_t k = 0; k < work->count; k++) {
        const struct field_result *r = &work->result[k];
        double apart = strength[r->a] - strength[r->b], x = r->slope * apart;
        double miss = apart - r->better;

        if (r->won + r->lost > 0) {
            sum += r->won * log_logistic(x) + r->lost * log_logistic(-x);
        }
        sum -= r->weight * miss * miss / 2;
    }
    return sum;
}

/* The sum of strengths in each group. */
static void sum_groups(double sum[2], const struct field_work *work, const double *strength)
{
    sum[0] = sum[1] = 0;
    for (size_t i = 0; i < work->nodes; i++) {
        sum[work->group[i]] += strength[i];
    }
}

/* The logarithm of the prior's density at the strengths. */
static double log_prior(const struct field_work *work, const double *strength, double s)
{
    const struct field_kind *kind = work->kind;
    size_t n = work->nodes;
    double sum = (double)n * (kind->peak - log(s)), all[2];

    if (kind != &kinds[TWO]) {
        for (size_t i = 0; i < n; i++) {
            double x = strength[i] / s;

            sum -= (kind->freedom + 1) / 2 * log1p(x * x / kind->freedom);
        }
        return sum;
    }
    sum_groups(all, work, strength);
    for (int g = 0; g < 2; g++) {
        double spread = S_MIDDLES * S_MIDDLES / (s * s);

        sum += work->bond[g] * all[g] * all[g] / 2 - log1p(work->size[g] * spread) / 2;
    }
    for (size_t i = 0; i < n; i++) {
        sum -= strength[i] * strength[i] / (2 * s * s);
    }
    return sum - (double)n * log(2); /* any node may be in either group */
}

/* What a step of climb() raises: the posterior; in a large field with a normal prior that touches
 * Student's. */
static double height(const struct field_work *work, const double *strength, double s)
{
    double squares = 0;

    if (work->kind != &large_kind) {
        return log_likelihood(work, strength) + log_prior(work, strength, s);
    }
    for (size_t i = 0; i < work->nodes; i++) {
        squares += work->pull[i] * strength[i] * strength[i];
    }
    return log_likelihood(work, strength) - squares / 2;
}

/* Sets what the prior does at the strengths; degree is the information of the step before. */
static void set_pull(struct field_work *work, double s)
{
    double freedom = work->kind->freedom, a = freedom * s * s;
    bool two = work->kind == &kinds[TWO];

    for (int g = 0; g < 2; g++) {
        double spread = s * s / (S_MIDDLES * S_MIDDLES);

        work->bond[g] = two ? 1 / (spread + work->size[g]) / (s * s) : 0;
    }
    for (size_t i = 0; i < work->nodes; i++) {
        double square = work->strength[i] * work->strength[i];

        work->pull[i] = two ? 1 / (s * s) : (freedom + 1) / (a + square);
        work->bend[i] = two ? work->pull[i] : work->pull[i] * (a - square) / (a + square);
    }
}

/* Fills in the information at the strengths with this curvature of the prior, its diagonal also
 * alone (degree), and the gradient. */
static void fill_matrix(struct field_work *work, const double *prior)
{
    size_t n = work->nodes;
    double sum[2];

    memset(work->matrix, 0, n * n * sizeof *work->matrix);
    memset(work->degree, 0, n * sizeof *work->degree);
    sum_groups(sum, work, work->strength);
    for (size_t i = 0; i < n; i++) {
        work->step[i] =
            work->bond[work->group[i]] * sum[work->group[i]] - work->pull[i] * work->strength[i];
    }
    for (size_t k = 0; k < work->count; k++) {
        const struct field_result *r = &work->result[k];
        size_t low = (size_t)(r->a < r->b ? r->a : r->b), high = (size_t)(r->a + r->b) - low;
        double apart = work->strength[r->a] - work->strength[r->b], x = r->slope * apart;
        /* Both chances from the same small exponential: 1 - p of a p near 1 would have lost its
         * digits. */
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
        double bond = work->bond[work->group[i]];

        work->matrix[i * n + i] = work->degree[i] + prior[i] - bond;
        for (size_t j = i + 1; bond > 0 && j < n; j++) {
            work->matrix[i * n + j] -= work->group[i] == work->group[j] ? bond : 0;
        }
    }
}

/* Moves by the step, or by less if that is too far. Returns how far. */
static double advance(struct field_work *work, double s)
{
    double share = 1, most = 0, from = 0;

    for (size_t i = 0; i < work->nodes; i++) {
        most = fmax(most, fabs(work->step[i]));
    }
    if (most > (work->kind == &large_kind ? SAFE_STEP : SAFE_SMALL_STEP)) {
        from = height(work, work->strength, s);
        /* Newton's full step may overshoot far from the maximum: it is halved until it no longer
         * leads downhill. */
        for (int half = 0; half < 60; half++, share /= 2) {
            for (size_t i = 0; i < work->nodes; i++) {
                work->next[i] = work->strength[i] + share * work->step[i];
            }
            if (height(work, work->next, s) >= from) {
                break;
            }
        }
    }
    for (size_t i = 0; i < work->nodes; i++) {
        work->strength[i] += share * work->step[i];
    }
    return share * most;
}

/* Factors information and prior. Far out Student's t bends upward, so that the normal curve which
 * touches it is narrower than the posterior; where the posterior is no hill, that curve has to do.
 */
static bool factor(struct field_work *work, bool bent)
{
    fill_matrix(work, work->bend);
    if (bent && cholesky_factor(work->matrix, (int)work->nodes)) {
        return true;
    }
    fill_matrix(work, work->pull);
    return cholesky_factor(work->matrix, (int)work->nodes);
}

/* Finds the maximum for this s by Newton's method. matrix is then the factor. */
static enum bg_status climb(struct field_work *work, double s)
{
    double moved = INFINITY;

    for (int step = 0; step < STEPS && moved > work->enough; step++) {
        bool small = work->kind != &large_kind, fresh = step < (small ? PULLS : 1);

        if (fresh) {
            set_pull(work, s);
        }
        if (!factor(work, small && fresh)) {
            return bg_error_set(work->err, BG_E_MISMATCH, "ratings: results too lopsided");
        }
        cholesky_solve(work->step, work->matrix, (int)work->nodes);
        moved = advance(work, s);
    }
    return moved <= work->enough
               ? BG_OK
               : bg_error_set(work->err, BG_E_MISMATCH, "ratings: results too lopsided");
}

/* Replaces the factor by the covariance against the mean of all nodes. Returns how many parameters
 * the prior settles. */
static double invert(struct field_work *work, double *out)
{
    size_t n = work->nodes;
    double *mean = work->step, all = 0, settled = 0;

    cholesky_invert(work->matrix, (int)n);
    for (size_t i = 0; i < n; i++) {
        mean[i] = 0;
        for (size_t j = 0; j < n; j++) {
            mean[i] += work->matrix[i * n + j] / (double)n;
        }
        all += mean[i] / (double)n;
        settled += work->pull[i] * work->matrix[i * n + i];
        for (size_t j = 0; j < n; j++) {
            settled -= work->group[i] == work->group[j]
                           ? work->bond[work->group[i]] * work->matrix[i * n + j]
                           : 0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = work->matrix[i * n + j] - mean[i] - mean[j] + all;
        }
    }
    return settled;
}

/* The logarithm of the posterior probability of this kind of field and this s, one of a grid that
 * is even in log s. */
static double log_weight(const struct field_work *work, double s)
{
    const struct field_kind *kind = work->kind;
    size_t n = work->nodes;
    double power = work->result->weight > 0 ? kind->points : kind->games;
    double sum = log_likelihood(work, work->strength) + log_prior(work, work->strength, s) +
                 power * log(s / S_MOST) + log(power);

    for (size_t i = 0; i < n; i++) {
        sum -= log(work->matrix[i * n + i]);
    }
    return sum;
}

/* Copies the strengths, so that their sum is 0. */
static void centre(double *out, const struct field_work *work)
{
    double mean = 0;

    for (size_t i = 0; i < work->nodes; i++) {
        mean += work->strength[i] / (double)work->nodes;
    }
    for (size_t i = 0; i < work->nodes; i++) {
        out[i] = work->strength[i] - mean;
    }
}

static void set_third(double *third, const struct field_work *work)
{
    for (size_t k = 0; k < work->count; k++) {
        const struct field_result *r = &work->result[k];
        double x = r->slope * (work->strength[r->a] - work->strength[r->b]), p = 1 / (1 + exp(-x));

        third[k] = (r->won + r->lost) * p * (1 - p) * (2 * p - 1) * r->slope * r->slope * r->slope;
    }
}

void field_part(struct mixture *out, const struct field *field, int part,
                const struct field_sum *sum)
{
    const double *third = field->third;
    double cumulant = 0;

    out->mean[part] = sum->unit * sum->mean;
    out->sd[part] = sum->unit * sqrt(fmax(0, sum->variance));
    out->skew[part] = 0;
    if (third == NULL || !(sum->variance > 0)) {
        return;
    }
    third += (size_t)part * field->results;
    for (size_t k = 0; k < field->results; k++) {
        double with = sum->cov[field->result[k].a] - sum->cov[field->result[k].b];

        cumulant += third[k] * with * with * with;
    }
    cumulant /= sum->variance * sqrt(sum->variance);
    out->skew[part] = fmin(fmax(cumulant, -MOST_SKEW), MOST_SKEW);
}

static double s_at(int part)
{
    double least = kinds[part / GRID].least;

    return least * pow(S_MOST / least, (double)(part % GRID) / (GRID - 1));
}

/* Makes the mixture of the parts, whose shares come as the logarithms of their weights. */
static void mix_parts(struct field *out, const double *degree, const double *effective)
{
    size_t n = (size_t)out->nodes;
    double most = -INFINITY, sum = 0;

    for (int g = 0; g < out->parts; g++) {
        /* The largest becomes 1 before exp: the weights alone are beyond a double's range. */
        most = fmax(most, out->share[g]);
    }
    for (int g = 0; g < out->parts; g++) {
        out->share[g] = exp(out->share[g] - most);
        sum += out->share[g];
    }
    memset(out->strength, 0, n * sizeof(double));
    memset(out->information, 0, n * sizeof(double));
    out->s = out->effective = 0;
    for (int g = 0; g < out->parts; g++) {
        double share = out->share[g] /= sum;

        for (size_t i = 0; i < n; i++) {
            out->strength[i] += share * out->at[(size_t)g * n + i];
            out->information[i] += share * degree[(size_t)g * n + i];
        }
        out->s += share * s_at(g);
        out->effective += share * effective[g];
    }
}

/* Splits the nodes where their strengths in the most likely part so far leave the least squares. */
static void split_nodes(struct field_work *work, const struct field *field, int parts)
{
    size_t n = work->nodes;
    const double *at = NULL;
    double *sorted = work->next, all = 0, low = 0, most = -1, limit = 0;
    int best = 0;

    for (int g = 1; g < parts; g++) {
        best = field->share[g] > field->share[best] ? g : best;
    }
    at = field->at + (size_t)best * n;
    memcpy(sorted, at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, draw_by_size);
    for (size_t i = 0; i < n; i++) {
        all += sorted[i];
    }
    for (size_t k = 1; k < n; k++) {
        double between;

        low += sorted[k - 1];
        between = low * low / (double)k + (all - low) * (all - low) / (double)(n - k);
        if (between > most) {
            most = between;
            limit = (sorted[k - 1] + sorted[k]) / 2;
        }
    }
    work->size[0] = work->size[1] = 0;
    for (size_t i = 0; i < n; i++) {
        work->group[i] = at[i] > limit;
        work->size[work->group[i]]++;
    }
}

static enum bg_status fit_small(struct field *out, struct field_work *work)
{
    size_t n = work->nodes;
    double *degree = memory_zeroed((size_t)out->parts * n, sizeof *degree),
           effective[MIXTURE_PARTS];
    enum bg_status status = BG_OK;

    for (int g = 0; status == BG_OK && g < out->parts; g++) {
        double s = s_at(g);

        if (g == TWO * GRID) {
            split_nodes(work, out, g);
        }
        work->kind = &kinds[g / GRID];
        status = climb(work, s);
        if (status == BG_OK) {
            centre(out->at + (size_t)g * n, work);
            memcpy(degree + (size_t)g * n, work->degree, n * sizeof(double));
            out->share[g] = log_weight(work, s);
            effective[g] = (double)n - invert(work, out->variance + (size_t)g * n * n);
            if (out->third != NULL) {
                set_third(out->third + (size_t)g * work->count, work);
            }
        }
    }
    if (status == BG_OK) {
        mix_parts(out, degree, effective);
    }
    free(degree);
    return status;
}

/* The most likely s at these strengths, by expectation and maximisation, as if each node's variance
 * came from its own results alone. */
static double likely_s(const struct field_work *work, double s)
{
    double squares = 0;

    for (size_t i = 0; i < work->nodes; i++) {
        squares += work->pull[i] * s * s * work->strength[i] * work->strength[i];
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

static enum bg_status fit_large(struct field *out, struct field_work *work, bool draft)
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
        out->effective += work->degree[i] / (work->degree[i] + work->pull[i]);
    }
    if (status == BG_OK) {
        centre(out->strength, work);
        memcpy(out->at, out->strength, n * sizeof(double));
        memcpy(out->information, work->degree, n * sizeof(double));
        out->share[0] = 1;
    }
    if (status == BG_OK && !draft) {
        invert(work, out->variance);
    }
    return status;
}

static void room(struct field *out, struct field_work *work, bool draft)
{
    size_t n = work->nodes, parts = (size_t)out->parts;
    bool skewed = parts > 1 && !draft && !(work->result->weight > 0);

    if (out->strength == NULL) {
        out->strength = memory_zeroed(n, sizeof(double));
        out->information = memory_zeroed(n, sizeof(double));
    }
    out->at = memory_zeroed(parts * n, sizeof(double));
    out->variance = draft && parts == 1 ? NULL : memory_zeroed(parts * n * n, sizeof(double));
    out->third = skewed ? memory_zeroed(parts * work->count, sizeof(double)) : NULL;
    work->strength = memory_zeroed(n, sizeof(double));
    work->step = memory_zeroed(n, sizeof(double));
    work->next = memory_zeroed(n, sizeof(double));
    work->degree = memory_zeroed(n, sizeof(double));
    work->pull = memory_zeroed(n, sizeof(double));
    work->bend = memory_zeroed(n, sizeof(double));
    work->group = memory_zeroed(n, sizeof(int));
    work->matrix = memory_zeroed(n * n, sizeof(double));
}

enum bg_status field_fit(struct field *out, int nodes, const struct field_result *results,
                         size_t count, bool draft, struct bg_error *err)
{
    struct field_work work = {
        .nodes = (size_t)nodes, .count = count, .result = results, .kind = &large_kind, .err = err};
    bool known = out->nodes == nodes, small = nodes <= FIELD_GRID_NODES;
    enum bg_status status;

    out->nodes = nodes;
    out->parts = !small ? 1 : nodes < LEAST_OF_TWO ? TWO * GRID : MIXTURE_PARTS;
    out->result = results;
    out->results = count;
    room(out, &work, draft);
    work.enough = draft && !small ? DRAFT_STEP : SMALL_STEP;
    if (known) {
        memcpy(work.strength, out->strength, work.nodes * sizeof(double));
    }
    status = small ? fit_small(out, &work) : fit_large(out, &work, draft);
    free(work.strength);
    free(work.step);
    free(work.next);
    free(work.degree);
    free(work.pull);
    free(work.bend);
    free(work.group);
    free(work.matrix);
    if (draft) {
        free(out->variance);
        out->variance = NULL;
    }
    if (status != BG_OK) {
        field_deinit(out);
    }
    return status;
}

void field_deinit(struct field *field)
{
    free(field->strength);
    free(field->information);
    free(field->at);
    free(field->third);
    free(field->variance);
    *field = (struct field){0};
}
