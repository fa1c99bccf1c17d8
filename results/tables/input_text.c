/* Prints with columns of fixed width and not through a document (document/document.h): these
 * tables exist on a terminal only. The numbers come from the functions of results/numbers, as
 * for the JSON answer, so the two forms of one input can only differ in rounding. All kinds are
 * called through one table, so every function has the same parameters, and `err` is not used where
 * nothing can fail. */
#include "input_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <numbers/significance.h>
#include <numbers/strength.h>
#include <numbers/winrate.h>

#include "base/memory.h"
#include "json_answer.h"
#include "tables/page.h"

/* A matrix of more players than LOS_PLAYERS is left out: beside the names its cells would no
 * longer fit one line of a terminal. */
enum { LENGTHS = 16, LOS_PLAYERS = 10, LOS_CELL = 7, PLAYER_NUMBER = 5 };

static int name_width(const struct json_input *input)
{
    size_t width = 4;

    for (int i = 0; i < input->players; i++) {
        width = strlen(input->names[i]) > width ? strlen(input->names[i]) : width;
    }
    return width > PAGE_NAME_MAX ? PAGE_NAME_MAX : (int)width;
}

/* For display, groups count from 1; NaN: no group. As a double, because page_number prints a
 * number that is not finite as "-". */
static double group_number(int group)
{
    double number = group + 1;

    return group < 0 ? NAN : number;
}

/* One player and its sort key. */
struct listed {
    int player;
    double key;
};

/* Sorts best first; players without a number last, in input order. NaN is neither above nor
 * below another number, which would give qsort no order, so it counts as the lowest. Equal keys
 * are decided by the input's order here, because qsort may swap what is equal. */
static int compare_listed(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    double p = isnan(a->key) ? -HUGE_VAL : a->key, q = isnan(b->key) ? -HUGE_VAL : b->key;

    return p != q ? (p < q) - (p > q) : a->player - b->player;
}

/* With one length there is nothing to compare: the scale only says how lengths relate to each
 * other. */
static void length_checks(FILE *out, const struct rating_fit *fit, const struct json_input *input)
{
    struct rating_length_check check[LENGTHS];
    size_t lengths = rating_check_lengths(check, LENGTHS, fit, input->rating, input->count);

    if (lengths < 2) {
        return;
    }
    page_wrap(out, 2,
              "* Fit by match length, in standard deviations (beyond 3 the sqrt(n) scale does not "
              "fit these lengths):");
    for (size_t i = 0; i < lengths && i < LENGTHS; i++) {
        fprintf(out, "  %5.0f points %8.0f matches", check[i].length_points, check[i].matches);
        page_signed(out, 8, 2, check[i].deviation);
        fputc('\n', out);
    }
}

static void los_matrix(FILE *out, const struct rating_fit *fit, const struct json_input *input,
                       int width)
{
    fprintf(out, "\nLOS in %% (row stronger than column), %s errors\n%*s",
            fit->robust ? "robust" : "Fisher", PLAYER_NUMBER + width, "");
    for (int j = 0; j < fit->players; j++) {
        fprintf(out, "%*d", LOS_CELL, j + 1);
    }
    for (int i = 0; i < fit->players; i++) {
        fprintf(out, "\n%*d ", PLAYER_NUMBER - 1, i + 1);
        page_name(out, width, input->names[i]);
        for (int j = 0; j < fit->players; j++) {
            page_number(out, LOS_CELL, 1, 100 * fit->los[i * fit->players + j]);
        }
    }
    fputs("\n\n", out);
}

static void rating_line(FILE *out, const struct rating_player *p, const char *name, int width,
                        bool robust)
{
    const char *mark = p->flag == RATING_UNBEATEN ? ">" : p->flag == RATING_WINLESS ? "<" : " ";

    page_name(out, width, name);
    fprintf(out, " %s", isfinite(p->rating) ? mark : " ");
    page_number(out, 8, 1, p->rating);
    page_number(out, 8, 1, STAT_Z95 * p->se);
    if (robust) {
        page_number(out, 8, 1, STAT_Z95 * p->robust_se);
    }
    page_number(out, 6, 0, group_number(p->group));
    page_number(out, 9, 0, p->matches);
    page_number(out, 9, 1, p->wins);
    page_number(out, 9, 1, p->expected_wins);
    fprintf(out, "  %s%s\n", rating_flag_name(p->flag), p->prior ? ", prior" : "");
}

/* Writes the same table as for a database. */
static enum bg_status write_table(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct strength strength;
    int width = name_width(input);
    enum bg_status status = strength_of_matches(&strength, input->players, input->rating,
                                                input->count, &input->options, err);

    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "%-*s %10s %9s  %s\n", width, "Name", "FIBS", "+/-", "flag");
    for (int i = 0; i < input->players; i++) {
        const struct strength_bot *bot = &strength.bot[i];

        page_name(out, width, input->names[i]);
        page_number(out, 11, 1, bot->rating);
        page_number(out, 10, 1, bot->bar);
        fprintf(out, "  %s\n", rating_flag_name(bot->flag));
    }
    page_wrap(out, 2, "* As in the table of a database: FIBS points; +/- is 95 %%.");
    strength_deinit(&strength);
    return BG_OK;
}

/* Starts with an empty fit, so that the one exit may free it whether or not it was made. */
static enum bg_status write_formula(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct rating_fit fit = {0};
    struct listed *order = memory_zeroed((size_t)input->players, sizeof *order);
    int width = name_width(input);
    enum bg_status status =
        rating_fit(&fit, input->players, input->rating, input->count, &input->options, err);

    if (status != BG_OK) {
        goto done;
    }
    for (int i = 0; i < input->players; i++) {
        order[i] = (struct listed){i, fit.player[i].rating};
    }
    qsort(order, (size_t)input->players, sizeof *order, compare_listed);
    fprintf(out, "%-*s  %8s %7s%s %5s %8s %8s %8s  %s\n", width, "Name", "FIBS", "+/-",
            fit.robust ? "  robust" : "", "group", "matches", "wins", "expected", "flag");
    for (int i = 0; i < input->players; i++) {
        rating_line(out, &fit.player[order[i].player], input->names[order[i].player], width,
                    fit.robust);
    }
    if (input->players <= LOS_PLAYERS) {
        los_matrix(out, &fit, input, width);
    }
    page_wrap(out, 2,
              "* FIBS: maximum likelihood on the FIBS scale, %s %.0f; +/- is 95 %%. Groups never "
              "met: do not compare their ratings. > won all, < won none: set by the prior.",
              input->options.anchor >= 0 ? input->names[input->options.anchor]
                                         : "the mean of a group is",
              input->options.anchor_rating);
    length_checks(out, &fit, input);
    for (size_t i = 0; i < input->performances; i++) {
        fprintf(out, "Performance %zu:", i + 1);
        page_number(
            out, 9, 1,
            rating_performance(input->performance[i].opponent, input->performance[i].count));
        fputc('\n', out);
    }
done:
    rating_fit_deinit(&fit);
    free(order);
    return status;
}

/* "table" answers with the model of a database (a shared spread, posterior errors), the default
 * with the plain maximum likelihood that the test vectors contain: an author checks formulas
 * with the one and our tables with the other. */
static enum bg_status write_ratings(FILE *out, const struct json_input *input, struct bg_error *err)
{
    return (input->table ? write_table : write_formula)(out, input, err);
}

static enum bg_status write_money(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct ppg ppg;

    (void)err;
    ppg_of(&ppg, input->points, input->games, input->count,
           ppg_sd_of_games(input->game_points, input->game_count));
    fprintf(out, "%.0f games in %.0f clusters, net points ", ppg.games, ppg.clusters);
    page_signed(out, 0, 2, ppg.points);
    fprintf(out, "\nppg ");
    page_signed(out, 0, 4, ppg.ppg);
    fprintf(out, "  se ");
    page_number(out, 0, 4, ppg.se);
    fprintf(out, "  95 %% ");
    page_signed(out, 0, 4, ppg.ci[0]);
    fprintf(out, " to ");
    page_signed(out, 0, 4, ppg.ci[1]);
    fprintf(out, "\nLOS ");
    page_number(out, 0, 2, 100 * ppg.los);
    fprintf(out, " %%  sd of a game ");
    page_number(out, 0, 3, ppg.sd_game);
    fprintf(out, "  design effect ");
    page_number(out, 0, 3, ppg.design_effect);
    fprintf(out, "%s\n", ppg.clusters < 30 ? "\n* Small sample: error bars are rough." : "");
    return BG_OK;
}

static enum bg_status write_intervals(FILE *out, const struct json_input *input,
                                      struct bg_error *err)
{
    (void)err;
    fprintf(out, "%9s %9s %8s %8s %8s   %s\n", "matches", "wins", "rate%", "se%", "deff",
            "95 % (Wilson)");
    for (size_t k = 0; k < input->count; k++) {
        const struct json_interval *row = &input->interval[k];
        struct winrate rate;

        if (row->paired) {
            winrate_of_pairs(&rate, row->pairs);
        } else {
            winrate_of_matches(&rate, row->wins, row->matches);
        }
        page_number(out, 9, 0, rate.matches);
        page_number(out, 10, 1, rate.wins);
        page_number(out, 9, 2, 100 * rate.rate);
        page_number(out, 9, 2, 100 * rate.se);
        page_number(out, 9, 3, rate.deff);
        page_number(out, 9, 2, 100 * rate.wilson[0]);
        page_number(out, 9, 2, 100 * rate.wilson[1]);
        fputc('\n', out);
    }
    return BG_OK;
}

static enum bg_status write_ppg_table(FILE *out, const struct json_input *input,
                                      struct bg_error *err)
{
    size_t players = (size_t)input->players;
    struct ppg_rating *rating = memory_zeroed(players, sizeof *rating);
    struct listed *order = memory_zeroed(players, sizeof *order);
    struct ppg_table table;
    int width = name_width(input);
    enum bg_status status =
        ppg_table_fit(rating, &table, input->players, input->ppg, input->count, err);

    if (status != BG_OK) {
        goto done;
    }
    for (int i = 0; i < input->players; i++) {
        order[i] = (struct listed){i, rating[i].rating};
    }
    qsort(order, players, sizeof *order, compare_listed);
    fprintf(out, "%-*s %9s %8s %5s\n", width, "Name", "ppg", "+/-", "group");
    for (int i = 0; i < input->players; i++) {
        const struct ppg_rating *r = &rating[order[i].player];

        page_name(out, width, input->names[order[i].player]);
        page_signed(out, 10, 4, r->rating);
        page_number(out, 9, 4, STAT_Z95 * r->se);
        page_number(out, 6, 0, group_number(r->group));
        fputc('\n', out);
    }
    fprintf(out, "* Weighted least squares, 0 on average in a group; chi2 %.2f on %.0f dof.\n",
            table.chi2, table.dof);
done:
    free(rating);
    free(order);
    return status;
}

static enum bg_status write_standings(FILE *out, const struct json_input *input,
                                      struct bg_error *err)
{
    struct standings_row *row = memory_zeroed((size_t)input->players, sizeof *row);
    int width = name_width(input);

    (void)err;
    standings_of(row, input->players, input->standings, input->count);
    fprintf(out, "Rank %-*s %9s %10s %5s %9s  %s\n", width, "Name", "score", "SB", "wins", "diff",
            "tie broken by");
    for (int i = 0; i < input->players; i++) {
        const char *criterion = standings_criterion_name(row[i].tiebreak);

        fprintf(out, "%3d%s ", row[i].rank, row[i].shared ? "=" : " ");
        page_name(out, width, input->names[row[i].player]);
        page_number(out, 10, 1, row[i].score);
        page_number(out, 11, 1, row[i].sb);
        page_number(out, 6, 0, row[i].wins);
        page_signed(out, 10, 1, row[i].difference);
        fprintf(out, "%s%s\n", criterion == NULL ? "" : "  ", criterion == NULL ? "" : criterion);
    }
    free(row);
    return BG_OK;
}

/* ------------------------------------------------------------ more than one number a row */

static const char *model_name(enum sprt_model model)
{
    static const char *const names[] = {"normal", "binomial", "multinomial", "normalised"};

    return names[model];
}

static enum bg_status write_sprt(FILE *out, const struct json_input *input, struct bg_error *err)
{
    (void)err;
    fprintf(out, "%-11s %9s %9s %9s %9s %9s %9s %9s  %s\n", "model", "clusters", "h0", "h1", "LLR",
            "Wald", "lower", "upper", "state");
    for (size_t k = 0; k < input->count; k++) {
        const struct json_test *test = &input->test[k];
        struct sprt_bounds bounds = sprt_bounds_of(test->alpha, test->beta);
        double llr = json_test_llr(test);

        fprintf(out, "%-11s", model_name(test->model));
        page_number(out, 10, 0, test->clusters);
        page_number(out, 10, 4, test->h0);
        page_number(out, 10, 4, test->h1);
        page_number(out, 10, 3, llr);
        page_number(
            out, 10, 3,
            test->model == SPRT_NORMAL
                ? sprt_normal_wald(test->clusters, test->mean, test->variance, test->h0, test->h1)
                : NAN);
        page_number(out, 10, 3, bounds.lower);
        page_number(out, 10, 3, bounds.upper);
        fprintf(out, "  %s\n", sprt_state_name(json_test_state(test)));
    }
    return BG_OK;
}

/* The matches are replayed one after the other: a FIBS rating depends on their order, so no sum
 * of them gives the same. */
static enum bg_status write_fibs(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct fibs_player *player = json_fibs_players(input);
    int width = name_width(input);

    (void)err;
    for (size_t k = 0; k < input->count; k++) {
        const struct json_match *m = &input->match[k];

        fibs_match(&player[m->winner], &player[m->loser], m->length_points, &input->fibs);
    }
    fprintf(out, "%-*s %8s %11s\n", width, "Name", "FIBS", "experience");
    for (int i = 0; i < input->players; i++) {
        page_name(out, width, input->names[i]);
        page_number(out, 9, 1, player[i].rating);
        page_number(out, 12, 0, player[i].experience);
        fputc('\n', out);
    }
    page_wrap(out, 2,
              "* The rating depends on the order of the matches and does not converge (its own "
              "noise is about 40 points); kind ratings gives ratings with error bars.");
    free(player);
    return BG_OK;
}

static enum bg_status write_errors(FILE *out, const struct json_input *input, struct bg_error *err)
{
    struct errors_sum sum[2];

    (void)err;
    json_errors_sum(sum, input);
    fprintf(out, "side %9s %9s %9s %9s %9s\n", "decisions", "error", "mEMG", "PR", "Snowie");
    for (int side = 0; side < 2; side++) {
        struct errors_rates rates = errors_rates_of(&sum[side], &sum[1 - side]);

        fprintf(out, "%c   ", "AB"[side]);
        page_number(out, 10, 0, sum[side].counted);
        page_number(out, 10, 4, sum[side].error);
        page_number(out, 10, 2, rates.milli);
        page_number(out, 10, 2, rates.pr);
        page_number(out, 10, 2, rates.snowie);
        fputc('\n', out);
    }
    page_wrap(out, 2,
              "* By the judge that found these errors: do not compare rates of different judges, "
              "and do not rank by them.");
    return BG_OK;
}

static enum bg_status write_luck(FILE *out, const struct json_input *input, struct bg_error *err)
{
    double luck[2], adjusted = 0;
    const char *unit = input->unit == LUCK_POINTS ? "points" : "MWC";

    (void)err;
    json_luck_sum(luck, input);
    adjusted = luck_adjusted(input->result_a, luck[0], luck[1]);
    fprintf(out, "roll side %9s %9s\n", "before", "luck");
    for (size_t k = 0; k < input->count; k++) {
        fprintf(out, "%4zu %c   ", k + 1, "AB"[input->roll[k].side]);
        page_signed(out, 10, 4, input->roll[k].roll.before);
        page_signed(out, 10, 4, input->roll[k].roll.luck);
        fputc('\n', out);
    }
    fprintf(out, "result of A ");
    page_signed(out, 0, 4, input->result_a);
    fprintf(out, ", luck of A ");
    page_signed(out, 0, 4, luck[0]);
    fprintf(out, ", of B ");
    page_signed(out, 0, 4, luck[1]);
    fprintf(out, "\nwithout luck: A ");
    page_signed(out, 0, 4, adjusted);
    fprintf(out, ", B ");
    page_signed(out, 0, 4, luck_other_side(input->unit, adjusted));
    fprintf(out, " (%s)\n", unit);
    return BG_OK;
}

enum bg_status report_text_input(FILE *out, const struct json_input *input, struct bg_error *err)
{
    static enum bg_status (*const write[JSON_KIND_COUNT])(
        FILE * out, const struct json_input *input, struct bg_error *err) = {
        [JSON_RATINGS] = write_ratings,     [JSON_MONEY] = write_money,
        [JSON_INTERVAL] = write_intervals,  [JSON_PPG_TABLE] = write_ppg_table,
        [JSON_STANDINGS] = write_standings, [JSON_SPRT] = write_sprt,
        [JSON_FIBS] = write_fibs,           [JSON_ERRORS] = write_errors,
        [JSON_LUCK] = write_luck,
    };

    fprintf(out, "%s\n\n", input->title);
    return write[input->kind](out, input, err);
}
