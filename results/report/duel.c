/* duel.c - the report of two bots, in the words of backgammon and of chess harnesses. */
#include "text.h"

#include <math.h>

#include <numbers/summary.h>

#include "page.h"
#include "progress.h"

enum { SMALL_SAMPLE = 30 };

/* The two sides and what they did against each other. */
struct duel {
    const char *name[2];
    struct tally_sum sum[2];
    struct ppg ppg; /* from a's point of view */
    struct winrate rate;
    bool money;
};

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void money_result(FILE *out, const struct duel *duel)
{
    const struct tally_sum *a = &duel->sum[0];
    double games = (double)a->legs;

    fprintf(out, " RESULT %s vs %s  ", duel->name[0], duel->name[1]);
    page_signed(out, 0, 3, duel->ppg.ppg);
    fprintf(out, " ± ");
    page_number(out, 0, 3, STAT_Z95 * duel->ppg.se);
    fprintf(out, " ppg   win %.1f/%.1f%%   over %.0f games\n", percent((double)a->legs_won, games),
            percent((double)a->legs_lost, games), games);
    if (isfinite(duel->ppg.los)) {
        fprintf(out, "  STATS LOS %.1f %%   sd of a game ", 100 * duel->ppg.los);
        page_number(out, 0, 3, duel->ppg.sd_game);
        fprintf(out, "   clusters %.0f   design effect ", duel->ppg.clusters);
        page_number(out, 0, 3, duel->ppg.design_effect);
        fputc('\n', out);
    }
}

/* The difference in rating, when it exists. */
static enum bg_status match_result(FILE *out, const struct duel *duel, const struct tally *tally,
                                   int a, int b, struct bg_error *err)
{
    const struct tally_sum *sum = &duel->sum[0];
    struct summary_options settings = {RATING_OPTIONS_INIT, 0, false};
    struct summary summary;
    enum bg_status status = summary_of(&summary, tally, &settings, err);
    double matches = (double)sum->legs;

    if (status != BG_OK) {
        return status;
    }
    fprintf(out, " RESULT %s vs %s  win %.1f/%.1f%%", duel->name[0], duel->name[1],
            percent((double)sum->legs_won, matches), percent((double)sum->legs_lost, matches));
    if (isfinite(duel->rate.wilson[0])) {
        fprintf(out, " (95 %%: %.1f to %.1f)", 100 * duel->rate.wilson[0],
                100 * duel->rate.wilson[1]);
    }
    fprintf(out, "   over %.0f matches to %d\n", matches, tally->length_points);
    if (tally->bots == 2 && summary.fit.players == 2 && isfinite(summary.fit.player[a].rating)) {
        const struct rating_player *p = &summary.fit.player[a];
        const char *mark = p->flag == RATING_UNBEATEN ? ">" : p->flag == RATING_WINLESS ? "<" : "";

        /* the mean of two is fixed, so the difference is twice one's distance from it */
        fprintf(out, "    ELO %s%+.1f ± %.1f FIBS points   LOS %.1f %%%s\n", mark,
                p->rating - summary.fit.player[b].rating, STAT_Z95 * 2 * rating_told_se(p),
                100 * summary.fit.los[a * 2 + b],
                p->prior ? "   (with a prior: one side won all)" : "");
    }
    summary_deinit(&summary);
    return BG_OK;
}

static void class_line(FILE *out, const struct duel *duel)
{
    fprintf(out, "  CLASS");
    for (int side = 0; side < 2; side++) {
        const struct tally_sum *s = &duel->sum[side];
        double games = (double)s->games;

        fprintf(out, " %s n/g/bg %.0f-%.0f-%.0f (%.1f/%.1f/%.1f%%)  ", duel->name[side],
                (double)s->levels[1], (double)s->levels[2], (double)s->levels[3],
                percent((double)s->levels[1], games), percent((double)s->levels[2], games),
                percent((double)s->levels[3], games));
    }
    fprintf(out, " drawn %.0f\n", (double)duel->sum[0].levels[0]);
}

static void sides_line(FILE *out, const struct duel *duel)
{
    fprintf(out, "  SIDES");
    for (int side = 0; side < 2; side++) {
        const struct tally_sum *s = &duel->sum[side];

        fprintf(out, " %s", duel->name[side]);
        for (int seat = 0; seat < 2; seat++) {
            double games = (double)s->seat_games[seat];

            fprintf(out, " seat %d:", seat);
            page_signed(out, 0, 3, games > 0 ? (double)s->seat_points[seat] / games : NAN);
        }
        fprintf(out, "  ");
    }
    fprintf(out, " ppg\n");
}

static void fault_line(FILE *out, const struct tally_bot *bot)
{
    bool any = false;

    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        if (bot->faults[fault] > 0) {
            if (!any) {
                fprintf(out, " FAULTS %s", bot->name);
            }
            fprintf(out, "%s %s %llu", any ? "," : "", bg_fault_name((enum bg_fault)fault),
                    (unsigned long long)bot->faults[fault]);
            any = true;
        }
    }
    if (any) {
        fputc('\n', out);
    }
}

static void notes(FILE *out, const struct duel *duel, const struct report_options *options)
{
    const struct tally_sum *s = &duel->sum[0];
    double clusters = duel->ppg.clusters;

    if (options->elapsed_s > 0) {
        char elapsed[32];

        progress_duration(elapsed, options->elapsed_s);
        fprintf(out, "   RATE");
        if (options->run_games > 0) {
            fprintf(out, " %.1f games/s  ", (double)options->run_games / options->elapsed_s);
        }
        fprintf(out, " avg turns %.1f   elapsed %s\n",
                s->games > 0 ? (double)s->turns / (double)s->games : 0, elapsed);
    }
    fprintf(out, "Score of %s vs %s: %.0f - %.0f - %.0f  [%.3f] %.0f\n", duel->name[0],
            duel->name[1], (double)s->legs_won, (double)s->legs_lost,
            (double)(s->legs - s->legs_won - s->legs_lost),
            s->legs > 0 ? ((double)s->legs + (double)s->legs_won - (double)s->legs_lost) /
                              (2 * (double)s->legs)
                        : 0,
            (double)s->legs);
    page_wrap(out, 2,
              "* ± is 95 %% (1.96 standard errors; a duplicate pair is one cluster). LOS is the "
              "chance that %s is the stronger.%s",
              duel->name[0], clusters < SMALL_SAMPLE ? " Small sample: error bars are rough." : "");
}

enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err)
{
    struct duel duel = {.money = tally->length_points == 0};
    enum bg_status status = BG_OK;

    if (a < 0 || b < 0 || a >= tally->bots || b >= tally->bots || a == b) {
        return bg_error_set(err, BG_E_ARGUMENT, "report of a duel: needs two bots of the event");
    }
    duel.name[0] = tally->bot[a].name;
    duel.name[1] = tally->bot[b].name;
    tally_sum(&duel.sum[0], tally, a, b);
    tally_sum(&duel.sum[1], tally, b, a);
    summary_winrate(&duel.rate, &duel.sum[0]);
    status = summary_ppg(&duel.ppg, tally, a, b, err);
    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "ENGINES A=%s   B=%s\n", duel.name[0], duel.name[1]);
    if (duel.sum[0].legs == 0) {
        fprintf(out, " RESULT nothing decided yet\n");
        return BG_OK;
    }
    if (duel.money) {
        money_result(out, &duel);
    } else {
        status = match_result(out, &duel, tally, a, b, err);
    }
    class_line(out, &duel);
    if (duel.money) {
        sides_line(out, &duel);
    }
    fault_line(out, &tally->bot[a]);
    fault_line(out, &tally->bot[b]);
    notes(out, &duel, options);
    return status;
}
