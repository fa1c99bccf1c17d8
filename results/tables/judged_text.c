/* What a judge says of an event, encounter by encounter. Warnings stand beside the encounter
 * that they are about, or, where encounters are not listed, in a short list of their own: an
 * alarm that needs an option to be seen is none. */
#include "judged_text.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "page.h"
#include "base/plural.h"

/* An encounter as printed, with the bot whose view it takes first. */
struct judged_text_shown {
    const struct judged_encounter *encounter;
    struct luck_summary luck;
    const char *name[2];
    bool flip;
    struct luck_checked health;
};

static const char *judged_unit(const struct judged_sums *sums)
{
    return sums->length_points == 0 ? "ppg" : "MWC a match";
}

static void mean_number(FILE *out, double x, bool is_signed)
{
    if (is_signed) {
        page_signed(out, 0, 4, x);
    } else {
        page_number(out, 0, 4, x);
    }
}

static void mean_line(FILE *out, const char *head, const struct luck_mean *mean,
                      const struct judged_sums *sums)
{
    struct luck_mean shown = luck_mean_shown(mean, sums->unit);
    bool is_signed = sums->unit == LUCK_POINTS;

    fprintf(out, "%s", head);
    mean_number(out, shown.mean, is_signed);
    fprintf(out, " %s   SE ", judged_unit(sums));
    page_number(out, 0, 4, shown.se);
    fprintf(out, "   95 %% ");
    mean_number(out, shown.ci[0], is_signed);
    fprintf(out, " to ");
    mean_number(out, shown.ci[1], is_signed);
    if (isfinite(shown.los)) {
        fprintf(out, "   LOS ");
        page_chance(out, 0, shown.los);
        fprintf(out, " %%");
    }
    fputc('\n', out);
}

/* An alarm about luck: one event cannot tell rare luck from a fault. Over many rows some p-value
 * is small by chance, so it is the one after Holm's correction, and the sentence says how often
 * that happens. */
static void alarm_note(FILE *out, const char *what, double p)
{
    char often[32];

    if (p > 0 && 1 / p < 1e9) {
        snprintf(often, sizeof often, "1 of %.0f tables", 1 / p);
    } else {
        snprintf(often, sizeof often, "less than 1 of 10^9 tables");
    }
    page_wrap(out, 2,
              "! %s: p = %.2g (Holm over the rows), honest dice do that in %s like this one. If "
              "it comes again with other dice, dice, weights or bookkeeping are wrong; if not, it "
              "was luck, which the adjusted result leaves out.",
              what, p, often);
}

/* Prints what is wrong with a judged set; nothing if it is healthy. */
static void health_notes(FILE *out, const struct luck_checked *checked, bool choices)
{
    unsigned health = checked->warnings;

    if ((health & LUCK_ROLLS_BIASED) != 0) {
        alarm_note(out, "Mean luck a roll is more than 3 SE from 0", checked->rolls_p);
    }
    if ((health & LUCK_RESULTS_APART) != 0) {
        alarm_note(out, "Luck-adjusted and plain result differ by more than 3 SE",
                   checked->apart_p);
    }
    if ((health & LUCK_JUDGE_WEAK) != 0) {
        page_wrap(
            out, 2,
            "! This judge is weak: in the games of strong play, without the errors that it "
            "found, c is outside 0.8 to 1.2 or the variance not 3 times smaller. Use a better "
            "judge.");
    }
    if ((health & LUCK_UNCLEAR) != 0) {
        page_wrap(out, 2,
                  "* These games do not show how good the judge is: c is outside 0.8 to 1.2 or the "
                  "variance not 3 times smaller, which weak play causes too. %s",
                  choices ? "By its own standard there are fewer than 30 games or pairs of strong "
                            "play (30 mEMG at most)."
                          : "'bgref judge --errors' shows more.");
    }
}

/* Prints the test of the judge against itself, if decisions are judged too. */
static void itself_line(FILE *out, const struct judged_sums *sums, const struct luck_summary *luck)
{
    bool money = sums->length_points == 0;

    if (isnan(luck->itself.mean)) {
        return;
    }
    fprintf(out, "  ITSELF    ");
    mean_number(out, luck->itself.mean, money);
    fprintf(out, " %s   SE ", judged_unit(sums));
    page_number(out, 0, 4, luck->itself.se);
    fprintf(out, "   sd of a %s ", money ? "game" : "match");
    page_number(out, 0, 3, luck->itself.sd);
    fprintf(out, "   ratio ");
    page_number(out, 0, 1, luck->own_ratio);
    fprintf(out, "   c ");
    page_number(out, 0, 3, luck->own_coefficient);
    fputc('\n', out);
}

static void apart_line(FILE *out, const struct luck_summary *luck)
{
    /* In points, so that it is not clipped: a difference of two chances may well be below 0. */
    struct luck_mean difference = luck_mean_shown(&luck->difference, LUCK_POINTS);

    fprintf(out, "  APART     ");
    page_signed(out, 0, 4, difference.mean);
    fprintf(out, "   SE ");
    page_number(out, 0, 4, difference.se);
    fprintf(out, "   = ");
    page_number(out, 0, 2, fabs(difference.mean) / difference.se);
    fprintf(out, " SE\n");
}

static void encounter_text(FILE *out, const struct judged_sums *sums,
                           const struct judged_text_shown *shown)
{
    const struct luck_summary *luck = &shown->luck;
    bool money = sums->length_points == 0;

    fprintf(out, "%s vs %s   %.0f %s%s judged\n", shown->name[0], shown->name[1], luck->results,
            money ? "game" : "match",
            luck->results == 1 ? ""
            : money            ? "s"
                               : "es");
    mean_line(out, "  PLAIN     ", &luck->plain, sums);
    mean_line(out, "  ADJUSTED  ", &luck->adjusted, sums);
    apart_line(out, luck);
    fprintf(out, "  VARIANCE  ratio ");
    page_number(out, 0, 1, luck->ratio);
    fprintf(out, "   c ");
    page_number(out, 0, 3, luck->coefficient);
    fprintf(out, "   ratio with c ");
    page_number(out, 0, 1, luck->ratio_fitted);
    fprintf(out, "   sd of a %s ", money ? "game" : "match");
    page_number(out, 0, 3, luck->plain.sd);
    fprintf(out, " -> ");
    page_number(out, 0, 3, luck->adjusted.sd);
    fputc('\n', out);
    itself_line(out, sums, luck);
    fprintf(out, "  LUCK      a roll");
    for (int side = 0; side < 2; side++) {
        fprintf(out, "%s %s ", side == 0 ? "" : "  ", shown->name[side]);
        page_signed(out, 0, 5, luck->roll_mean[side]);
        fprintf(out, " SE ");
        page_number(out, 0, 5, luck->roll_se[side]);
    }
    fputc('\n', out);
    health_notes(out, &shown->health, sums->choices);
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

static void errors_text(FILE *out, const struct judged_text_shown *shown)
{
    struct errors_sum play[2], cube[2], all[2];

    for (int side = 0; side < 2; side++) {
        const struct errors_sum *sum = shown->encounter->sum[side ^ shown->flip];

        play[side] = sum[JUDGED_PLAY];
        cube[side] = together(&sum[JUDGED_DOUBLE], &sum[JUDGED_TAKE]);
        all[side] = together(&play[side], &cube[side]);
    }
    fprintf(out, "  ERRORS                           decisions   errors    mEMG     PR\n");
    for (int side = 0; side < 2; side++) {
        const struct {
            const char *name;
            const struct errors_sum *own, *other;
        } rows[] = {
            {"checker plays", &play[side], &play[1 - side]},
            {"cube", &cube[side], &cube[1 - side]},
            {"all", &all[side], &all[1 - side]},
        };

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            fprintf(out, "    ");
            page_name(out, 14, i == 0 ? shown->name[side] : "");
            fprintf(out, " %-14s", rows[i].name);
            rate_cells(out, rows[i].own, rows[i].other);
            fputc('\n', out);
        }
    }
}

static void show_encounter(struct judged_text_shown *out, const struct judged_sums *sums,
                           const struct judged_encounter *encounter)
{
    const char *a = judged_sums_shown(sums, encounter->a);
    const char *b = judged_sums_shown(sums, encounter->b);

    *out = (struct judged_text_shown){
        .encounter = encounter, .luck = encounter->luck, .flip = encounter->a > encounter->b};
    out->name[out->flip] = a;
    out->name[!out->flip] = b;
    if (out->flip) {
        judged_sums_flip(&out->luck, sums, encounter);
    }
}

/* Sorts as `rate` does: by the first bot, then by the second. */
static int by_entry(const void *x, const void *y)
{
    const struct judged_text_shown *p = x, *q = y;
    int first[2] = {p->flip ? p->encounter->b : p->encounter->a,
                    q->flip ? q->encounter->b : q->encounter->a};
    int second[2] = {p->encounter->a + p->encounter->b - first[0],
                     q->encounter->a + q->encounter->b - first[1]};

    return first[0] != first[1] ? first[0] - first[1] : second[0] - second[1];
}

/* Fills in every encounter for printing, and checks the health of all together. */
static void show_all(struct judged_text_shown *out, const struct judged_sums *sums)
{
    size_t count = (size_t)sums->encounters;
    const struct luck_summary **rows = memory_zeroed(count, sizeof *rows);
    struct luck_checked *health = memory_zeroed(count, sizeof *health);

    for (size_t i = 0; i < count; i++) {
        show_encounter(&out[i], sums, &sums->encounter[i]);
        rows[i] = &out[i].luck;
    }
    luck_health_of(health, rows, count, 2);
    for (size_t i = 0; i < count; i++) {
        out[i].health = health[i];
    }
    qsort(out, count, sizeof *out, by_entry);
    free(rows);
    free(health);
}

static void notes(FILE *out, const struct judged_sums *sums)
{
    page_wrap(out, 2,
              "* From the view of the first bot, which was entered first. Adjusted: result minus "
              "own luck plus the opponent's; unbiased with any judge. c: how much of the luck "
              "appears in the results, 0.9 to 1.1 is healthy. Luck per roll is without the first "
              "roll of a game. Title and standings do not use it.");
    if (sums->choices) {
        page_wrap(out, 2,
                  "* ITSELF: adjusted result minus the errors found; it and its spread show the "
                  "judge's own mistakes.");
    }
}

static void head(FILE *out, const struct judged_sums *sums)
{
    fprintf(out, "JUDGE %s   %.0f game%s", sums->judge, (double)sums->games,
            plural_s((uint64_t)sums->games));
    if (sums->cpu_games > 0) {
        fprintf(out, "   %.4f s of its CPU a game", sums->cpu_s / (double)sums->cpu_games);
    }
    if (sums->encounters > 1 && isfinite(judged_sums_ratio(sums))) {
        fprintf(out, "   variance ratio %.1f", judged_sums_ratio(sums));
    }
    fputc('\n', out);
}

/* A judge whose values are means of random trials. */
static void noise_note(FILE *out, const struct judged_sums *sums)
{
    double noise = judged_sums_noise(sums);

    if (noise > 0) {
        page_wrap(out, 2,
                  "* The judge's values are means of random trials. That adds a standard deviation "
                  "of %.4f to the adjusted result of a %s; every SE above includes it.",
                  noise, sums->length_points == 0 ? "game" : "match");
    }
}

static void every_encounter(FILE *out, const struct judged_sums *sums,
                            const struct judged_text_shown *shown)
{
    for (int i = 0; i < sums->encounters; i++) {
        encounter_text(out, sums, &shown[i]);
        if (shown[i].encounter->has_errors) {
            errors_text(out, &shown[i]);
        }
    }
    if (sums->encounters > 0) {
        notes(out, sums);
        noise_note(out, sums);
    }
}

/* Lists the encounters that are not printed but have an alarm. */
static void alarms(FILE *out, const struct judged_sums *sums, const struct judged_text_shown *shown)
{
    /* More lines would push the table off the screen; the number of the others is printed. */
    enum { NAMED = 5 };
    int found = 0;

    for (int i = 0; i < sums->encounters; i++) {
        unsigned health = shown[i].health.warnings;
        double p =
            (health & LUCK_ROLLS_BIASED) != 0 ? shown[i].health.rolls_p : shown[i].health.apart_p;
        char rare[64] = "";

        if ((health & (LUCK_ROLLS_BIASED | LUCK_RESULTS_APART | LUCK_JUDGE_WEAK)) == 0) {
            continue;
        }
        if ((health & (LUCK_ROLLS_BIASED | LUCK_RESULTS_APART)) != 0) {
            snprintf(rare, sizeof rare, ", p = %.2g after Holm with honest dice", p);
        }
        if (found++ < NAMED) {
            page_wrap(out, 2, "! %s vs %s: %s%s.", shown[i].name[0], shown[i].name[1],
                      (health & LUCK_ROLLS_BIASED) != 0    ? "mean luck per roll is not 0"
                      : (health & LUCK_RESULTS_APART) != 0 ? "adjusted and plain result differ"
                                                           : "the judge is weak",
                      rare);
        }
    }
    if (found > NAMED) {
        page_wrap(out, 2, "! ... and %d more encounters like these.", found - NAMED);
    }
}

void judged_text(FILE *out, const struct judged_sums *sums,
                 const struct judged_text_options *options)
{
    struct judged_text_shown *shown = memory_zeroed((size_t)sums->encounters, sizeof *shown);

    show_all(shown, sums);
    head(out, sums);
    if (options->pairings || sums->bots <= 2) {
        every_encounter(out, sums, shown);
    } else {
        alarms(out, sums, shown);
        page_wrap(out, 2,
                  "* Each of the %d pairings, with the judge's health: 'bgref judge %s --judge %s "
                  "--pairings'.",
                  sums->encounters, options->results, options->judge);
    }
    free(shown);
}
