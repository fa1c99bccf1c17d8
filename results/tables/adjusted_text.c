/* Text and JSON of the luck-adjusted ratings stand together because they must show the same
 * numbers: a mean of chances is shown within 0 to 1 (luck_mean_shown), and only JSON has the
 * computed one beside it. */
#include "adjusted_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "document/json_value.h"
#include "page.h"
#include "standing.h"
#include "base/plural.h"

enum { CROSS_BOTS = 10 }; /* widest crosstable, which takes 100 columns */

static bool is_money(const struct adjusted *adjusted)
{
    return adjusted->sums->unit == LUCK_POINTS;
}

static void rating_cells(FILE *out, const struct adjusted *adjusted, int i)
{
    const struct quasi_bot *bot = &adjusted->bot[i];
    char bound[32];

    if (is_money(adjusted)) {
        page_signed(out, 11, 4, bot->rating);
        page_number(out, 9, 4, bot->bar);
        /* A mean outside of 0 to 1 has no finite rating; what the data show is a bound, printed
         * over both columns. */
    } else if (bot->side != 0) {
        snprintf(bound, sizeof bound, "%s %.0f", bot->side > 0 ? ">=" : "<=", bot->bound);
        fprintf(out, "%11s%9s", bound, "");
    } else {
        page_number(out, 11, 0, bot->rating);
        page_number(out, 9, 0, bot->bar);
    }
}

static void mean_cell(FILE *out, const struct adjusted *adjusted, double mean)
{
    if (is_money(adjusted)) {
        page_signed(out, 9, 3, mean);
    } else {
        page_number(out, 9, 3, mean);
    }
}

/* Prints the error rates over all decisions; "-" if they are not judged. */
static void error_cells(FILE *out, const struct judged_bot *bot)
{
    struct errors_sum all = {0};
    struct errors_sum other = {.moves = bot->opponent_moves};
    struct errors_rates rates;

    for (int kind = 0; kind < JUDGED_KINDS; kind++) {
        all.counted += bot->sum[kind].counted;
        all.error += bot->sum[kind].error;
        all.moves += bot->sum[kind].moves;
    }
    rates = errors_rates_of(&all, &other);
    page_number(out, 8, 2, rates.pr);
}

static void adjusted_rows(FILE *out, const struct adjusted *adjusted, const int *order)
{
    const struct judged_sums *sums = adjusted->sums;

    fprintf(out, "%-16s %10s %8s %9s %8s %8s %8s%s%s\n", "bot",
            is_money(adjusted) ? "rating" : "FIBS", "±95 %", is_money(adjusted) ? "ppg" : "MWC",
            "SE", "plain", is_money(adjusted) ? "games" : "matches",
            sums->choices ? "      PR" : "", adjusted->groups > 1 ? "  group" : "");
    for (int k = 0; k < sums->bots; k++) {
        const struct luck_summary *luck = &sums->bot[order[k]].luck;
        struct luck_mean shown = luck_mean_shown(&luck->adjusted, sums->unit);

        page_name(out, 16, judged_sums_shown(sums, order[k]));
        rating_cells(out, adjusted, order[k]);
        mean_cell(out, adjusted, shown.mean);
        page_number(out, 9, 4, shown.se);
        mean_cell(out, adjusted, luck_mean_shown(&luck->plain, sums->unit).mean);
        page_number(out, 9, 0, luck->results);
        if (sums->choices) {
            error_cells(out, &sums->bot[order[k]]);
        }
        if (adjusted->groups > 1) {
            int group = adjusted->bot[order[k]].group;

            page_number(out, 7, 0, group < 0 ? (double)NAN : (double)group + 1);
        }
        fputc('\n', out);
    }
}

static void crosstable(FILE *out, const struct adjusted *adjusted, const int *order)
{
    const struct judged_sums *sums = adjusted->sums;

    fprintf(out, "\n%-16s", "row against");
    for (int k = 0; k < sums->bots; k++) {
        fprintf(out, " %7d", k + 1);
    }
    fputc('\n', out);
    for (int k = 0; k < sums->bots; k++) {
        fprintf(out, "%2d ", k + 1);
        page_name(out, 13, judged_sums_shown(sums, order[k]));
        for (int m = 0; m < sums->bots; m++) {
            bool flip;
            const struct judged_encounter *e =
                m == k ? NULL : judged_sums_encounter(sums, order[k], order[m], &flip);
            double shown = e == NULL ? NAN : luck_mean_shown(&e->luck.adjusted, sums->unit).mean;
            double mean = e != NULL && flip ? luck_other_side(sums->unit, shown) : shown;

            if (is_money(adjusted)) {
                page_signed(out, 8, 3, mean);
            } else {
                page_number(out, 8, 3, mean);
            }
        }
        fputc('\n', out);
    }
}

void adjusted_text(FILE *out, const struct adjusted *adjusted, uint64_t games)
{
    const struct judged_sums *sums = adjusted->sums;
    int *order = memory_zeroed((size_t)sums->bots, sizeof *order);

    adjusted_order(order, adjusted);
    fprintf(out, "\nLUCK-ADJUSTED by %s, %" PRIu64 " of %" PRIu64 " %s judged\n", sums->judge,
            sums->games, games, plural(games, "game", "games"));
    adjusted_rows(out, adjusted, order);
    if (sums->bots > 2 && sums->bots <= CROSS_BOTS) {
        crosstable(out, adjusted, order);
    }
    page_wrap(out, 2,
              is_money(adjusted)
                  ? "* Results minus luck, in points a game: least squares over all encounters, 0 "
                    "on average. Ranks do not use it."
                  : "* Results minus luck: FIBS points that fit the adjusted sums of all "
                    "encounters (quasi-likelihood, errors from the spread of the pairs), with the "
                    "anchor of the plain ratings (the mean); MWC: adjusted match-winning "
                    "chance, shown within 0 to 1. An encounter whose mean is outside gives a "
                    "one-sided 95 %% bound. Ranks do not use it.");
    free(order);
}

enum bg_status adjusted_print(FILE *out, const struct judged_sums *sums, uint64_t games,
                              struct bg_error *err)
{
    struct adjusted adjusted;
    enum bg_status status = adjusted_of(&adjusted, sums, NULL, err);

    if (status == BG_OK) {
        adjusted_text(out, &adjusted, games);
        adjusted_deinit(&adjusted);
    }
    return status;
}

/* Sets a luck-adjusted mean and its data: the printed value, and the computed one, which can lie
 * outside the range of probabilities. */
static void set_mean(json_t *out, double shown, double computed, double se, double legs)
{
    json_object_set_new(out, "adjusted", json_of(shown));
    json_object_set_new(out, "adjusted_unclipped", json_of(computed));
    json_object_set_new(out, "adjusted_se", json_of(se));
    json_object_set_new(out, "judged_legs", json_of_count(legs));
}

static json_t *rating_json(const struct adjusted *adjusted, int i)
{
    const struct quasi_bot *bot = &adjusted->bot[i];
    const struct luck_summary *luck = &adjusted->sums->bot[i].luck;
    json_t *out = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:s?, s:o}", "bot", adjusted->sums->bot[i].name, "rating",
        json_of(bot->rating), "rating_se", json_of(bot->se), "rating_bar", json_of(bot->bar),
        "bound", json_of(bot->bound), "bound_side",
        bot->side == 0 ? NULL : adjusted_side_name(bot->side), "group", json_of_group(bot->group));

    set_mean(out, luck_mean_shown(&luck->adjusted, adjusted->sums->unit).mean, luck->adjusted.mean,
             luck->adjusted.se, luck->results);
    return out;
}

/* From the view of the bot that was entered first. Encounters are stored with the names in byte
 * order; people expect the order in which the event names its bots. */
static json_t *encounter_json(const struct judged_sums *sums,
                              const struct judged_encounter *encounter)
{
    const struct luck_mean *mean = &encounter->luck.adjusted;
    bool flip = encounter->a > encounter->b;
    int bot = flip ? encounter->b : encounter->a, opponent = flip ? encounter->a : encounter->b;
    double shown = luck_mean_shown(mean, sums->unit).mean;
    json_t *out =
        json_pack("{s:s, s:s}", "bot", sums->bot[bot].name, "opponent", sums->bot[opponent].name);

    set_mean(out, flip ? luck_other_side(sums->unit, shown) : shown,
             flip ? luck_other_side(sums->unit, mean->mean) : mean->mean, mean->se,
             encounter->luck.results);
    return out;
}

json_t *adjusted_json(const struct adjusted *adjusted)
{
    const struct judged_sums *sums = adjusted->sums;
    json_t *ratings = json_array(), *encounters = json_array();

    for (int i = 0; i < sums->bots; i++) {
        json_array_append_new(ratings, rating_json(adjusted, i));
    }
    for (int e = 0; e < sums->encounters; e++) {
        const struct judged_encounter *encounter = &sums->encounter[e];

        json_array_append_new(encounters, encounter_json(sums, encounter));
    }
    return json_pack("{s:s?, s:s, s:I, s:o, s:o}", "judge", sums->judge, "unit",
                     is_money(adjusted) ? "points per game" : "FIBS points", "judged_games",
                     (json_int_t)sums->games, "ratings", ratings, "encounters", encounters);
}
