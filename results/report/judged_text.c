#include "judged.h"

#include <math.h>

#include "page.h"

enum { SMALL_SAMPLE = 30 }; /* fewer results say nothing about spreads */

static const char *unit_of(const struct judged *judged)
{
    return judged->length_points == 0 ? "ppg" : "MWC a match";
}

static void mean_number(FILE *out, double x, bool is_signed)
{
    if (is_signed) {
        page_signed(out, 0, 4, x);
    } else {
        page_number(out, 0, 4, x);
    }
}

static void mean_line(FILE *out, const char *head, const struct luck_mean *mean, const char *unit,
                      bool is_signed)
{
    fprintf(out, "%s", head);
    mean_number(out, mean->mean, is_signed);
    fprintf(out, " %s   SE ", unit);
    page_number(out, 0, 4, mean->se);
    fprintf(out, "   95 %% ");
    mean_number(out, mean->ci[0], is_signed);
    fprintf(out, " to ");
    mean_number(out, mean->ci[1], is_signed);
    if (isfinite(mean->los)) {
        fprintf(out, "   LOS %.1f %%", 100 * mean->los);
    }
    fputc('\n', out);
}

/* What is wrong with the set, in words; nothing when it is healthy. */
static void health_notes(FILE *out, const struct luck_summary *luck)
{
    unsigned health = luck_health_of(luck);

    if ((health & LUCK_ROLLS_BIASED) != 0) {
        page_wrap(out, 2,
                  "! Mean luck a roll is more than 3 SE from 0: dice, weights or bookkeeping are "
                  "wrong.");
    }
    if ((health & LUCK_RESULTS_APART) != 0) {
        page_wrap(out, 2,
                  "! Luck-adjusted and plain result are more than 3 SE of their difference apart: "
                  "trust neither.");
    }
    if ((health & LUCK_JUDGE_WEAK) != 0 && luck->results >= SMALL_SAMPLE) {
        page_wrap(out, 2,
                  "! This judge does not see these games well (c outside 0.8 to 1.2, or the "
                  "variance not 3 times smaller): a better one is needed.");
    }
}

static void pair_text(FILE *out, const struct judged *judged, const struct judged_pair *pair)
{
    const struct luck_summary *luck = &pair->luck;
    bool money = judged->length_points == 0;

    fprintf(out, "%s vs %s   %.0f %s judged\n", pair->name[0], pair->name[1], luck->results,
            money ? "games" : "matches");
    mean_line(out, "  PLAIN     ", &luck->plain, unit_of(judged), money);
    mean_line(out, "  ADJUSTED  ", &luck->adjusted, unit_of(judged), money);
    fprintf(out, "  APART     ");
    page_signed(out, 0, 4, luck->difference.mean);
    fprintf(out, "   SE ");
    page_number(out, 0, 4, luck->difference.se);
    fprintf(out, "   = ");
    page_number(out, 0, 2, fabs(luck->difference.mean) / luck->difference.se);
    fprintf(out, " SE\n  VARIANCE  ratio ");
    page_number(out, 0, 1, luck->ratio);
    fprintf(out, "   c ");
    page_number(out, 0, 3, luck->coefficient);
    fprintf(out, "   ratio with c ");
    page_number(out, 0, 1, luck->ratio_fitted);
    fprintf(out, "   sd of a %s ", money ? "game" : "match");
    page_number(out, 0, 3, luck->plain.sd);
    fprintf(out, " -> ");
    page_number(out, 0, 3, luck->adjusted.sd);
    fprintf(out, "\n  LUCK      a roll");
    for (int side = 0; side < 2; side++) {
        fprintf(out, "%s %s ", side == 0 ? "" : "  ", pair->name[side]);
        page_signed(out, 0, 5, luck->roll_mean[side]);
        fprintf(out, " SE ");
        page_number(out, 0, 5, luck->roll_se[side]);
    }
    fputc('\n', out);
    health_notes(out, luck);
}

static void rate_cells(FILE *out, const struct errors_sum *own, const struct errors_sum *other)
{
    struct errors_rates rates = errors_rates_of(own, other);

    page_count(out, 10, own->counted);
    page_number(out, 9, 3, own->error);
    page_number(out, 8, 2, rates.milli);
    page_number(out, 7, 2, rates.pr);
}

static struct errors_sum together(const struct errors_sum *a, const struct errors_sum *b)
{
    return (struct errors_sum){a->counted + b->counted, a->error + b->error, a->moves + b->moves};
}

static void errors_text(FILE *out, const struct judged_pair *pair)
{
    struct errors_sum all[2];

    for (int side = 0; side < 2; side++) {
        all[side] = together(&pair->play[side], &pair->cube[side]);
    }
    fprintf(out, "  ERRORS                           decisions   errors    mEMG     PR\n");
    for (int side = 0; side < 2; side++) {
        const struct {
            const char *name;
            const struct errors_sum *own, *other;
        } rows[] = {
            {"checker plays", &pair->play[side], &pair->play[1 - side]},
            {"cube", &pair->cube[side], &pair->cube[1 - side]},
            {"all", &all[side], &all[1 - side]},
        };

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            fprintf(out, "    ");
            page_name(out, 14, i == 0 ? pair->name[side] : "");
            fprintf(out, " %-14s", rows[i].name);
            rate_cells(out, rows[i].own, rows[i].other);
            fputc('\n', out);
        }
    }
}

void judged_text(FILE *out, const struct judged *judged)
{
    fprintf(out, "JUDGE %s   %.0f games", judged->judge, (double)judged->games);
    if (judged->games > 0) {
        fprintf(out, "   %.4f s of its CPU a game",
                (double)judged->cpu_ns / 1e9 / (double)judged->games);
    }
    fputc('\n', out);
    for (size_t i = 0; i < judged->pairs; i++) {
        pair_text(out, judged, &judged->pair[i]);
        if (judged->pair[i].has_errors) {
            errors_text(out, &judged->pair[i]);
        }
    }
    if (judged->pairs > 0) {
        page_wrap(
            out, 2,
            "* Seen from the bot named first. Adjusted: result minus own luck plus the foe's; "
            "unbiased whatever the judge. c: how much of the luck the results show, 0.9 to 1.1 is "
            "healthy. Title and standings do not depend on it.");
    }
}
