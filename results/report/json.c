#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <numbers/summary.h>
#include <numbers/winrate.h>

/* Building never checks each step: jansson passes NULL on, and write_line tells. */
static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *count(double x)
{
    return json_integer((json_int_t)x);
}

static json_t *range(const double x[2])
{
    return isnan(x[0]) ? json_null() : json_pack("[o, o]", real(x[0]), real(x[1]));
}

static json_t *group_number(int group)
{
    return group < 0 ? json_null() : json_integer(group);
}

static enum bg_status write_line(FILE *out, json_t *json, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (json == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "results as json");
    }
    if (json_dumpf(json, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) != 0 ||
        fputc('\n', out) == EOF) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    json_decref(json);
    return status;
}

static json_t *rating_player(const char *name, const struct rating_player *p)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:o, s:o, s:o}", "name", name, "rating",
                     real(p->rating), "se", real(p->se), "robust_se", real(p->robust_se), "group",
                     group_number(p->group), "prior", (int)p->prior, "flag",
                     rating_flag_name(p->flag), "matches", real(p->matches), "wins", real(p->wins),
                     "expected_wins", real(p->expected_wins));
}

static const char *bot_name(const void *names, int i)
{
    return ((char *const *)names)[i];
}

static const char *tally_name(const void *tally, int i)
{
    return ((const struct tally *)tally)->bot[i].name;
}

static json_t *ratings(const struct rating_fit *fit, const char *(*name)(const void *names, int i),
                       const void *names)
{
    json_t *players = json_array(), *los = json_array();

    for (int i = 0; i < fit->players; i++) {
        json_t *row = json_array();

        for (int j = 0; j < fit->players; j++) {
            json_array_append_new(row,
                                  real(fit->los[(size_t)i * (size_t)fit->players + (size_t)j]));
        }
        json_array_append_new(players, rating_player(name(names, i), &fit->player[i]));
        json_array_append_new(los, row);
    }
    return json_pack("{s:o, s:o, s:i, s:s}", "players", players, "los", los, "groups", fit->groups,
                     "los_se", fit->robust ? "robust" : "fisher");
}

static enum bg_status answer_ratings(json_t **out, const struct json_input *input,
                                     struct bg_error *err)
{
    struct rating_fit fit;
    enum bg_status status =
        rating_fit(&fit, input->players, input->rating, input->count, &input->options, err);

    if (status != BG_OK) {
        return status;
    }
    *out = ratings(&fit, bot_name, (const void *)input->names);
    if (input->has_performance) {
        json_t *list = json_array();

        for (size_t i = 0; i < input->performances; i++) {
            json_array_append_new(list, real(rating_performance(input->performance[i].opponent,
                                                                input->performance[i].count)));
        }
        json_object_set_new(*out, "performance", list);
    }
    rating_fit_deinit(&fit);
    return BG_OK;
}

static json_t *money(const struct ppg *ppg)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "clusters",
                     count(ppg->clusters), "games", count(ppg->games), "points", real(ppg->points),
                     "ppg", real(ppg->ppg), "se", real(ppg->se), "ci", range(ppg->ci), "los",
                     real(ppg->los), "sd_game", real(ppg->sd_game), "design_effect",
                     real(ppg->design_effect));
}

static enum bg_status answer_money(json_t **out, const struct json_input *input,
                                   struct bg_error *err)
{
    struct ppg ppg;

    (void)err;
    ppg_of(&ppg, input->points, input->games, input->count,
           ppg_sd_of_games(input->game_points, input->game_count));
    *out = money(&ppg);
    return BG_OK;
}

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
            json_array_append_new(*out,
                                  json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "matches",
                                            count(rate.matches), "wins", real(rate.wins), "rate",
                                            real(rate.rate), "se", real(rate.se), "deff",
                                            real(rate.deff), "wilson", range(rate.wilson)));
        } else {
            winrate_of_matches(&rate, row->wins, row->matches);
            json_array_append_new(*out, json_pack("{s:o}", "wilson", range(rate.wilson)));
        }
    }
    return BG_OK;
}

static json_t *money_ratings(const struct ppg_rating *rating, int players,
                             const struct ppg_table *table,
                             const char *(*name)(const void *names, int i), const void *names)
{
    json_t *list = json_array();

    for (int i = 0; i < players; i++) {
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", name(names, i),
                                              "ppg_rating", real(rating[i].rating), "se",
                                              real(rating[i].se), "group",
                                              group_number(rating[i].group)));
    }
    return json_pack("{s:o, s:o, s:o}", "players", list, "chi2", real(table->chi2), "dof",
                     count(table->dof));
}

static enum bg_status answer_ppg_table(json_t **out, const struct json_input *input,
                                       struct bg_error *err)
{
    struct ppg_rating *rating = calloc((size_t)input->players + 1, sizeof *rating);
    struct ppg_table table;
    enum bg_status status = BG_E_MEMORY;

    if (rating == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "money ratings");
    }
    status = ppg_table_fit(rating, &table, input->players, input->ppg, input->count, err);
    if (status == BG_OK) {
        *out = money_ratings(rating, input->players, &table, bot_name, (const void *)input->names);
    }
    free(rating);
    return status;
}

static json_t *standing(const struct standings_row *row, const char *name)
{
    return json_pack("{s:s, s:i, s:b, s:o, s:o, s:i, s:o, s:s?}", "name", name, "rank", row->rank,
                     "shared", (int)row->shared, "score", real(row->score), "sb", real(row->sb),
                     "wins", row->wins, "diff", real(row->difference), "tiebreak",
                     standings_criterion_name(row->tiebreak));
}

static enum bg_status answer_standings(json_t **out, const struct json_input *input,
                                       struct bg_error *err)
{
    struct standings_row *row = calloc((size_t)input->players + 1, sizeof *row);
    enum bg_status status = BG_E_MEMORY;

    if (row == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "standings");
    }
    status = standings_of(row, input->players, input->standings, input->count, err);
    if (status == BG_OK) {
        *out = json_array();
        for (int i = 0; i < input->players; i++) {
            json_array_append_new(*out, standing(&row[i], input->names[row[i].player]));
        }
    }
    free(row);
    return status;
}

enum bg_status report_json_input(FILE *out, const struct json_input *input, struct bg_error *err)
{
    static enum bg_status (*const answer[JSON_KIND_COUNT])(
        json_t * *out, const struct json_input *input, struct bg_error *err) = {
        [JSON_RATINGS] = answer_ratings,     [JSON_MONEY] = answer_money,
        [JSON_INTERVAL] = answer_intervals,  [JSON_PPG_TABLE] = answer_ppg_table,
        [JSON_STANDINGS] = answer_standings,
    };
    json_t *json = NULL;
    enum bg_status status = answer[input->kind](&json, input, err);

    return status == BG_OK ? write_line(out, json, err) : status;
}

static json_t *event_faults(const struct tally_bot *bot)
{
    json_t *out = json_object();

    for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
        if (bot->faults[fault] > 0) {
            json_object_set_new(out, bg_fault_name((enum bg_fault)fault),
                                json_integer((json_int_t)bot->faults[fault]));
        }
    }
    return out;
}

static json_t *event_bot(const struct summary *summary, int i)
{
    const struct summary_bot *bot = &summary->bot[i];
    const struct tally_sum *sum = &bot->sum;
    json_t *out =
        json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "name",
                  summary->tally->bot[i].name, "dropped", (int)bot->dropped, "games",
                  (json_int_t)sum->games, summary->money ? "decided_games" : "matches",
                  (json_int_t)sum->legs, "won", (json_int_t)sum->legs_won, "lost",
                  (json_int_t)sum->legs_lost, "net_points", (json_int_t)sum->points, "gammons_won",
                  (json_int_t)sum->levels[2], "backgammons_won", (json_int_t)sum->levels[3], "ppg",
                  money(&bot->ppg), "faults", event_faults(&summary->tally->bot[i]));

    if (!summary->money) {
        json_object_set_new(out, "win_rate", real(bot->winrate.rate));
        json_object_set_new(out, "wilson", range(bot->winrate.wilson));
    }
    return out;
}

/* Both directions are implied: the cell of b is the mirror. */
static enum bg_status event_encounters(json_t **out, const struct tally *tally,
                                       struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *out = json_array();
    for (int a = 0; a < tally->bots; a++) {
        for (int b = a + 1; status == BG_OK && b < tally->bots; b++) {
            struct tally_sum sum;
            struct ppg ppg;

            tally_sum(&sum, tally, a, b);
            if (sum.games == 0) {
                continue;
            }
            status = summary_ppg(&ppg, tally, a, b, err);
            if (status == BG_OK) {
                json_array_append_new(
                    *out, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:[I, I, I], s:o}", "a",
                                    tally->bot[a].name, "b", tally->bot[b].name, "games",
                                    (json_int_t)sum.games, "won", (json_int_t)sum.legs_won, "lost",
                                    (json_int_t)sum.legs_lost, "net_points", (json_int_t)sum.points,
                                    "pairs", (json_int_t)sum.pairs[0], (json_int_t)sum.pairs[1],
                                    (json_int_t)sum.pairs[2], "ppg", money(&ppg)));
            }
        }
    }
    return status;
}

static json_t *event(const struct summary *summary, const struct report_options *options,
                     json_t *encounters)
{
    const struct tally *tally = summary->tally;
    json_t *standings = json_array(), *bots = json_array();
    json_t *out = NULL;

    for (int i = 0; i < summary->standings; i++) {
        const struct standings_row *row = &summary->standing[i];

        json_array_append_new(standings, standing(row, tally->bot[row->player].name));
    }
    for (int i = 0; i < tally->bots; i++) {
        json_array_append_new(bots, event_bot(summary, i));
    }
    out = json_pack("{s:s?, s:i, s:I, s:o, s:o, s:o}", "event", options->title, "length",
                    tally->length_points, "games", (json_int_t)tally->games, "standings", standings,
                    "bots", bots, "encounters", encounters);
    if (summary->money) {
        json_object_set_new(out, "money_table",
                            money_ratings(summary->money_rating, tally->bots, &summary->money_table,
                                          tally_name, tally));
    } else {
        json_object_set_new(out, "ratings",
                            summary->trouble.status == BG_OK
                                ? ratings(&summary->fit, tally_name, tally)
                                : json_null());
    }
    return out;
}

enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err)
{
    struct summary_options settings = {options->rating, options->planned_legs, options->final};
    struct summary summary;
    json_t *encounters = NULL;
    enum bg_status status = summary_of(&summary, tally, &settings, err);

    if (status != BG_OK) {
        return status;
    }
    status = event_encounters(&encounters, tally, err);
    if (status == BG_OK) {
        status = write_line(out, event(&summary, options, encounters), err);
    } else {
        json_decref(encounters);
    }
    summary_deinit(&summary);
    return status;
}
