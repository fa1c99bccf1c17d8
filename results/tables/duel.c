/* duel.c - the report of two bots, in the terms of backgammon and of chess programs. Chess
 * programs print a match in this form (result, LOS, pairs), so their users find their words
 * again; backgammon adds the classes of wins and the two seats. Everything is from the view of
 * the bot that was entered first. */
#include "event_table.h"

#include <math.h>

#include <sums/summary.h>

#include "notes.h"
#include "page.h"
#include "progress.h"
#include "standing.h"
#include "base/plural.h"

/* The two bots and their results against each other. */
struct duel {
    const char *name[2];
    struct tally_sum sum[2];
    struct summary summary; /* of the whole event */
    int bot[2];
    struct ppg ppg; /* from a's view */
    double ppg_df;
    struct winrate rate;
    bool money;
};

/* Prints "win 60.0/30.0%", and the share drawn if there are draws. */
static void shares(FILE *out, const struct tally_sum *sum)
{
    double legs = (double)sum->legs;

    fprintf(out, "win %.1f/%.1f%%", 100 * (double)sum->legs_won / legs,
            100 * (double)sum->legs_lost / legs);
    if (tally_drawn(sum) > 0) {
        fprintf(out, " drawn %.1f%%", 100 * (double)tally_drawn(sum) / legs);
    }
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void money_result(FILE *out, const struct duel *duel)
{
    const struct tally_sum *a = &duel->sum[0];

    fprintf(out, " RESULT %s vs %s  ", duel->name[0], duel->name[1]);
    page_signed(out, 0, 3, duel->ppg.ppg);
    fprintf(out, " ± ");
    page_number(out, 0, 3, summary_bar(duel->ppg.se, duel->ppg_df));
    fprintf(out, " ppg   ");
    shares(out, a);
    fprintf(out, "   over %.0f game%s\n", (double)a->legs, plural_s((uint64_t)a->legs));
    if (isfinite(duel->ppg.los)) {
        fprintf(out, "  STATS LOS ");
        page_chance(out, 0, duel->ppg.los);
        fprintf(out, " %%   sd of a game ");
        page_number(out, 0, 3, duel->ppg.sd_game);
        fprintf(out, "   clusters %.0f   design effect ", duel->ppg.clusters);
        page_number(out, 0, 3, duel->ppg.design_effect);
        fputc('\n', out);
    }
}

static void los_words(FILE *out, const char *before, double los)
{
    fprintf(out, "%s   LOS ", before);
    page_chance(out, 0, los);
    fprintf(out, " %%\n");
}

/* Prints the rating difference. In a larger event the ratings also depend on the other bots, so
 * the difference is not what this pairing shows. */
static void rating_line(FILE *out, const struct duel *duel)
{
    const struct strength_bot *a = &duel->summary.strength.bot[duel->bot[0]];
    const struct strength_bot *b = &duel->summary.strength.bot[duel->bot[1]];
    double los = summary_los(&duel->summary, duel->bot[0], duel->bot[1]);

    if (duel->summary.tally->bots != 2) {
        return;
    }
    if (isfinite(a->rating) && isfinite(b->rating)) {
        /* the mean of two ratings is fixed, so the difference is twice one bot's distance from it;
         * the share's interval comes from this one (strength_winrate) */
        fprintf(out, " RATING %+.1f \u00b1 ", a->rating - b->rating);
        page_number(out, 0, 1, 2 * a->bar);
        los_words(out, " FIBS points", los);
    }
}

static void match_result(FILE *out, const struct duel *duel)
{
    const struct tally_sum *sum = &duel->sum[0];
    char lengths[TALLY_LENGTHS];

    fprintf(out, " RESULT %s vs %s  ", duel->name[0], duel->name[1]);
    shares(out, sum);
    if (tally_drawn(sum) > 0) {
        fprintf(out, "   score %.1f%%", 100 * tally_share(sum));
    }
    if (isfinite(duel->rate.wilson[0])) {
        fprintf(out, " (95 %%: %.1f to %.1f)", 100 * duel->rate.wilson[0],
                100 * duel->rate.wilson[1]);
    }
    tally_lengths(lengths, duel->summary.tally);
    fprintf(out, "   over %.0f match%s %s\n", (double)sum->legs,
            plural((uint64_t)sum->legs, "", "es"), lengths);
    rating_line(out, duel);
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

/* The pentanomial: duplicate pairs by what the first bot won of both legs. */
static void pairs_line(FILE *out, const struct duel *duel)
{
    static const char *const won[] = {"0", "\u00bd", "1", "1\u00bd", "2"};
    const uint64_t *pairs = duel->sum[0].pairs;

    if (pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4] == 0) {
        return;
    }
    fprintf(out, "  PAIRS by what %s won ", duel->name[0]);
    for (int halves = 0; halves < 5; halves++) {
        fprintf(out, "  %s: %llu", won[halves], (unsigned long long)pairs[halves]);
    }
    fputc('\n', out);
}

/* A difference between the seats, or between who begins, shows a fault of the dice or of the
 * bookkeeping before ratings do. */
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

static enum bg_status notes(FILE *out, const struct duel *duel,
                            const struct report_options *options, struct bg_error *err)
{
    struct doc *doc = standing_doc("", duel->summary.tally);
    const struct tally_sum *s = &duel->sum[0];
    double clusters = (double)s->clusters;
    enum bg_status status;

    doc_section(doc, "notes", "");
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
            duel->name[1], (double)s->legs_won, (double)s->legs_lost, (double)tally_drawn(s),
            tally_share(s), (double)s->legs);
    if (notes_idle_gammons(&duel->summary, options)) {
        doc_note(doc, "%s", NOTES_IDLE_GAMMONS);
    }
    notes_changed(doc, duel->summary.tally);
    notes_conditions(doc, duel->summary.tally);
    doc_note(doc,
             "± is 95 %% (Student; a duplicate pair is one cluster). LOS is the probability "
             "that %s is stronger.%s",
             duel->name[0],
             clusters < STRENGTH_SMALL ? " Small sample: error bars are rough." : "");
    notes_even(doc, duel->summary.tally);
    notes_surplus(doc, options);
    status = document_blocks(out, doc, err);
    doc_destroy(doc);
    return status;
}

static enum bg_status write_duel(FILE *out, const struct duel *duel,
                                 const struct report_options *options, struct bg_error *err)
{
    fprintf(out, "ENGINES A=%s   B=%s\n", duel->name[0], duel->name[1]);
    if (duel->sum[0].legs == 0) {
        fprintf(out, " RESULT nothing decided yet\n");
        return BG_OK;
    }
    if (duel->money) {
        money_result(out, duel);
    } else {
        match_result(out, duel);
    }
    class_line(out, duel);
    if (duel->money) {
        sides_line(out, duel);
    }
    pairs_line(out, duel);
    for (int side = 0; side < 2; side++) {
        fault_line(out, &duel->summary.tally->bot[duel->bot[side]]);
    }
    return notes(out, duel, options, err);
}

enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = {.rating = RATING_OPTIONS_INIT};
    struct duel duel = {.money = tally->length_points == 0, .bot = {a, b}};
    enum bg_status status = BG_OK;

    if (a < 0 || b < 0 || a >= tally->bots || b >= tally->bots || a == b) {
        return bg_error_set(err, BG_E_ARGUMENT, "report of a duel: needs two bots of the event");
    }
    duel.name[0] = tally->bot[a].name;
    duel.name[1] = tally->bot[b].name;
    tally_sum(&duel.sum[0], tally, a, b);
    tally_sum(&duel.sum[1], tally, b, a);
    status = summary_of(&duel.summary, tally, &settings, err);
    if (status == BG_OK) {
        summary_ppg(&duel.ppg, &duel.ppg_df, &duel.summary, a, b);
        summary_winrate(&duel.rate, &duel.summary, a, b);
        status = write_duel(out, &duel, options, err);
    }
    summary_deinit(&duel.summary);
    return status;
}
