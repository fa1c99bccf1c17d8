/* The fit is that of plain ratings, called without a prior of its own, so that both kinds of
 * rating have one code and one scale. */
#include "quasi.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"
#include "rating.h"
#include "significance.h"
#include "strength.h"

/* ------------------------------------------------------------------ errors of differences */

/* A difference of two ratings is more exact than each of them, so errors are kept as a whole
 * matrix, and every bar is asked of it. An encounter's spread is partly shared and partly its own;
 * each part has its own degrees of freedom. */

enum { OWN_DF_NODES = 200 /* with more nodes, all get the event's degrees of freedom */ };

/* Returns Satterthwaite's degrees of freedom of one node. Each part of the variance is weighted
 * with the square of its effect on the node. The shared estimate contains the encounters' own
 * estimates, so their covariance is the event's. */
static double df_of(int node, const struct contrasts *of, const double *v,
                    const struct contrasts_edge *edges, size_t count, double shared_df)
{
    const double *row = v + (size_t)node * (size_t)of->nodes;
    double shared = 0, own = 0, doubt = 0;

    for (size_t k = 0; k < count; k++) {
        const struct contrasts_edge *e = &edges[k];
        /* How far this encounter moves the node: nothing if it moves both of its sides alike. */
        double reach = (row[e->a] - row[e->b]) * (row[e->a] - row[e->b]);

        shared += reach * e->shared;
        own += reach * e->own;
        if (e->own > 0) {
            doubt += reach * e->own * reach * e->own / e->own_df;
        }
    }
    if (shared > 0) {
        doubt += (shared * shared + 2 * shared * own) / shared_df;
    }
    return doubt > 0 ? (shared + own) * (shared + own) / doubt : INFINITY;
}

/* Fills matrix with the Laplacian of the edges' weights, or of what they really spread (middle).
 * degree: space for n numbers. */
static void fill_laplacian(double *matrix, double *degree, int nodes,
                           const struct contrasts_edge *edges, size_t count, bool middle)
{
    memset(degree, 0, (size_t)nodes * sizeof *degree);
    for (size_t k = 0; k < count; k++) {
        const struct contrasts_edge *e = &edges[k];

        laplacian_link(
            matrix, degree, nodes,
            &(struct laplacian_edge){e->a, e->b, middle ? e->shared + e->own : e->weight});
    }
    laplacian_close(matrix, degree, nodes);
}

enum bg_status contrasts_of(struct contrasts *out, int nodes, const struct contrasts_edge *edges,
                            size_t count, double shared_df, struct bg_error *err)
{
    size_t n = (size_t)nodes, cells = n * n;
    double *v = memory_zeroed(cells, sizeof *v), *middle = memory_zeroed(cells, sizeof *middle),
           *work = memory_zeroed(cells, sizeof *work), *degree = memory_zeroed(n, sizeof *degree);
    enum bg_status status = BG_OK;

    *out = (struct contrasts){nodes, memory_zeroed(cells, sizeof(double)),
                              memory_zeroed(n, sizeof(double))};
    fill_laplacian(v, degree, nodes, edges, count, false);
    if (laplacian_pinv(v, nodes)) {
        fill_laplacian(middle, degree, nodes, edges, count, true);
        linear_sandwich(out->variance, work, v, middle, nodes);
        for (int i = 0; i < nodes; i++) {
            out->df[i] =
                nodes <= OWN_DF_NODES ? df_of(i, out, v, edges, count, shared_df) : shared_df;
        }
    } else {
        status = bg_error_set(err, BG_E_MISMATCH, "error bars: results too lopsided");
        contrasts_deinit(out);
    }
    free(v);
    free(middle);
    free(work);
    free(degree);
    return status;
}

void contrasts_deinit(struct contrasts *contrasts)
{
    free(contrasts->variance);
    free(contrasts->df);
    *contrasts = (struct contrasts){0};
}

/* Rounding may bring a variance of nearly 0 below it. */
double contrasts_se(const struct contrasts *contrasts, int a, int b)
{
    size_t n = (size_t)contrasts->nodes, i = (size_t)a, j = (size_t)b;
    const double *v = contrasts->variance;

    return a == b ? 0 : sqrt(fmax(0, v[i * n + i] + v[j * n + j] - 2 * v[i * n + j]));
}

/* Fills in the standard errors of the differences between each node and a mean with these weights,
 * sum 1. */
static void se_of_mean(double *se, const struct contrasts *contrasts, const double *weight)
{
    size_t n = (size_t)contrasts->nodes;
    const double *v = contrasts->variance;
    double own = 0;

    for (size_t a = 0; a < n; a++) { /* first the covariance with the mean */
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

/* Degrees of freedom of the difference between node a and node b, or the mean (b -1). */
static double df_between(const struct contrasts *contrasts, int a, int b)
{
    return b < 0 ? contrasts->df[a] : fmin(contrasts->df[a], contrasts->df[b]);
}

/* ------------------------------------------------------------------ the fit */

static const double Z95_ONE_SIDED = 1.6448536269514722;

struct quasi_work {
    struct quasi_bot *bot;
    int bots;
    const struct quasi_encounter *encounter;
    size_t count;
    const struct quasi_options *options;
    double length, beta;
    double variance, df;         /* of a cluster's residual, over the whole event */
    int *place, *member;         /* owned */
    double *weight;              /* owned; [size of the group]: shares of the members in the mean */
    struct contrasts_edge *edge; /* owned */
};

static bool is_inside(const struct quasi_encounter *e)
{
    return e->sum > 0 && e->sum < e->matches;
}

static double expected(const struct quasi_work *work, const struct quasi_encounter *e)
{
    return rating_expected(work->bot[e->a].rating - work->bot[e->b].rating, work->length);
}

/* Squared residuals of the clusters about this chance to win a match. */
static double squares_about(const struct quasi_encounter *e, double p)
{
    return fmax(0, e->dd - 2 * p * e->dn + p * p * e->nn);
}

/* Solves the same score equations as for counted wins, with fractional wins. */
static enum bg_status solve(struct quasi_work *work, struct bg_error *err)
{
    const struct rating_options options = {-1, 1500, RATING_PRIOR_FIXED, 0, false};
    struct rating_row *row = memory_zeroed(work->count, sizeof *row);
    struct rating_fit fit = {0};
    size_t rows = 0;
    enum bg_status status;

    for (size_t k = 0; k < work->count; k++) {
        const struct quasi_encounter *e = &work->encounter[k];

        if (is_inside(e)) {
            row[rows++] = (struct rating_row){.a = e->a,
                                              .b = e->b,
                                              .length_points = work->length,
                                              .wins_a = e->sum,
                                              .wins_b = e->matches - e->sum};
        }
    }
    status = rating_fit(&fit, work->bots, row, rows, &options, err);
    for (int i = 0; status == BG_OK && i < work->bots; i++) {
        work->bot[i] =
            (struct quasi_bot){fit.player[i].rating,
                               NAN,
                               NAN,
                               NAN,
                               0,
                               fit.player[i].flag == RATING_UNPLAYED ? -1 : fit.player[i].group};
    }
    rating_fit_deinit(&fit);
    free(row);
    return status;
}

/* Estimates the variance about the encounters' own means. Residuals about the fit would also
 * contain what one number per bot cannot explain. */
static void pool(struct quasi_work *work)
{
    double squares = 0;

    for (size_t k = 0; k < work->count; k++) {
        const struct quasi_encounter *e = &work->encounter[k];

        squares += squares_about(e, e->sum / e->matches);
        work->df += e->clusters - 1;
    }
    work->variance = work->df > 0 ? squares / work->df : NAN;
}

static struct contrasts_edge edge_of(const struct quasi_work *work, const struct quasi_encounter *e)
{
    double p = expected(work, e), own_df = e->clusters - 1;
    double share = strength_own_share(own_df), scale = work->beta * work->beta * e->clusters;
    double own = own_df > 0 ? squares_about(e, e->sum / e->matches) / own_df : 0;

    return (struct contrasts_edge){.a = work->place[e->a],
                                   .b = work->place[e->b],
                                   .weight = work->beta * work->beta * e->matches * p * (1 - p),
                                   .shared = scale * (1 - share) * work->variance,
                                   .own = scale * share * own,
                                   .own_df = own_df};
}

/* Collects the members of a group and their shares in the mean. Returns the number of members. */
static int gather_members(struct quasi_work *work, int group)
{
    double sum = 0;
    int size = 0;

    for (int i = 0; i < work->bots; i++) {
        if (work->bot[i].group == group) {
            work->weight[size] = work->options->weight == NULL ? 1 : work->options->weight[i];
            sum += work->weight[size];
            work->place[i] = size;
            work->member[size++] = i;
        }
    }
    for (int i = 0; i < size; i++) {
        work->weight[i] = sum > 0 ? work->weight[i] / sum : 1.0 / size;
    }
    return size;
}

/* Returns the anchor's number inside the collected group, or -1 if it is not there. */
static int anchor_of(const struct quasi_work *work, int size)
{
    int anchor = -1;

    for (int i = 0; i < size; i++) {
        anchor = work->member[i] == work->options->anchor ? i : anchor;
    }
    return anchor;
}

/* Shifts all ratings of a group so that its anchor or its mean has the wanted value. */
static void place_group(struct quasi_work *work, int size)
{
    int anchor = anchor_of(work, size);
    double mean = 0;

    for (int i = 0; i < size; i++) {
        double share = anchor < 0 ? work->weight[i] : i == anchor;

        mean += share * work->bot[work->member[i]].rating;
    }
    for (int i = 0; i < size; i++) {
        work->bot[work->member[i]].rating += work->options->anchor_rating - mean;
    }
}

static enum bg_status spread_group(struct quasi_work *work, int group, struct bg_error *err)
{
    struct contrasts contrasts = {0};
    size_t edges = 0;
    int size = gather_members(work, group), anchor = anchor_of(work, size);
    double *se = NULL;
    enum bg_status status;

    place_group(work, size);
    for (size_t k = 0; k < work->count; k++) {
        const struct quasi_encounter *e = &work->encounter[k];

        if (is_inside(e) && work->bot[e->a].group == group) {
            work->edge[edges++] = edge_of(work, e);
        }
    }
    if (size < 2 || isnan(work->variance)) {
        return BG_OK;
    }
    se = memory_zeroed((size_t)size, sizeof *se);
    status = contrasts_of(&contrasts, size, work->edge, edges, work->df, err);
    if (status == BG_OK) {
        se_of_mean(se, &contrasts, work->weight);
    }
    for (int i = 0; status == BG_OK && i < size; i++) {
        struct quasi_bot *bot = &work->bot[work->member[i]];

        bot->se = anchor >= 0 ? contrasts_se(&contrasts, i, anchor) : se[i];
        bot->bar = i == anchor ? 0 : student_t95(df_between(&contrasts, i, anchor)) * bot->se;
    }
    contrasts_deinit(&contrasts);
    free(se);
    return status;
}

/* Adjusted wins that a bot with this rating expects against the rated opponents it met. */
static double expects(const struct quasi_work *work, int bot, double rating)
{
    double sum = 0;

    for (size_t k = 0; k < work->count; k++) {
        const struct quasi_encounter *e = &work->encounter[k];
        int other = e->a == bot ? e->b : e->b == bot ? e->a : -1;

        if (other >= 0 && work->bot[other].group == 0) {
            sum += e->matches * rating_expected(rating - work->bot[other].rating, work->length);
        }
    }
    return sum;
}

/* Finds the rating at which the bot's sum would be at the one-sided 95 % limit around its
 * expectation. */
static void bound_bot(struct quasi_work *work, int bot)
{
    double sum = 0, matches = 0, clusters = 0, target, low = -1e5, high = 1e5;
    int side;

    for (size_t k = 0; k < work->count; k++) {
        const struct quasi_encounter *e = &work->encounter[k];
        int other = e->a == bot ? e->b : e->b == bot ? e->a : -1;

        if (other >= 0 && work->bot[other].group == 0) {
            sum += e->a == bot ? e->sum : e->matches - e->sum;
            matches += e->matches;
            clusters += e->clusters;
        }
    }
    side = sum >= matches ? 1 : -1;
    target = sum - side * Z95_ONE_SIDED * sqrt(clusters * work->variance);
    if (!(matches > 0) || !(target > 0 && target < matches)) {
        return;
    }
    for (int i = 0; i < 100; i++) {
        /* What is expected rises with the rating everywhere, so halving cannot miss. */
        double middle = (low + high) / 2;

        *(expects(work, bot, middle) < target ? &low : &high) = middle;
    }
    work->bot[bot].bound = (low + high) / 2;
    work->bot[bot].side = side;
}

enum bg_status quasi_fit(struct quasi_bot *bot, int bots, const struct quasi_encounter *encounters,
                         size_t count, const struct quasi_options *options, struct bg_error *err)
{
    struct quasi_work work = {.bot = bot,
                              .bots = bots,
                              .encounter = encounters,
                              .count = count,
                              .options = options,
                              .length = options->length_points,
                              .beta = rating_slope(options->length_points)};
    int groups = 0;
    enum bg_status status;

    work.place = memory_zeroed((size_t)bots, sizeof *work.place);
    work.member = memory_zeroed((size_t)bots, sizeof *work.member);
    work.weight = memory_zeroed((size_t)bots, sizeof *work.weight);
    work.edge = memory_zeroed(count, sizeof *work.edge);
    status = solve(&work, err);
    if (status == BG_OK) {
        pool(&work);
    }
    for (int i = 0; status == BG_OK && i < bots; i++) {
        groups = bot[i].group >= groups ? bot[i].group + 1 : groups;
    }
    for (int g = 0; status == BG_OK && g < groups; g++) {
        status = spread_group(&work, g, err);
    }
    for (int i = 0; status == BG_OK && i < bots; i++) {
        if (bot[i].group < 0) {
            bound_bot(&work, i);
        }
    }
    free(work.place);
    free(work.member);
    free(work.weight);
    free(work.edge);
    return status;
}
