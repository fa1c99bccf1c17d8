/* Writes the answer to an input file as JSON: the `expected` member of the test vectors. One
 * function a kind, and json_pack instead of a writer of text: jansson keeps the objects whole,
 * passes NULL on when memory is out (then json_line reports it), and writes numbers at full
 * precision, which the vectors are compared with. */
#include "json_answer.h"

#include <math.h>
#include <stdlib.h>

#include <numbers/strength.h>
#include <numbers/winrate.h>

#include "base/memory.h"
#include "document/json_value.h"
#include "tables/standing.h"

/* ------------------------------------------------------- what text and JSON are made of */

struct fibs_player *json_fibs_players(const struct json_input *input)
{
    struct fibs_player *out = memory_zeroed((size_t)input->players, sizeof *out);

    for (int i = 0; i < input->players; i++) {
        out[i] = fibs_newcomer(&input->fibs);
    }
    return out;
}

/* The one place that knows which function belongs to which model. */
double json_test_llr(const struct json_test *test)
{
    double llr = 0;

    switch (test->model) {
    case SPRT_NORMAL:
        return sprt_normal(test->clusters, test->mean, test->variance, test->h0, test->h1);
    case SPRT_BINOMIAL:
        for (size_t i = 0; i < test->rows; i++) {
            llr += sprt_binomial(test->row[i].length_points, test->row[i].won, test->row[i].lost,
                                 test->h0, test->h1);
        }
        return llr;
    case SPRT_MULTINOMIAL:
        return sprt_multinomial(test->counts, test->outcomes, test->h0, test->h1);
    case SPRT_NORMALISED: /* not available in files */
        break;
    }
    return NAN;
}

enum sprt_state json_test_state(const struct json_test *test)
{
    return test->clusters < test->min_clusters
               ? SPRT_CONTINUE
               : sprt_decide(json_test_llr(test), sprt_bounds_of(test->alpha, test->beta));
}

void json_errors_sum(struct errors_sum sum[2], const struct json_input *input)
{
    sum[0] = sum[1] = (struct errors_sum){0};
    for (size_t k = 0; k < input->count; k++) {
        errors_add(&sum[input->decision[k].side], &input->decision[k].as);
    }
}

void json_luck_sum(double luck[2], const struct json_input *input)
{
    luck[0] = luck[1] = 0;
    for (size_t k = 0; k < input->count; k++) {
        luck[input->roll[k].side] += input->roll[k].roll.luck;
    }
}

/* --------------------------------------------------------------------------------- JSON */

static json_t *rating_player(const char *name, const struct rating_player *p)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:o, s:o, s:o}", "name", name, "rating",
                     json_of(p->rating), "se", json_of(p->se), "robust_se", json_of(p->robust_se),
                     "group", json_of_group(p->group), "prior", (int)p->prior, "flag",
                     rating_flag_name(p->flag), "matches", json_of(p->matches), "wins",
                     json_of(p->wins), "expected_wins", json_of(p->expected_wins));
}

static json_t *json_of_ratings(const struct rating_fit *fit, char *const *names)
{
    json_t *players = json_array(), *los = json_array();

    for (int i = 0; i < fit->players; i++) {
        json_t *row = json_array();

        for (int j = 0; j < fit->players; j++) {
            json_array_append_new(row,
                                  json_of(fit->los[(size_t)i * (size_t)fit->players + (size_t)j]));
        }
        json_array_append_new(players, rating_player(names[i], &fit->player[i]));
        json_array_append_new(los, row);
    }
    return json_pack("{s:o, s:o, s:i, s:s}", "players", players, "los", los, "groups", fit->groups,
                     "los_se", fit->robust ? "robust" : "fisher");
}

/* Counts are written as integers although they are computed as doubles: other languages' readers
 * of the vectors tell 3 from 3.0. */
static json_t *json_of_money(const struct ppg *ppg)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "clusters",
                     json_of_count(ppg->clusters), "games", json_of_count(ppg->games), "points",
                     json_of(ppg->points), "ppg", json_of(ppg->ppg), "se", json_of(ppg->se), "ci",
                     json_of_range(ppg->ci), "los", json_of(ppg->los), "sd_game",
                     json_of(ppg->sd_game), "design_effect", json_of(ppg->design_effect));
}

static json_t *json_of_money_ratings(const struct ppg_rating *rating, int players,
                                     const struct ppg_table *table, char *const *names)
{
    json_t *list = json_array();

    for (int i = 0; i < players; i++) {
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:o}", "name", names[i], "ppg_rating",
                                        json_of(rating[i].rating), "se", json_of(rating[i].se),
                                        "group", json_of_group(rating[i].group)));
    }
    return json_pack("{s:o, s:o, s:o}", "players", list, "chi2", json_of(table->chi2), "dof",
                     json_of_count(table->dof));
}

static json_t *json_of_standing(const struct standings_row *row, const char *name)
{
    return json_pack("{s:s, s:i, s:b, s:o, s:o, s:i, s:o, s:s?}", "name", name, "rank", row->rank,
                     "shared", (int)row->shared, "score", json_of(row->score), "sb",
                     json_of(row->sb), "wins", row->wins, "diff", json_of(row->difference),
                     "tiebreak", standings_criterion_name(row->tiebreak));
}

static json_t *table_player(const char *name, const struct strength_bot *bot)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "name", name,
                     "rating", json_of(bot->rating), "rating_se", json_of(bot->se), "rating_df",
                     json_of(bot->df), "rating_bar", json_of(bot->bar), "rating_low",
                     json_of(bot->low), "rating_high", json_of(bot->high), "anchor_weight",
                     json_of(bot->anchor_weight), "group", json_of_group(bot->group), "flag",
                     rating_flag_name(bot->flag), "expected_wins", json_of(bot->expected_wins));
}

/* Answers as the table of a database: the posterior, with a shared spread. */
static enum bg_status answer_table(json_t **out, const struct json_input *input,
                                   struct bg_error *err)
{
    struct strength strength;
    json_t *players = json_array(), *los = json_array();
    enum bg_status status = strength_of_matches(&strength, input->players, input->rating,
                                                input->count, &input->options, err);

    for (int i = 0; status == BG_OK && i < input->players; i++) {
        json_t *row = json_array();

        for (int j = 0; j < input->players; j++) {
            json_array_append_new(
                row, json_of(strength.los[(size_t)i * (size_t)input->players + (size_t)j]));
        }
        json_array_append_new(players, table_player(input->names[i], &strength.bot[i]));
        json_array_append_new(los, row);
    }
    *out = json_pack("{s:s, s:o, s:o}", "mode", "table", "players", players, "los", los);
    if (status == BG_OK) {
        strength_deinit(&strength);
    } else {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

static enum bg_status answer_ratings(json_t **out, const struct json_input *input,
                                     struct bg_error *err)
{
    struct rating_fit fit;
    enum bg_status status;

    if (input->table) {
        return answer_table(out, input, err);
    }
    status = rating_fit(&fit, input->players, input->rating, input->count, &input->options, err);
    if (status != BG_OK) {
        return status;
    }
    *out = json_of_ratings(&fit, input->names);
    if (input->has_performance) {
        json_t *list = json_array();

        for (size_t i = 0; i < input->performances; i++) {
            json_array_append_new(list, json_of(rating_performance(input->performance[i].opponent,
                                                                   input->performance[i].count)));
        }
        json_object_set_new(*out, "performance", list);
    }
    rating_fit_deinit(&fit);
    return BG_OK;
}

static enum bg_status answer_money(json_t **out, const struct json_input *input,
                                   struct bg_error *err)
{
    struct ppg ppg;

    (void)err;
    ppg_of(&ppg, input->points, input->games, input->count,
           ppg_sd_of_games(input->game_points, input->game_count));
    *out = json_of_money(&ppg);
    return BG_OK;
}

/* Without pairs only the interval follows from the counts: no design effect is known, so the
 * other members would repeat the input. */
static enum bg_status answer_intervals(json_t **out, const struct json_input *input,
                                       struct bg_error *err)
{
    (void)err;
    *out = json_array();
    for (size_t k = 0; k < input->count; k++) {
        const struct json_interval *row = &input->interval[k];
        struct winrate rate;

        if (row->paired) {
            winrate_of_pairs(&rate, row->pairs);
            json_array_append_new(
                *out, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "matches",
                                json_of_count(rate.matches), "wins", json_of(rate.wins), "rate",
                                json_of(rate.rate), "se", json_of(rate.se), "deff",
                                json_of(rate.deff), "wilson", json_of_range(rate.wilson)));
        } else {
            winrate_of_matches(&rate, row->wins, row->matches);
            json_array_append_new(*out, json_pack("{s:o}", "wilson", json_of_range(rate.wilson)));
        }
    }
    return BG_OK;
}

static enum bg_status answer_ppg_table(json_t **out, const struct json_input *input,
                                       struct bg_error *err)
{
    struct ppg_rating *rating = memory_zeroed((size_t)input->players, sizeof *rating);
    struct ppg_table table;
    enum bg_status status =
        ppg_table_fit(rating, &table, input->players, input->ppg, input->count, err);

    if (status == BG_OK) {
        *out = json_of_money_ratings(rating, input->players, &table, input->names);
    }
    free(rating);
    return status;
}

static enum bg_status answer_standings(json_t **out, const struct json_input *input,
                                       struct bg_error *err)
{
    struct standings_row *row = memory_zeroed((size_t)input->players, sizeof *row);

    (void)err;
    standings_of(row, input->players, input->standings, input->count);
    *out = json_array();
    for (int i = 0; i < input->players; i++) {
        json_array_append_new(*out, json_of_standing(&row[i], input->names[row[i].player]));
    }
    free(row);
    return BG_OK;
}

static json_t *test_answer(const struct json_test *test)
{
    struct sprt_bounds bounds = sprt_bounds_of(test->alpha, test->beta);
    double llr = json_test_llr(test);
    json_t *out =
        json_pack("{s:[f, f], s:o}", "bounds", bounds.lower, bounds.upper, "llr", json_of(llr));

    if (test->model == SPRT_NORMAL) {
        json_object_set_new(out, "llr_wald",
                            json_of(sprt_normal_wald(test->clusters, test->mean, test->variance,
                                                     test->h0, test->h1)));
    }
    json_object_set_new(out, "state", json_string(sprt_state_name(json_test_state(test))));
    return out;
}

static enum bg_status answer_sprt(json_t **out, const struct json_input *input,
                                  struct bg_error *err)
{
    (void)err;
    *out = json_array();
    for (size_t k = 0; k < input->count; k++) {
        json_array_append_new(*out, test_answer(&input->test[k]));
    }
    return BG_OK;
}

static enum bg_status answer_fibs(json_t **out, const struct json_input *input,
                                  struct bg_error *err)
{
    struct fibs_player *player = json_fibs_players(input);
    json_t *final = json_object(), *after = json_array();

    (void)err;
    for (size_t k = 0; k < input->count; k++) {
        const struct json_match *m = &input->match[k];

        fibs_match(&player[m->winner], &player[m->loser], m->length_points, &input->fibs);
        json_array_append_new(after, json_pack("[o, o]", json_of(player[m->winner].rating),
                                               json_of(player[m->loser].rating)));
    }
    for (int i = 0; i < input->players; i++) {
        json_object_set_new(final, input->names[i],
                            json_pack("{s:o, s:o}", "rating", json_of(player[i].rating),
                                      "experience", json_of(player[i].experience)));
    }
    *out = json_pack("{s:o, s:o}", "final", final, "after", after);
    free(player);
    return BG_OK;
}

static json_t *side_errors(const struct errors_sum *own, const struct errors_sum *other)
{
    struct errors_rates rates = errors_rates_of(own, other);

    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "decisions", json_of_count(own->counted), "error",
                     json_of(own->error), "er_milli", json_of(rates.milli), "pr", json_of(rates.pr),
                     "snowie", json_of(rates.snowie));
}

static enum bg_status answer_errors(json_t **out, const struct json_input *input,
                                    struct bg_error *err)
{
    struct errors_sum sum[2];

    (void)err;
    json_errors_sum(sum, input);
    *out = json_pack("{s:o, s:o}", "A", side_errors(&sum[0], &sum[1]), "B",
                     side_errors(&sum[1], &sum[0]));
    return BG_OK;
}

static enum bg_status answer_luck(json_t **out, const struct json_input *input,
                                  struct bg_error *err)
{
    json_t *rolls = json_array();
    double luck[2], adjusted = 0;

    (void)err;
    json_luck_sum(luck, input);
    for (size_t k = 0; k < input->count; k++) {
        const struct luck_roll *roll = &input->roll[k].roll;

        json_array_append_new(rolls, json_pack("{s:o, s:o}", "mean", json_of(roll->before), "luck",
                                               json_of(roll->luck)));
    }
    adjusted = luck_adjusted(input->result_a, luck[0], luck[1]);
    *out = json_pack("{s:o, s:o, s:o, s:o, s:o}", "rolls", rolls, "luck_a", json_of(luck[0]),
                     "luck_b", json_of(luck[1]), "adjusted_a", json_of(adjusted), "adjusted_b",
                     json_of(luck_other_side(input->unit, adjusted)));
    return BG_OK;
}

enum bg_status report_json_input(FILE *out, const struct json_input *input, struct bg_error *err)
{
    static enum bg_status (*const answer[JSON_KIND_COUNT])(
        json_t * *out, const struct json_input *input, struct bg_error *err) = {
        [JSON_RATINGS] = answer_ratings,     [JSON_MONEY] = answer_money,
        [JSON_INTERVAL] = answer_intervals,  [JSON_PPG_TABLE] = answer_ppg_table,
        [JSON_STANDINGS] = answer_standings, [JSON_SPRT] = answer_sprt,
        [JSON_FIBS] = answer_fibs,           [JSON_ERRORS] = answer_errors,
        [JSON_LUCK] = answer_luck,
    };
    json_t *json = NULL;
    enum bg_status status = answer[input->kind](&json, input, err);

    return status == BG_OK ? json_line(out, json, err) : status;
}
