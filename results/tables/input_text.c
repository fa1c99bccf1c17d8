/* Prints with columns of fixed width and not through a document (document/document.h): these
 * tables exist on a terminal only. The numbers come from the functions of results/numbers, as
 * for the JSON answer, so the two forms of one input can only differ in rounding. */
#include "input_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <numbers/significance.h>
#include <numbers/strength.h>
#include <numbers/winrate.h>

#include "base/memory.h"
#include "input_tests.h"
#include "tables/page.h"

/* A matrix of more players than LOS_PLAYERS is left out: beside the names its cells would no
 * longer fit one line of a terminal. */
enum { LENGTHS = 16, LOS_PLAYERS = 10, LOS_CELL = 7, PLAYER_NUMBER = 5 };

int input_text_width(const struct json_input *input)
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
struct input_text_listed {
    int player;
    double key;
};

/* Sorts best first; players without a number last, in input order. NaN is neither above nor
 * below another number, which would give qsort no order, so it counts as the lowest. Equal keys
 * are decided by the input's order here, because qsort may swap what is equal. */
static int compare_listed(const void *x, const void *y)
{
    const struct input_text_listed *a = x, *b = y;
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
    int width = input_text_width(input);
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
    struct input_text_listed *order = memory_zeroed((size_t)input->players, sizeof *order);
    int width = input_text_width(input);
    enum bg_status status =
        rating_fit(&fit, input->players, input->rating, input->count, &input->options, err);

    if (status != BG_OK) {
        goto done;
    }
    for (int i = 0; i < input->players; i++) {
        order[i] = (struct input_text_listed){i, fit.player[i].rating};
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
    struct input_text_listed *order = memory_zeroed(players, sizeof *order);
    struct ppg_table table;
    int width = input_text_width(input);
    enum bg_status status =
        ppg_table_fit(rating, &table, input->players, input->ppg, input->count, err);

    if (status != BG_OK) {
        goto done;
    }
    for (int i = 0; i < input->players; i++) {
        order[i] = (struct input_text_listed){i, rating[i].rating};
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
    int width = input_text_width(input);

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

enum bg_status report_text_input(FILE *out, const struct json_input *input, struct bg_error *err)
{
    static enum bg_status (*const write[JSON_KIND_COUNT])(
        FILE * out, const struct json_input *input, struct bg_error *err) = {
        [JSON_RATINGS] = write_ratings,     [JSON_MONEY] = write_money,
        [JSON_INTERVAL] = write_intervals,  [JSON_PPG_TABLE] = write_ppg_table,
        [JSON_STANDINGS] = write_standings, [JSON_SPRT] = input_text_sprt,
        [JSON_FIBS] = input_text_fibs,      [JSON_ERRORS] = input_text_errors,
        [JSON_LUCK] = input_text_luck,
    };

    fprintf(out, "%s\n\n", input->title);
    return write[input->kind](out, input, err);
}
