/* The likelihood has one maximum, so Newton's method finds it from anywhere. Where bots are not
 * connected by wins in both directions it has none, and this is found from the graph before the
 * search: numbers that grow without end cannot be told from a slow search. */
#include "rating.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "linear.h"
#include "significance.h"

/* Internally, strengths are logits of a 1-point match; one logit is this many rating points. Then
 * the slope of an n-point match is sqrt(n), and the numbers stay near 1. */
static const double POINTS_A_LOGIT = 2000 / 2.302585092994045684;

enum { NEWTON_STEPS = 500 };

/* What matches of two players at one length add to the likelihood. */
struct rating_term {
    int a, b;
    double slope;     /* sqrt(length) */
    double won, lost; /* wins and losses of a; half of the virtual draws in each */
};

/* The likelihood of one group, and the search for its maximum. */
struct climb {
    int size;
    const struct rating_term *term; /* between numbers inside the group */
    size_t terms;
    double steepest;     /* the largest slope of a term */
    double *strength;    /* logits */
    double *step, *next; /* work space */
    double *matrix;      /* information matrix, then its inverse */
};

/* One group during its fit. */
struct group_fit {
    struct climb climb;
    int *member;                   /* number inside the group -> engine */
    struct rating_term *term;      /* the terms of climb */
    const struct rating_row **row; /* of each term */
    double *robust, *work;         /* only for robust errors */
};

struct rating_row rating_row_drawn(int a, int b, double length_points, const double pairs[3],
                                   const double drawn[2])
{
    return (struct rating_row){
        .a = a,
        .b = b,
        .length_points = length_points,
        .wins_a = pairs[1] + 2 * pairs[2] + 0.5 * drawn[0] + 1.5 * drawn[1],
        .wins_b = pairs[1] + 2 * pairs[0] + 1.5 * drawn[0] + 0.5 * drawn[1],
        .paired = true,
        .pairs = {pairs[0], pairs[1], pairs[2]},
        .drawn = {drawn[0], drawn[1]},
    };
}

struct rating_row rating_row_pairs(int a, int b, double length_points, const double pairs[3])
{
    static const double none[2] = {0, 0};

    return rating_row_drawn(a, b, length_points, pairs, none);
}

double rating_row_matches(const struct rating_row *row)
{
    return row->wins_a + row->wins_b;
}

double rating_row_count(const struct rating_row *row)
{
    return row->paired
               ? row->pairs[0] + row->pairs[1] + row->pairs[2] + row->drawn[0] + row->drawn[1]
               : 0;
}

double rating_row_squares(const struct rating_row *row, double p)
{
    double sum = 0;

    for (int s = 0; s < 3; s++) {
        sum += row->pairs[s] * (s - 2 * p) * (s - 2 * p);
    }
    for (int s = 0; s < 2; s++) {
        sum += row->drawn[s] * (s + 0.5 - 2 * p) * (s + 0.5 - 2 * p);
    }
    return sum;
}

const char *rating_flag_name(enum rating_flag flag)
{
    static const char *const names[] = {"ok", "unbeaten", "winless", "unplayed", "apart"};

    return names[flag];
}

double rating_slope(double length_points)
{
    return 2.302585092994045684 * sqrt(length_points) / 2000;
}

double rating_expected(double difference, double length_points)
{
    return 1 / (1 + exp(-difference / POINTS_A_LOGIT * sqrt(length_points)));
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double rating_log_expected(double difference, double length_points)
{
    return log_logistic(difference / POINTS_A_LOGIT * sqrt(length_points));
}

static enum bg_status check_rows(int players, const struct rating_row *rows, size_t count,
                                 const struct rating_options *options, struct bg_error *err)
{
    if (options->anchor >= players || !isfinite(options->anchor_rating)) {
        return bg_error_set(err, BG_E_ARGUMENT, "anchor: no such engine or rating");
    }
    if (options->prior == RATING_PRIOR_FIXED && (!isfinite(options->draws) || options->draws < 0)) {
        return bg_error_set(err, BG_E_ARGUMENT, "prior %g: needs a number of draws of at least 0",
                            options->draws);
    }
    for (size_t k = 0; k < count; k++) {
        const struct rating_row *row = &rows[k];

        if (row->a < 0 || row->a >= players || row->b < 0 || row->b >= players ||
            row->a == row->b) {
            return bg_error_set(err, BG_E_ARGUMENT, "row %zu: needs two different engines", k);
        }
        if (!isfinite(row->length_points) || row->length_points < 1) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "row %zu: length %g: a match has at least 1 point", k,
                                row->length_points);
        }
        if (!isfinite(row->wins_a) || !isfinite(row->wins_b) || row->wins_a < 0 ||
            row->wins_b < 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "row %zu: wins below 0", k);
        }
    }
    return BG_OK;
}

/* Fills in counts and flags, and whether any row is paired; needs no fit. */
static void count_rows(struct rating_fit *out, const struct rating_row *rows, size_t count)
{
    for (int i = 0; i < out->players; i++) {
        out->player[i] = (struct rating_player){
            .rating = NAN, .se = NAN, .robust_se = NAN, .group = -1, .expected_wins = NAN};
    }
    for (size_t k = 0; k < count; k++) {
        struct rating_player *a = &out->player[rows[k].a], *b = &out->player[rows[k].b];

        a->matches += rating_row_matches(&rows[k]);
        b->matches += rating_row_matches(&rows[k]);
        a->wins += rows[k].wins_a;
        b->wins += rows[k].wins_b;
        out->robust = out->robust || (rows[k].paired && rating_row_matches(&rows[k]) > 0);
    }
    for (int i = 0; i < out->players; i++) {
        struct rating_player *p = &out->player[i];

        p->flag = p->matches <= 0         ? RATING_UNPLAYED
                  : p->wins <= 0          ? RATING_WINLESS
                  : p->wins >= p->matches ? RATING_UNBEATEN
                                          : RATING_OK;
    }
}

/* Finds the groups that have played each other, and whether each has a finite maximum: it has one
 * if and only if chains of wins connect all its members in both directions. The caller frees
 * *strong. */
static void find_groups(struct rating_fit *out, bool **strong, const struct rating_row *rows,
                        size_t count)
{
    struct graph_edge *met = memory_zeroed(count, sizeof *met);
    struct graph_edge *beat = memory_zeroed(2 * count, sizeof *beat);
    int *group = memory_zeroed((size_t)out->players, sizeof *group);
    size_t mets = 0, beats = 0;

    *strong = memory_zeroed((size_t)out->players, sizeof **strong);
    for (size_t k = 0; k < count; k++) {
        if (rating_row_matches(&rows[k]) > 0) {
            met[mets++] = (struct graph_edge){rows[k].a, rows[k].b};
        }
        if (rows[k].wins_a > 0) {
            beat[beats++] = (struct graph_edge){rows[k].a, rows[k].b};
        }
        if (rows[k].wins_b > 0) {
            beat[beats++] = (struct graph_edge){rows[k].b, rows[k].a};
        }
    }
    out->groups = graph_groups(group, out->players, met, mets);
    graph_strong(*strong, out->groups, group, out->players, beat, beats);
    for (int i = 0; i < out->players; i++) {
        out->player[i].group = group[i];
    }
    free(met);
    free(beat);
    free(group);
}

static void climb_deinit(struct climb *climb)
{
    free(climb->strength);
    free(climb->step);
    free(climb->next);
    free(climb->matrix);
}

/* climb: zeroed. climb_deinit frees it, also after a failure. */
static void climb_init(struct climb *climb, int size, const struct rating_term *terms, size_t count)
{
    size_t n = (size_t)size;

    climb->size = size;
    climb->term = terms;
    climb->terms = count;
    for (size_t k = 0; k < count; k++) {
        climb->steepest = fmax(climb->steepest, terms[k].slope);
    }
    climb->strength = memory_zeroed(n, sizeof(double));
    climb->step = memory_zeroed(n, sizeof(double));
    climb->next = memory_zeroed(n, sizeof(double));
    climb->matrix = memory_zeroed(n * n, sizeof(double));
}

static void group_fit_deinit(struct group_fit *fit)
{
    climb_deinit(&fit->climb);
    free(fit->member);
    free(fit->term);
    free((void *)fit->row);
    free(fit->robust);
    free(fit->work);
}

/* Collects the members and terms of a group. draws: virtual draws per engine. */
static void group_fit_init(struct group_fit *fit, const struct rating_fit *out, int group,
                           double draws, const struct rating_row *rows, size_t count)
{
    size_t players = (size_t)out->players, size = 0, terms = 0;
    int *place = memory_zeroed(players, sizeof *place);

    *fit = (struct group_fit){.member = memory_zeroed(players, sizeof(int)),
                              .term = memory_zeroed(count, sizeof *fit->term),
                              .row = memory_zeroed(count, sizeof(void *))};
    for (int i = 0; i < out->players; i++) {
        if (out->player[i].group == group) {
            place[i] = (int)size;
            fit->member[size++] = i;
        }
    }
    for (size_t k = 0; k < count; k++) {
        const struct rating_row *row = &rows[k];
        double n = rating_row_matches(row);

        if (n > 0 && out->player[row->a].group == group) {
            /* Virtual draws are spread over the opponents like the matches, so that they pull a
             * bot towards those it has met. */
            double half =
                draws / 4 * (n / out->player[row->a].matches + n / out->player[row->b].matches);

            fit->row[terms] = row;
            fit->term[terms++] =
                (struct rating_term){place[row->a], place[row->b], sqrt(row->length_points),
                                     row->wins_a + half, row->wins_b + half};
        }
    }
    climb_init(&fit->climb, (int)size, fit->term, terms);
    fit->robust = out->robust ? memory_zeroed(size * size, sizeof(double)) : NULL;
    fit->work = out->robust ? memory_zeroed(size * size, sizeof(double)) : NULL;
    free(place);
}

static double likelihood(const struct climb *climb, const double *strength)
{
    double sum = 0;

    for (size_t k = 0; k < climb->terms; k++) {
        const struct rating_term *t = &climb->term[k];
        double x = t->slope * (strength[t->a] - strength[t->b]);

        sum += t->won * log_logistic(x) + t->lost * log_logistic(-x);
    }
    return sum;
}

/* Fills the information matrix, and the gradient. */
static void fill_information(const struct climb *climb, double *gradient)
{
    size_t size = (size_t)climb->size;
    double *degree = climb->next;

    memset(climb->matrix, 0, size * size * sizeof *climb->matrix);
    memset(degree, 0, size * sizeof *degree);
    memset(gradient, 0, size * sizeof *gradient);
    for (size_t k = 0; k < climb->terms; k++) {
        const struct rating_term *t = &climb->term[k];
        double x = t->slope * (climb->strength[t->a] - climb->strength[t->b]);
        double e = exp(-fabs(x)), more = 1 / (1 + e),
               less = e * more; /* both chances from one exp */
        double p = x < 0 ? less : more, q = x < 0 ? more : less;
        double pull = t->slope * (t->won * q - t->lost * p);

        laplacian_link(
            climb->matrix, degree, climb->size,
            &(struct laplacian_edge){t->a, t->b, t->slope * t->slope * (t->won + t->lost) * p * q});
        gradient[t->a] += pull;
        gradient[t->b] -= pull;
    }
    laplacian_close(climb->matrix, degree, climb->size);
}

/* At least the largest change of the logit of a match by the step: as if the two that move apart
 * the most had played the longest match. */
static double most_reach_of(const struct climb *climb)
{
    double low = INFINITY, high = -INFINITY;

    for (int i = 0; i < climb->size; i++) {
        low = fmin(low, climb->step[i]);
        high = fmax(high, climb->step[i]);
    }
    return climb->steepest * (high - low);
}

/* The largest change of the logit of a match by the step. */
static double reach_of(const struct climb *climb)
{
    double reach = 0;

    for (size_t k = 0; k < climb->terms; k++) {
        const struct rating_term *t = &climb->term[k];

        reach = fmax(reach, t->slope * fabs(climb->step[t->a] - climb->step[t->b]));
    }
    return reach;
}

/* Shortens the step until the likelihood does not fall. Returns the largest change. */
static double damped_step(struct climb *climb)
{
    /* Along a step, the third derivative of a logistic term is at most the second times the change
     * of its logit (Bach, Self-concordant analysis for logistic regression, 2010). So a Newton step
     * that changes no logit by 1.79 or more never lowers the likelihood. */
    bool is_short = most_reach_of(climb) < 1.5 || reach_of(climb) < 1.5;
    double before = is_short ? 0 : likelihood(climb, climb->strength);
    double slack = 1e-13 * (1 + fabs(before)); /* rounding: near the maximum all values are equal */
    double largest = 0;

    for (double length = 1; length > 1e-12; length /= 2) {
        largest = 0;
        for (int i = 0; i < climb->size; i++) {
            climb->next[i] = climb->strength[i] + length * climb->step[i];
            largest = fmax(largest, fabs(length * climb->step[i]));
        }
        if (is_short || likelihood(climb, climb->next) >= before - slack) {
            memcpy(climb->strength, climb->next, (size_t)climb->size * sizeof *climb->strength);
            return largest;
        }
    }
    return 0; /* no direction goes up: this is the maximum */
}

/* Newton's method from equal strengths; the function is concave, so damping is enough. It ends when
 * the next step would change nothing: after a short step, the next is smaller by about the change
 * of the logits, because the information changes by that share. */
static enum bg_status climb_up(struct climb *climb, struct bg_error *err)
{
    double change = INFINITY, next = INFINITY;

    for (int step = 0;
         step < NEWTON_STEPS && change * POINTS_A_LOGIT >= 1e-8 && next * POINTS_A_LOGIT >= 1e-9;
         step++) {
        fill_information(climb, climb->step);
        if (!laplacian_solve(climb->step, climb->matrix, climb->size)) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "ratings: the results are too one-sided: a bot that almost never "
                                "loses has no finite rating; use a larger prior");
        }
        next = most_reach_of(climb);
        change = damped_step(climb);
        next *= change;
    }
    if (change * POINTS_A_LOGIT > 1e-4 && next * POINTS_A_LOGIT >= 1e-9) {
        return bg_error_set(err, BG_E_MISMATCH, "ratings: no maximum after %d steps", NEWTON_STEPS);
    }
    return BG_OK;
}

/* Fills in the middle matrix of the robust variance: squared scores by pair, or by match for
 * unpaired rows. */
static void fill_scores(const struct group_fit *fit, double *matrix)
{
    const struct climb *climb = &fit->climb;

    for (size_t k = 0; k < climb->terms; k++) {
        const struct rating_term *t = &fit->term[k];
        const struct rating_row *row = fit->row[k];
        double p = logistic(t->slope * (climb->strength[t->a] - climb->strength[t->b])), q = 0;

        if (row->paired) {
            q = rating_row_squares(row, p);
        } else {
            q = row->wins_a * (1 - p) * (1 - p) + row->wins_b * p * p;
        }
        laplacian_add(matrix, climb->size, t->a, t->b, t->slope * t->slope * q);
    }
}

/* Computes the variances of the fit: matrix becomes V, robust becomes V_robust. */
static enum bg_status invert(struct group_fit *fit, struct bg_error *err)
{
    struct climb *climb = &fit->climb;

    fill_information(climb, climb->step);
    if (!laplacian_pinv(climb->matrix, climb->size)) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "ratings: results too lopsided for standard errors; use a larger "
                            "prior");
    }
    if (fit->robust != NULL) {
        size_t cells = (size_t)climb->size * (size_t)climb->size;
        double *scores = memory_zeroed(cells, sizeof *scores);

        fill_scores(fit, scores);
        linear_sandwich(fit->robust, fit->work, climb->matrix, scores, climb->size);
        free(scores);
    }
    return BG_OK;
}

/* Standard error of a difference in rating points; anchor -1: of one strength against the mean. A
 * rounding remainder counts as 0. */
static double error_of(const double *variance, int size, int i, int anchor)
{
    size_t n = (size_t)size, a = (size_t)i, b = (size_t)anchor;
    double v = variance[a * n + a];
    double error = 0;

    if (anchor >= 0) {
        v += variance[b * n + b] - 2 * variance[a * n + b];
    }
    error = i == anchor ? 0 : sqrt(fmax(0, v)) * POINTS_A_LOGIT;
    return error < 1e-6 ? 0 : error;
}

static void publish_los(struct rating_fit *out, const struct group_fit *fit)
{
    const double *variance = out->robust ? fit->robust : fit->climb.matrix;

    for (int i = 0; i < fit->climb.size; i++) {
        size_t row = (size_t)fit->member[i] * (size_t)out->players;

        for (int j = 0; j < fit->climb.size; j++) {
            double difference = (fit->climb.strength[i] - fit->climb.strength[j]) * POINTS_A_LOGIT;

            out->los[row + (size_t)fit->member[j]] =
                i == j ? 0.5
                       : stat_los(fabs(difference) < 1e-6 ? 0 : difference,
                                  error_of(variance, fit->climb.size, i, j));
        }
    }
}

/* Copies a fitted group into the result. */
static void publish_group(struct rating_fit *out, const struct group_fit *fit,
                          const struct rating_options *options)
{
    double zero = 0;
    int anchor = -1;

    for (int i = 0; i < fit->climb.size; i++) {
        zero += fit->climb.strength[i] / fit->climb.size;
        anchor = fit->member[i] == options->anchor ? i : anchor;
    }
    zero = anchor >= 0 ? fit->climb.strength[anchor] : zero;
    for (int i = 0; i < fit->climb.size; i++) {
        struct rating_player *p = &out->player[fit->member[i]];

        p->rating = options->anchor_rating + (fit->climb.strength[i] - zero) * POINTS_A_LOGIT;
        p->se = error_of(fit->climb.matrix, fit->climb.size, i, anchor);
        p->robust_se = out->robust ? error_of(fit->robust, fit->climb.size, i, anchor) : NAN;
        p->expected_wins = 0;
    }
    for (size_t k = 0; k < fit->climb.terms; k++) {
        const struct rating_term *t = &fit->term[k];
        double matches = rating_row_matches(fit->row[k]);
        double x = t->slope * (fit->climb.strength[t->a] - fit->climb.strength[t->b]);

        out->player[fit->member[t->a]].expected_wins += matches * logistic(x);
        out->player[fit->member[t->b]].expected_wins += matches * logistic(-x);
    }
    publish_los(out, fit);
}

static enum bg_status fit_group(struct rating_fit *out, int group, bool strong,
                                const struct rating_row *rows, size_t count,
                                const struct rating_options *options, struct bg_error *err)
{
    struct group_fit fit = {0};
    double automatic = strong ? 0 : 1;
    double draws = options->prior == RATING_PRIOR_AUTO ? automatic : options->draws;
    enum bg_status status;

    if (!strong && draws <= 0) {
        return BG_OK; /* no maximum exists: the ratings stay undefined */
    }
    for (int i = 0; i < out->players; i++) {
        if (out->player[i].group == group) {
            out->player[i].prior = draws > 0;
        }
    }
    group_fit_init(&fit, out, group, draws, rows, count);
    status = climb_up(&fit.climb, err);
    if (status == BG_OK) {
        status = invert(&fit, err);
    }
    if (status == BG_OK) {
        publish_group(out, &fit, options);
    }
    group_fit_deinit(&fit);
    return status;
}

enum bg_status rating_fit(struct rating_fit *out, int players, const struct rating_row *rows,
                          size_t row_count, const struct rating_options *options,
                          struct bg_error *err)
{
    enum bg_status status = check_rows(players, rows, row_count, options, err);
    size_t n = (size_t)players;
    bool *strong = NULL;

    *out = (struct rating_fit){.players = players};
    if (status != BG_OK) {
        return status;
    }
    out->player = memory_zeroed(n, sizeof *out->player);
    out->los = memory_zeroed(n * n, sizeof *out->los);
    for (size_t i = 0; i < n * n; i++) {
        out->los[i] = NAN;
    }
    count_rows(out, rows, row_count);
    find_groups(out, &strong, rows, row_count);
    for (int g = 0; status == BG_OK && g < out->groups; g++) {
        status = fit_group(out, g, strong[g], rows, row_count, options, err);
    }
    free(strong);
    if (status != BG_OK) {
        rating_fit_deinit(out);
    }
    return status;
}

void rating_fit_deinit(struct rating_fit *fit)
{
    free(fit->player);
    free(fit->los);
    *fit = (struct rating_fit){0};
}

/* Wins expected at this rating minus wins scored; increases with the rating. */
static double performance_gap(double rating, const struct rating_opponent *opponents, size_t count)
{
    double gap = 0;

    for (size_t j = 0; j < count; j++) {
        const struct rating_opponent *o = &opponents[j];

        gap +=
            (o->wins + o->losses) * rating_expected(rating - o->rating, o->length_points) - o->wins;
    }
    return gap;
}

double rating_performance(const struct rating_opponent *opponents, size_t count)
{
    double wins = 0, losses = 0, low = INFINITY, high = -INFINITY, reach = 1000;

    for (size_t j = 0; j < count; j++) {
        wins += opponents[j].wins;
        losses += opponents[j].losses;
        low = fmin(low, opponents[j].rating);
        high = fmax(high, opponents[j].rating);
    }
    if (wins <= 0 || losses <= 0) {
        return NAN;
    }
    while (performance_gap(low - reach, opponents, count) > 0 ||
           performance_gap(high + reach, opponents, count) < 0) {
        reach *= 2;
    }
    low -= reach;
    high += reach;
    for (int i = 0; i < 200 && high - low > 1e-9; i++) {
        double middle = low + (high - low) / 2;

        if (performance_gap(middle, opponents, count) > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low + (high - low) / 2;
}

/* Adds one row to the check of its length: wins of the stronger side above expectation. */
static void add_length_check(struct rating_length_check *check, double *variance,
                             const struct rating_fit *fit, const struct rating_row *row)
{
    double difference = fit->player[row->a].rating - fit->player[row->b].rating;
    double n = rating_row_matches(row), p = rating_expected(fabs(difference), row->length_points);

    check->matches += n;
    check->deviation += (difference >= 0 ? row->wins_a : row->wins_b) - n * p;
    *variance += n * p * (1 - p);
}

size_t rating_check_lengths(struct rating_length_check *out, size_t room,
                            const struct rating_fit *fit, const struct rating_row *rows,
                            size_t row_count)
{
    double last = 0;
    size_t lengths = 0;

    for (;;) {
        double next = INFINITY, variance = 0;
        struct rating_length_check check = {0};

        for (size_t k = 0; k < row_count; k++) {
            next = rows[k].length_points > last ? fmin(next, rows[k].length_points) : next;
        }
        if (isinf(next)) {
            return lengths;
        }
        for (size_t k = 0; k < row_count; k++) {
            if (rows[k].length_points == next && rating_row_matches(&rows[k]) > 0 &&
                !isnan(fit->player[rows[k].a].rating)) {
                add_length_check(&check, &variance, fit, &rows[k]);
            }
        }
        check.length_points = last = next;
        check.deviation = variance > 0 ? check.deviation / sqrt(variance) : NAN;
        if (lengths < room) {
            out[lengths] = check;
        }
        lengths++;
    }
}

/* ------------------------------------------------------------------ FIBS */

/* The formula of the server, in its order: both changes come from the ratings before the match,
 * and experience counts only afterwards. */

struct fibs_player fibs_newcomer(const struct fibs_options *options)
{
    return (struct fibs_player){options->start, 0};
}

static double fibs_factor(const struct fibs_player *player, const struct fibs_options *options)
{
    return fmax(1, options->ramp_top - player->experience / options->ramp_slope);
}

void fibs_match(struct fibs_player *winner, struct fibs_player *loser, double length_points,
                const struct fibs_options *options)
{
    double loser_chance = rating_expected(loser->rating - winner->rating, length_points);
    double change = 4 * sqrt(length_points) * loser_chance;

    winner->rating += fibs_factor(winner, options) * change;
    loser->rating -= fibs_factor(loser, options) * change;
    winner->experience += length_points;
    loser->experience += length_points;
}
