/* How many games a question needs. The spread of a game comes from the event's own pairs where
 * there are results, because it depends on the bots (their cube above all); the usual values of
 * numbers/plan.h are only for those who have none yet. */
#include "plan_text.h"

#include <math.h>
#include <stdio.h>

#include <numbers/ppg.h>
#include <numbers/rating.h>
#include <sums/judged_sums.h>

#include "sums/results_set.h"
#include "document/json_value.h"
#include "page.h"

enum { FIRST_LOOK = 100 /* clusters: a test's default min_clusters */ };

/* --- the event's own games ---------------------------------------------------------------- */

/* Variance of a game about its encounter's mean, from the pairs: N SE^2 of each encounter, weighted
 * by games. */
struct plan_text_seen {
    double games, squares, ppg, variance;
};

/* About each encounter's own mean: the differences between opponents would else count as spread,
 * and ask for too many games. */
static void see_encounter(struct plan_text_seen *seen, const struct tally_sum *sum)
{
    double games = (double)(sum->seat_games[0] + sum->seat_games[1]),
           clusters = (double)sum->clusters;
    double ppg = games > 0 ? (double)sum->points / games : 0;
    double squares = sum->dd - 2 * ppg * sum->dn + ppg * ppg * sum->nn;

    /* One pair says nothing about the spread of pairs. */
    if (clusters < 2) {
        return;
    }
    squares *= clusters / (clusters - 1);
    seen->games += games;
    seen->squares += squares;
    seen->ppg += ppg * games;
    seen->variance += squares;
}

/* With two bots, the mean of the bot entered first, as in all other reports. */
static double first_mean(const struct judged_sums *sums)
{
    const struct judged_encounter *only = sums->encounters == 1 ? sums->encounter : NULL;
    double mean = only == NULL ? NAN : only->luck.adjusted.mean;

    return only != NULL && only->a > only->b ? luck_other_side(sums->unit, mean) : mean;
}

/* Reads the judgements: the variance of an adjusted result, from the pairs. */
static enum bg_status read_judged(struct plan_question *question,
                                  const struct event_results *results, struct bg_error *err)
{
    struct judged_sums sums;
    double variance = 0;
    enum bg_status status = judged_sums_read(&sums, results->store, &results->tally, NULL, err);

    for (int e = 0; status == BG_OK && e < sums.encounters; e++) {
        const struct luck_summary *luck = &sums.encounter[e].luck;

        if (isfinite(luck->adjusted.se)) {
            question->judged += luck->results;
            variance += luck->results * luck->results * luck->adjusted.se * luck->adjusted.se;
        }
    }
    if (status != BG_OK) {
        return status;
    }
    if (variance > 0) {
        question->judged_sd = sqrt(variance / question->judged);
        question->judged_se = question->judged_sd / sqrt(question->judged);
        question->judged_mean = first_mean(&sums);
        snprintf(question->judge, sizeof question->judge, "%s", sums.judge);
    } else {
        question->judged = 0;
    }
    judged_sums_deinit(&sums);
    return BG_OK;
}

/* A match is won or lost, so its spread follows from the chance to win alone and needs no data. */
static enum bg_status check_matches(const struct plan_question *question,
                                    const struct event_results *results, const char *path,
                                    struct bg_error *err)
{
    if (question->elo > 0 && question->judged > 0) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        question->judged > 0
                            ? "%s: match play: use --elo D --length %d"
                            : "%s: match play without judged games; plain matches have no standard "
                              "deviation: use --elo D --length %d without the results",
                        path, results->tally.length_points);
}

enum bg_status plan_question_read(struct plan_question *question, const char *path,
                                  struct bg_error *err)
{
    struct event_results results;
    struct plan_text_seen seen = {0};
    enum bg_status status = event_results_open(&results, path, err);

    if (status != BG_OK) {
        return status;
    }
    snprintf(question->first, sizeof question->first, "%s",
             results.tally.bots == 2 ? results.tally.bot[0].name : "");
    status = read_judged(question, &results, err);
    for (int a = 0; a < results.tally.bots; a++) {
        for (int b = a + 1; b < results.tally.bots; b++) {
            struct tally_sum sum;

            tally_sum(&sum, &results.tally, a, b);
            see_encounter(&seen, &sum);
        }
    }
    if (status != BG_OK) {
        /* *err is set */
    } else if (results.tally.length_points > 0) {
        status = check_matches(question, &results, path, err);
    } else if (!(seen.squares > 0)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: needs two pairs of games with different results", path);
    } else {
        question->seen_games = seen.games;
        question->seen_sd = sqrt(seen.squares / seen.games);
        question->seen_ppg = results.tally.bots == 2 ? seen.ppg / seen.games : NAN;
        question->seen_se = question->seen_sd / sqrt(seen.games);
        question->sd = question->sd > 0 ? question->sd : question->seen_sd;
    }
    event_results_close(&results);
    return status;
}

/* --- the answer --------------------------------------------------------------------------- */

static void answer_money(struct plan_row *row, const struct plan_question *q)
{
    double interval = plan_coverage_z(q->confidence), power = interval + plan_power_z(q->power);
    struct sprt_bounds bounds = sprt_bounds_of(q->alpha, q->beta);

    if (q->games > 0) {
        row->shows = plan_difference(q->games, row->sd, interval);
        row->will_show = plan_difference(q->games, row->sd, power);
    }
    if (q->ppg > 0) {
        double variance = row->sd * row->sd;
        struct sprt_length none = sprt_length_of(0, variance, 0, q->ppg, bounds);
        struct sprt_length real = sprt_length_of(q->ppg, variance, 0, q->ppg, bounds);

        row->interval = plan_games(q->ppg, row->sd, interval);
        row->power = plan_games(q->ppg, row->sd, power);
        row->sprt_end = fmax(none.clusters, real.clusters);
        /* A test takes longest when the truth lies between its hypotheses. */
        row->sprt_between = sprt_length_of(q->ppg / 2, variance, 0, q->ppg, bounds).clusters;
    }
}

/* Matches: the log likelihood is a random walk; its steps are the scores of single matches. The
 * variance at 1/2 and at p differ little; each end of the test takes its own. */
static void answer_matches(struct plan_row *row, const struct plan_question *q)
{
    struct sprt_bounds bounds = sprt_bounds_of(q->alpha, q->beta);
    double p = rating_expected(q->elo, q->length_points), variance = p * (1 - p);

    row->sd = sqrt(variance);
    row->interval = plan_matches(q->elo, q->length_points, plan_coverage_z(q->confidence), 0);
    row->power = plan_matches(q->elo, q->length_points, plan_coverage_z(q->confidence),
                              plan_power_z(q->power));
    row->sprt_end = fmax(sprt_length_of(0.5, 0.25, 0.5, p, bounds).clusters,
                         sprt_length_of(p, variance, 0.5, p, bounds).clusters);
    row->sprt_between = sprt_length_of((0.5 + p) / 2, 0.25, 0.5, p, bounds).clusters;
}

/* Luck-adjusted matches: a mean with the measured standard deviation. */
static void answer_adjusted_matches(struct plan_row *row, const struct plan_question *q)
{
    struct sprt_bounds bounds = sprt_bounds_of(q->alpha, q->beta);
    double p = rating_expected(q->elo, q->length_points), variance = row->sd * row->sd;
    double interval = plan_coverage_z(q->confidence);

    row->interval = plan_games(p - 0.5, row->sd, interval);
    row->power = plan_games(p - 0.5, row->sd, interval + plan_power_z(q->power));
    row->sprt_end = sprt_length_of(p, variance, 0.5, p, bounds).clusters;
    row->sprt_between = sprt_length_of((0.5 + p) / 2, variance, 0.5, p, bounds).clusters;
}

static struct plan_row *next_row(struct plan_answer *out, const char *words, double sd)
{
    struct plan_row *row = &out->row[out->rows++];

    *row = (struct plan_row){words, sd, NAN, NAN, NAN, NAN, NAN, NAN};
    return row;
}

void plan_answer_of(struct plan_answer *out, const struct plan_question *question)
{
    *out = (struct plan_answer){.question = *question};
    if (question->elo > 0) {
        answer_matches(next_row(out, "matches, plain dice", NAN), question);
        if (question->judged > 0) {
            answer_adjusted_matches(next_row(out, "luck-adjusted, as judged", question->judged_sd),
                                    question);
        }
        return;
    }
    if (question->sd > 0) {
        answer_money(next_row(out,
                              question->seen_games > 0 && question->sd == question->seen_sd
                                  ? "as in the results"
                                  : "as given",
                              question->sd),
                     question);
        if (question->judged > 0) {
            answer_money(next_row(out, "luck-adjusted, as judged", question->judged_sd), question);
        }
        return;
    }
    for (int i = 0; i < PLAN_METHODS; i++) {
        if (question->method < 0 || question->method == i) {
            answer_money(next_row(out, plan_methods[i].words, plan_methods[i].sd), question);
        }
    }
}

/* --- as text ------------------------------------------------------------------------------ */

/* Prints a number of games; rounds very large numbers, so that columns stay apart. */
static void games_cell(FILE *out, double games)
{
    if (games >= 1e12 && isfinite(games)) {
        fprintf(out, " %12.3g", games);
    } else {
        page_number(out, 13, 0, ceil(games));
    }
}

static void rows_of_games(FILE *out, const struct plan_answer *answer)
{
    const struct plan_question *q = &answer->question;
    double least = INFINITY;

    fprintf(out, "%-26s %9s %12s %12s %12s %12s\n", "", "sd", "interval", "power", "SPRT",
            "at most");
    for (int i = 0; i < answer->rows; i++) {
        const struct plan_row *row = &answer->row[i];

        fprintf(out, "%-26s", row->words);
        page_number(out, 10, q->elo > 0 ? 3 : 2, row->sd);
        games_cell(out, row->interval);
        games_cell(out, row->power);
        games_cell(out, row->sprt_end);
        games_cell(out, row->sprt_between);
        least = fmin(least, row->sprt_end);
        fputc('\n', out);
    }
    page_wrap(
        out, 2,
        "* interval: half of the %g %% interval is as wide as the difference, so a true difference "
        "is detected half of the time. power: it is detected in %g %% of such events.",
        100 * q->confidence, 100 * q->power);
    page_wrap(out, 2,
              "* SPRT: average length of a test of 0 against the difference (alpha %g, beta %g) if "
              "one of them is true; at most: average if the true value is halfway.",
              q->alpha, q->beta);
    if (least < 2 * FIRST_LOOK) {
        page_wrap(out, 2,
                  "* A test looks at its games from %d clusters on (min_clusters), %d games of "
                  "duplicate pairs: shorter ones end there.",
                  FIRST_LOOK, 2 * FIRST_LOOK);
    }
}

static void rows_of_differences(FILE *out, const struct plan_answer *answer)
{
    const struct plan_question *q = &answer->question;

    fprintf(out, "%-26s %9s %12s %12s\n", "", "sd", "interval", "power");
    for (int i = 0; i < answer->rows; i++) {
        const struct plan_row *row = &answer->row[i];

        fprintf(out, "%-26s", row->words);
        page_number(out, 10, 2, row->sd);
        page_number(out, 13, 4, row->shows);
        page_number(out, 13, 4, row->will_show);
        fputc('\n', out);
    }
    page_wrap(out, 2,
              "* interval: half-width of the %g %% interval of points per game. power: the "
              "difference that is detected in %g %% of such events.",
              100 * q->confidence, 100 * q->power);
}

/* Limits printed chances to 0..1. */
static double judged_shown(const struct plan_question *q)
{
    return q->elo > 0 ? fmin(1, fmax(0, q->judged_mean)) : q->judged_mean;
}

enum bg_status plan_text(FILE *out, const struct plan_answer *answer)
{
    const struct plan_question *q = &answer->question;

    if (q->seen_games > 0) {
        fprintf(out, "%.0f games, standard deviation %.3f points a game", q->seen_games,
                q->seen_sd);
        if (isfinite(q->seen_ppg)) {
            fprintf(out, "; %s: ppg %+.4f, se %.4f", q->first, q->seen_ppg, q->seen_se);
        }
        fputs("\n", out);
    }
    if (q->judged > 0) {
        fprintf(out, "%.0f of them judged by %s, standard deviation without luck %.3f %s",
                q->judged, q->judge, q->judged_sd, q->elo > 0 ? "MWC a match" : "points a game");
        if (isfinite(q->judged_mean)) {
            fprintf(out, q->elo > 0 ? "; mean %.4f, se %.4f" : "; mean %+.4f, se %.4f",
                    judged_shown(q), q->judged_se);
        }
        fputs("\n", out);
    }
    if (q->seen_games > 0 || q->judged > 0) {
        fputs("\n", out);
    }
    if (q->ppg > 0) {
        fprintf(out, "Games needed to distinguish %g points per game from 0:\n\n", q->ppg);
        rows_of_games(out, answer);
    } else if (q->elo > 0) {
        fprintf(
            out,
            "Matches to %g points needed to distinguish %g FIBS points from 0 (%.2f %% won):\n\n",
            q->length_points, q->elo, 100 * rating_expected(q->elo, q->length_points));
        rows_of_games(out, answer);
    } else if (q->games > 0) {
        fprintf(out, "What %.0f games can detect, in points per game:\n\n", q->games);
        rows_of_differences(out, answer);
    } else {
        fputs(
            "--ppg D shows how many games a difference needs, --games N what N games can detect.\n",
            out);
    }
    if (q->elo <= 0 && q->sd <= 0) {
        page_wrap(
            out, 2,
            "* The deviations are usual values for engines of nearly equal strength (money, with "
            "cube, a good judge): after some 200 games use 'bgref plan RESULTS.db --ppg D'.");
    }
    return BG_OK;
}

/* --- as JSON ------------------------------------------------------------------------------ */

enum bg_status plan_json(FILE *out, const struct plan_answer *answer, struct bg_error *err)
{
    const struct plan_question *q = &answer->question;
    json_t *rows = json_array();

    for (int i = 0; i < answer->rows; i++) {
        const struct plan_row *row = &answer->row[i];

        json_array_append_new(
            rows, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "method", row->words, "sd",
                            json_of(row->sd), "games_interval", json_of(row->interval),
                            "games_power", json_of(row->power), "sprt", json_of(row->sprt_end),
                            "sprt_halfway", json_of(row->sprt_between), "difference_interval",
                            json_of(row->shows), "difference_power", json_of(row->will_show)));
    }
    return json_line(
        out,
        json_pack("{s:o, s:o, s:o, s:o, s:f, s:f, s:s?, s:o, s:o, s:o}", "ppg",
                  json_of(q->ppg > 0 ? q->ppg : NAN), "fibs_points",
                  json_of(q->elo > 0 ? q->elo : NAN), "length",
                  json_of(q->elo > 0 ? q->length_points : NAN), "games",
                  json_of(q->games > 0 ? q->games : NAN), "confidence", q->confidence, "power",
                  q->power, "bot", q->first[0] == '\0' ? NULL : q->first, "results",
                  q->seen_games > 0
                      ? json_pack("{s:f, s:f, s:o, s:f}", "games", q->seen_games, "sd", q->seen_sd,
                                  "ppg", json_of(q->seen_ppg), "ppg_se", q->seen_se)
                      : json_null(),
                  "judged",
                  q->judged > 0 ? json_pack("{s:s, s:o, s:f, s:o, s:o, s:f}", "judge", q->judge,
                                            "judged_legs", json_of_count(q->judged), "sd",
                                            q->judged_sd, "adjusted",
                                            json_of(isnan(q->judged_mean) ? NAN : judged_shown(q)),
                                            "adjusted_unclipped", json_of(q->judged_mean),
                                            "adjusted_se", q->judged_se)
                                : json_null(),
                  "rows", rows),
        err);
}
