#include "adjusted.h"

#include <math.h>
#include <stdlib.h>

#include <base/memory.h>
#include <numbers/strength.h>

/* Sums over the clusters of an encounter; results of one cluster are adjacent. */
static struct quasi_encounter sums_of(const struct judged_encounter *encounter)
{
    struct quasi_encounter out = {.a = encounter->a, .b = encounter->b};
    double d = 0, n = 0;

    for (size_t i = 0; i < encounter->results; i++) {
        const struct luck_result *result = &encounter->result[i];

        d += result->result - result->luck;
        n++;
        if (i + 1 == encounter->results || result[1].cluster != result->cluster) {
            out.clusters++;
            out.matches += n;
            out.sum += d;
            out.dd += d * d;
            out.dn += d * n;
            out.nn += n * n;
            d = n = 0;
        }
    }
    return out;
}

static enum bg_status rate_money(struct adjusted *out, const struct quasi_encounter *encounter,
                                 size_t count, struct bg_error *err)
{
    struct strength_money *money = memory_zeroed(count, sizeof *money);
    struct strength strength = {0};
    enum bg_status status;

    for (size_t k = 0; k < count; k++) {
        const struct quasi_encounter *e = &encounter[k];

        money[k] = (struct strength_money){e->a,   e->b,  e->clusters, e->matches,
                                           e->sum, e->dd, e->dn,       e->nn};
    }
    status = strength_of_money(&strength, out->sums->bots, money, count, err);
    for (int i = 0; status == BG_OK && i < out->sums->bots; i++) {
        const struct strength_bot *bot = &strength.bot[i];

        out->bot[i] = (struct quasi_bot){bot->rating, bot->se, bot->bar, NAN, 0, bot->group};
    }
    strength_deinit(&strength);
    free(money);
    return status;
}

/* Finds each bot's share in the mean of the plain ratings of the judged matches. */
static enum bg_status find_weights(double *weight, const struct judged_sums *sums,
                                   struct bg_error *err)
{
    const struct rating_options options = RATING_OPTIONS_INIT;
    struct rating_row *row = memory_zeroed((size_t)sums->encounters, sizeof *row);
    struct strength strength = {0};
    enum bg_status status;

    for (int e = 0; e < sums->encounters; e++) {
        const struct judged_encounter *encounter = &sums->encounter[e];

        row[e] = (struct rating_row){
            .a = encounter->a, .b = encounter->b, .length_points = sums->length_points};
        for (size_t i = 0; i < encounter->results; i++) {
            row[e].wins_a += encounter->result[i].result;
            row[e].wins_b += 1 - encounter->result[i].result;
        }
    }
    status =
        strength_of_matches(&strength, sums->bots, row, (size_t)sums->encounters, &options, err);
    for (int i = 0; status == BG_OK && i < sums->bots; i++) {
        weight[i] = strength.bot[i].anchor_weight;
    }
    strength_deinit(&strength);
    free(row);
    /* too lopsided for plain ratings: take the plain mean */
    return status == BG_E_MISMATCH ? BG_OK : status;
}

static enum bg_status rate_matches(struct adjusted *out, const struct quasi_encounter *encounter,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err)
{
    double *weight = memory_zeroed((size_t)out->sums->bots, sizeof *weight);
    struct quasi_options settings = {.length_points = out->sums->length_points,
                                     .anchor = options == NULL ? -1 : options->anchor,
                                     .anchor_rating =
                                         options == NULL ? RATING_START : options->anchor_rating,
                                     .weight = weight};
    enum bg_status status = find_weights(weight, out->sums, err);

    if (status == BG_OK) {
        status = quasi_fit(out->bot, out->sums->bots, encounter, count, &settings, err);
    }
    free(weight);
    return status;
}

enum bg_status adjusted_of(struct adjusted *out, const struct judged_sums *sums,
                           const struct rating_options *options, struct bg_error *err)
{
    struct quasi_encounter *encounter = memory_zeroed((size_t)sums->encounters, sizeof *encounter);
    size_t count = 0;
    enum bg_status status;

    *out =
        (struct adjusted){.sums = sums, .bot = memory_zeroed((size_t)sums->bots, sizeof *out->bot)};
    for (int e = 0; e < sums->encounters; e++) {
        if (sums->encounter[e].results > 0) {
            encounter[count++] = sums_of(&sums->encounter[e]);
        }
    }
    status = sums->unit == LUCK_POINTS ? rate_money(out, encounter, count, err)
                                       : rate_matches(out, encounter, count, options, err);
    for (int i = 0; status == BG_OK && i < sums->bots; i++) {
        out->groups = out->bot[i].group >= out->groups ? out->bot[i].group + 1 : out->groups;
    }
    free(encounter);
    if (status != BG_OK) {
        adjusted_deinit(out);
    }
    return status;
}

const char *adjusted_side_name(int side)
{
    return side > 0 ? "lower" : "upper";
}

void adjusted_deinit(struct adjusted *adjusted)
{
    free(adjusted->bot);
    *adjusted = (struct adjusted){0};
}

/* Returns a bot's sort key in the table: its rating, or its bound, behind its group. */
static double key_of(const struct quasi_bot *bot)
{
    double rating = isnan(bot->rating) ? bot->bound : bot->rating;

    return isnan(rating) ? -INFINITY : rating - 1e6 * (bot->group < 0 ? 0 : bot->group);
}

void adjusted_order(int *order, const struct adjusted *adjusted)
{
    for (int i = 0; i < adjusted->sums->bots; i++) {
        int at = i;

        /* By insertion: bots with equal keys keep their order, which qsort does not promise. */
        while (at > 0 && key_of(&adjusted->bot[order[at - 1]]) < key_of(&adjusted->bot[i])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}
