/* Strengths come as a mixture of normal curves, one for each part of the field's posterior:
 * bars, LOS and the chance to be the best are all taken from this mixture, so that they cannot
 * contradict each other. */
#include "strength.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "field.h"
#include "linear.h"
#include "significance.h"

enum {
    SQUARE = 64,
    BEST_DRAWS = 10000,
    BEST_BOTS = 60 /* with more bots the chances are not computed */
};

static const double HOLM_LEVEL = 0.05;
/* With it a test at 5 % and 5 % of two equals ends with an established order in at most one event
 * in twenty (tools/campaign-coverage), and with the former in one of fifteen. */
static const double HOLM_LEVEL_STOPPED = 0.025;
static const double EQUAL = 1e-9; /* strengths that differ by less are equal */

double strength_own_share(double own_df)
{
    return own_df > 0 ? own_df / (own_df + STRENGTH_OWN) : 0;
}

void strength_create(struct strength *out, int bots)
{
    size_t n = (size_t)bots;

    *out = (struct strength){.bots = bots,
                             .bot = memory_zeroed(n, sizeof *out->bot),
                             .los = memory_zeroed(n * n, sizeof *out->los),
                             .established = memory_zeroed(n * n, sizeof *out->established),
                             .design_effect = NAN,
                             .pair_sd = NAN,
                             .df = NAN,
                             .chi2_p = NAN};
    for (size_t i = 0; i < n; i++) {
        out->bot[i] = (struct strength_bot){.rating = NAN,
                                            .se = NAN,
                                            .df = NAN,
                                            .bar = NAN,
                                            .low = NAN,
                                            .high = NAN,
                                            .group = -1,
                                            .flag = RATING_UNPLAYED,
                                            .expected_wins = NAN,
                                            .best = NAN};
    }
    for (size_t i = 0; i < n * n; i++) {
        out->los[i] = NAN;
    }
}

void strength_deinit(struct strength *strength)
{
    free(strength->bot);
    free(strength->los);
    free(strength->established);
    *strength = (struct strength){0};
}

/* Fills in a group's ratings; their errors need the variance. Returns through weight the share of
 * each bot in the mean that is the anchor. */
static void place_group(struct strength *out, const struct field *field, const int *member,
                        const struct strength_scale *scale)
{
    double sum = 0, mean = 0;

    for (int i = 0; i < field->nodes; i++) {
        sum += field->information[i];
    }
    for (int i = 0; i < field->nodes; i++) {
        if (member[i] == scale->anchor) {
            mean = field->strength[i];
            sum = -1;
        }
    }
    for (int i = 0; i < field->nodes; i++) {
        out->bot[member[i]].anchor_weight =
            sum < 0 ? member[i] == scale->anchor : field->information[i] / sum;
        mean += sum < 0 ? 0 : field->information[i] / sum * field->strength[i];
    }
    for (int i = 0; i < field->nodes; i++) {
        out->bot[member[i]].rating =
            scale->anchor_rating + scale->unit * (field->strength[i] - mean);
    }
}

static struct mixture mixture_of(const struct strength *strength, const struct field *field,
                                 double t)
{
    return (struct mixture){
        .parts = field->parts, .share = field->share, .df = strength->df, .t = t};
}

/* Fills in a part of each node's strength against the anchor. with: space for [nodes]. */
static void against_anchor(struct mixture *of, double *with, const struct strength *out,
                           const struct field *field, const int *member, double unit, int g)
{
    size_t n = (size_t)field->nodes;
    const double *at = field->at + (size_t)g * n, *v = field->variance + (size_t)g * n * n;
    double cov[FIELD_GRID_NODES], of_anchor = 0, mean = 0;

    for (size_t i = 0; i < n; i++) {
        with[i] = 0;
        for (size_t j = 0; j < n; j++) {
            with[i] += v[i * n + j] * out->bot[member[j]].anchor_weight;
        }
        of_anchor += with[i] * out->bot[member[i]].anchor_weight;
        mean += at[i] * out->bot[member[i]].anchor_weight;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n && n <= FIELD_GRID_NODES; j++) {
            cov[j] = v[i * n + j] - with[j];
        }
        field_part(
            &of[i], field, g,
            &(struct field_sum){at[i] - mean, v[i * n + i] - 2 * with[i] + of_anchor, unit, cov});
    }
}

void strength_publish(struct strength *out, const struct field *field, const int *member,
                      const struct strength_scale *scale)
{
    size_t n = (size_t)field->nodes;
    double t = student_t95(out->df), *with = NULL;
    struct mixture *of = NULL;

    place_group(out, field, member, scale);
    if (field->variance == NULL) {
        return;
    }
    with = memory_zeroed(n, sizeof *with);
    of = memory_zeroed(n, sizeof *of);
    for (size_t i = 0; i < n; i++) {
        of[i] = mixture_of(out, field, t);
    }
    for (int g = 0; g < field->parts; g++) {
        against_anchor(of, with, out, field, member, scale->unit, g);
    }
    for (size_t i = 0; i < n; i++) {
        struct strength_bot *bot = &out->bot[member[i]];
        double middle = mixture_mean(&of[i]), low = 0, high = 0;

        bot->df = out->df;
        bot->se = member[i] == scale->anchor ? 0 : mixture_sd(&of[i]);
        if (bot->se > 0) {
            low = mixture_end(&of[i], false) - middle;
            high = mixture_end(&of[i], true) - middle;
        }
        bot->bar = (high - low) / 2;
        /* Without a win there is no least strength that the results exclude; the number is the
         * prior's. */
        bot->low = bot->flag == RATING_WINLESS ? (double)NAN : bot->rating + low;
        bot->high = bot->flag == RATING_UNBEATEN ? (double)NAN : bot->rating + high;
    }
    free(of);
    free(with);
}

/* Computes LOS of two bots of a group, in both directions. */
static void compare_bots(struct strength *strength, const struct field *field, const int *member,
                         size_t i, size_t j)
{
    size_t n = (size_t)strength->bots, nodes = (size_t)field->nodes;
    size_t a = (size_t)member[i], b = (size_t)member[j];
    /* The tail is taken on the side of the weaker: near 1 the difference from 1 would have lost
     * its digits. */
    bool flip = field->strength[i] < field->strength[j];
    struct mixture of = mixture_of(strength, field, NAN);
    double cov[FIELD_GRID_NODES], tail = 0;

    for (int g = 0; g < field->parts; g++) {
        const double *at = field->at + (size_t)g * nodes,
                     *v = field->variance + (size_t)g * nodes * nodes;
        double apart = at[i] - at[j];

        for (size_t k = 0; k < nodes && nodes <= FIELD_GRID_NODES; k++) {
            cov[k] = v[i * nodes + k] - v[j * nodes + k];
        }
        field_part(&of, field, g,
                   &(struct field_sum){fabs(apart) < EQUAL ? 0 : apart,
                                       v[i * nodes + i] + v[j * nodes + j] - 2 * v[i * nodes + j],
                                       1, cov});
        if (flip) {
            of.mean[g] = -of.mean[g];
            of.skew[g] = -of.skew[g];
        }
    }
    tail = mixture_cdf(&of, 0);
    strength->los[a * n + b] = flip ? tail : 1 - tail;
    strength->los[b * n + a] = flip ? 1 - tail : tail;
}

static void compare_all(struct strength *strength, const struct field *field, const int *member)
{
    size_t n = (size_t)field->nodes;

    for (size_t i = 0; i < n; i++) {
        strength->los[(size_t)member[i] * (size_t)strength->bots + (size_t)member[i]] = 0.5;
    }
    for (size_t top = 0; top < n; top += SQUARE) { /* both directions stay in the cache */
        for (size_t left = 0; left <= top; left += SQUARE) {
            for (size_t i = top; i < top + SQUARE && i < n; i++) {
                for (size_t j = left; j < left + SQUARE && j < i; j++) {
                    compare_bots(strength, field, member, i, j);
                }
            }
        }
    }
}

/* Two-sided p-value of "both are equal"; NaN without LOS. */
static double p_of(double los)
{
    return 2 * (los >= 0.5 ? 1 - los : los);
}

/* Keeps the values up to the limit. Returns how many. */
static size_t keep_up_to(double *value, size_t count, double limit)
{
    size_t kept = 0;

    for (size_t k = 0; k < count; k++) {
        value[kept] = value[k];
        kept += value[k] <= limit ? 1 : 0;
    }
    return kept;
}

/* Holm's procedure rejects the hypotheses with p-values up to the returned limit; -1: none. small:
 * the p-values up to the level, which are reordered. Of half a million values most are below the
 * first limit or above the last possible one, so that few have to be sorted. */
static double holm_limit(double *small, size_t count, size_t tested, double level)
{
    double first = level / (double)tested, limit = -1;
    size_t rejected = 0, open = 0;

    for (int round = 0; round < 3; round++) { /* at most `count` are rejected */
        count = keep_up_to(small, count, count < tested ? level / (double)(tested - count) : level);
    }
    for (size_t k = 0; k < count; k++) {
        if (small[k] <= first) {
            rejected++;
            limit = first;
        } else {
            small[open++] = small[k];
        }
    }
    qsort(small, open, sizeof *small, draw_by_size);
    for (size_t k = 0; k < open && small[k] <= level / (double)(tested - rejected - k); k++) {
        limit = small[k];
    }
    return limit;
}

static void claim_ranks(struct strength *out)
{
    size_t n = (size_t)out->bots;
    int played = 0;

    for (size_t i = 0; i < n; i++) {
        played += out->bot[i].group >= 0;
    }
    for (size_t i = 0; i < n; i++) {
        out->bot[i].rank_low = out->bot[i].group >= 0;
        out->bot[i].rank_high = out->bot[i].group < 0 ? 0 : played;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (out->established[i * n + j]) {
                out->bot[j].rank_low++;
                out->bot[i].rank_high--;
            }
        }
    }
}

static void claim(struct strength *strength, double level)
{
    size_t n = (size_t)strength->bots, count = 0, tested = 0, pairs = n * (n - (n > 0)) / 2;
    double *small = memory_zeroed(pairs, sizeof *small), limit = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double p = p_of(strength->los[i * n + j]);

            tested += isnan(p) ? 0 : 1;
            small[count] = p;
            count += p <= level ? 1 : 0;
        }
    }
    limit = holm_limit(small, count, tested, level);
    free(small);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double los = strength->los[i * n + j];

            strength->established[i * n + j] = p_of(los) <= limit && los >= 0.5;
            strength->established[j * n + i] = p_of(los) <= limit && los < 0.5;
        }
    }
    claim_ranks(strength);
}

void strength_claim(struct strength *strength)
{
    claim(strength, HOLM_LEVEL);
}

void strength_allow_stop(struct strength *strength)
{
    claim(strength, HOLM_LEVEL_STOPPED);
}

/* Computes the factor of a part's variance plus a constant in every element, which shifts all nodes
 * alike. */
static bool factor(double *upper, const double *variance, size_t n)
{
    double lift = 0;

    for (size_t i = 0; i < n; i++) {
        lift += variance[i * n + i] / (double)n;
    }
    for (size_t i = 0; i < n * n; i++) {
        upper[i] = variance[i] + lift;
    }
    return cholesky_factor(upper, (int)n);
}

/* Draws the strengths of all nodes. Returns the strongest. */
static size_t draw_best(double *normal, const double *upper, const double *at, size_t n,
                        double wide, struct draw *draw)
{
    size_t best = 0;
    double most = -INFINITY;

    for (size_t i = 0; i < n; i++) {
        normal[i] = draw_normal(draw);
    }
    for (size_t i = 0; i < n; i++) {
        double value = 0;

        for (size_t k = 0; k <= i; k++) {
            value += upper[k * n + i] * normal[k];
        }
        value = at[i] + value * wide;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

static void find_best(struct strength *strength, const struct field *field, const int *member)
{
    size_t n = (size_t)field->nodes;
    double *upper = memory_zeroed(n * n, sizeof *upper), *normal = memory_zeroed(n, sizeof *normal);
    /* wider tails if the variance itself is not well known */
    double wide = student_t95(strength->df) / STAT_Z95, due = 0;
    /* The same draws each time: the same results give the same table. */
    struct draw draw = DRAW_INIT(1);
    int draws = 0;

    for (size_t i = 0; i < n; i++) {
        strength->bot[member[i]].best = 0;
    }
    for (int g = 0; g < field->parts; g++) {
        due += field->share[g] * BEST_DRAWS;
        if (draws < due - 0.5 && !factor(upper, field->variance + (size_t)g * n * n, n)) {
            due = draws; /* cannot happen, as a prior is in it */
        }
        for (; draws < due - 0.5; draws++) {
            size_t best = draw_best(normal, upper, field->at + (size_t)g * n, n, wide, &draw);

            strength->bot[member[best]].best += 1.0 / BEST_DRAWS;
        }
    }
    free(upper);
    free(normal);
}

void strength_compare(struct strength *strength, const struct field *field, const int *member)
{
    compare_all(strength, field, member);
    if (strength->groups == 1 && field->nodes >= 2 && field->nodes <= BEST_BOTS) {
        find_best(strength, field, member);
    }
}
