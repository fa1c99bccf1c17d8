#include "strength.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrasts.h"
#include "draw.h"
#include "student.h"

enum { BEST_DRAWS = 10000, BEST_BOTS = 60 /* with more bots the chances are not computed */ };

static const double HOLM_LEVEL = 0.05;

enum bg_status strength_create(struct strength *out, int bots, struct bg_error *err)
{
    size_t n = (size_t)bots;

    *out = (struct strength){.bots = bots,
                             .bot = calloc(n + 1, sizeof *out->bot),
                             .los = calloc(n * n + 1, sizeof *out->los),
                             .established = calloc(n * n + 1, sizeof *out->established),
                             .design_effect = NAN,
                             .pair_sd = NAN,
                             .df = NAN,
                             .chi2_p = NAN};
    if (out->bot == NULL || out->los == NULL || out->established == NULL) {
        strength_deinit(out);
        return bg_error_set(err, BG_E_MEMORY, "ratings of %d bots", bots);
    }
    for (size_t i = 0; i < n; i++) {
        out->bot[i] = (struct strength_bot){.rating = NAN,
                                            .se = NAN,
                                            .df = NAN,
                                            .bar = NAN,
                                            .low = NAN,
                                            .high = NAN,
                                            .bound = NAN,
                                            .group = -1,
                                            .component = -1,
                                            .flag = RATING_UNPLAYED,
                                            .expected_wins = NAN,
                                            .best = NAN};
    }
    for (size_t i = 0; i < n * n; i++) {
        out->los[i] = NAN;
    }
    return BG_OK;
}

void strength_deinit(struct strength *strength)
{
    free(strength->bot);
    free(strength->los);
    free(strength->established);
    *strength = (struct strength){0};
}

/* One hypothesis in Holm's procedure: two bots are equal. */
struct claim {
    double p; /* two-sided */
    int better, worse;
};

static int compare_claims(const void *x, const void *y)
{
    const struct claim *a = x, *b = y;

    return (a->p > b->p) - (a->p < b->p);
}

static void claim_ranks(struct strength *out)
{
    int n = out->bots, played = 0;

    for (int i = 0; i < n; i++) {
        played += out->bot[i].group >= 0;
    }
    for (int i = 0; i < n; i++) {
        struct strength_bot *bot = &out->bot[i];

        if (bot->group < 0) {
            continue;
        }
        bot->rank_low = 1;
        bot->rank_high = played;
        for (int j = 0; j < n; j++) {
            bot->rank_low += out->established[(size_t)j * (size_t)n + (size_t)i];
            bot->rank_high -= out->established[(size_t)i * (size_t)n + (size_t)j];
        }
    }
}

enum bg_status strength_claim(struct strength *strength, struct bg_error *err)
{
    size_t n = (size_t)strength->bots, count = 0, pairs = n * (n - (n > 0)) / 2;
    struct claim *claim = calloc(pairs + 1, sizeof *claim);

    if (claim == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "claims about %d bots", strength->bots);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double los = strength->los[i * n + j];
            bool first = los >= 0.5;

            if (!isnan(los)) {
                claim[count++] = (struct claim){2 * (first ? 1 - los : los), (int)(first ? i : j),
                                                (int)(first ? j : i)};
            }
        }
    }
    qsort(claim, count, sizeof *claim, compare_claims);
    for (size_t k = 0; k < count && claim[k].p <= HOLM_LEVEL / (double)(count - k); k++) {
        strength->established[(size_t)claim[k].better * n + (size_t)claim[k].worse] = true;
    }
    free(claim);
    claim_ranks(strength);
    return BG_OK;
}

/* Computes Cholesky's lower factor of the variance plus a constant in every element, which shifts
 * all nodes alike. */
static bool factor(double *lower, const struct contrasts *contrasts)
{
    size_t n = (size_t)contrasts->nodes;
    double lift = 0;

    for (size_t i = 0; i < n; i++) {
        lift += contrasts->variance[i * n + i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = contrasts->variance[i * n + j] + lift;

            for (size_t k = 0; k < j; k++) {
                sum -= lower[i * n + k] * lower[j * n + k];
            }
            if (i == j && !(sum > 0)) {
                return false;
            }
            lower[i * n + j] = i == j ? sqrt(sum) : sum / lower[j * n + j];
        }
    }
    return true;
}

enum bg_status strength_best(struct strength *strength, const struct contrasts *contrasts,
                             const int *member, struct bg_error *err)
{
    size_t n = (size_t)contrasts->nodes;
    double *lower = calloc(n * n + 1, sizeof *lower), *normal = calloc(n + 1, sizeof *normal);
    double *wide = calloc(n + 1, sizeof *wide);
    struct draw draw = DRAW_INIT(1);

    if (lower == NULL || normal == NULL || wide == NULL) {
        free(lower);
        free(normal);
        free(wide);
        return bg_error_set(err, BG_E_MEMORY, "chances of %zu bots", n);
    }
    if (n >= 2 && n <= BEST_BOTS && factor(lower, contrasts)) {
        for (size_t i = 0; i < n; i++) {
            strength->bot[member[i]].best = 0;
            /* wider tails if the variance itself is not well known */
            wide[i] = student_t95(contrasts->df[i]) / STAT_Z95;
        }
        for (int round = 0; round < BEST_DRAWS; round++) {
            size_t best = 0;
            double most = -INFINITY;

            for (size_t i = 0; i < n; i++) {
                normal[i] = draw_normal(&draw);
            }
            for (size_t i = 0; i < n; i++) {
                double value = 0;

                for (size_t k = 0; k <= i; k++) {
                    value += lower[i * n + k] * normal[k];
                }
                value = strength->bot[member[i]].rating + value * wide[i];
                if (value > most) {
                    most = value;
                    best = i;
                }
            }
            strength->bot[member[best]].best += 1.0 / BEST_DRAWS;
        }
    }
    free(lower);
    free(normal);
    free(wide);
    return BG_OK;
}
