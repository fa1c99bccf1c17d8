#include "json.h"

#include <numbers/summary.h>

#include "json_value.h"

static const char *tally_name(const void *tally, int i)
{
    return ((const struct tally *)tally)->bot[i].name;
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
                  json_of_money(&bot->ppg), "faults", event_faults(&summary->tally->bot[i]));

    if (!summary->money) {
        json_object_set_new(out, "win_rate", json_of(bot->winrate.rate));
        json_object_set_new(out, "wilson", json_of_range(bot->winrate.wilson));
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
                                    (json_int_t)sum.pairs[2], "ppg", json_of_money(&ppg)));
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

        json_array_append_new(standings, json_of_standing(row, tally->bot[row->player].name));
    }
    for (int i = 0; i < tally->bots; i++) {
        json_array_append_new(bots, event_bot(summary, i));
    }
    out = json_pack("{s:s?, s:i, s:I, s:o, s:o, s:o}", "event", options->title, "length",
                    tally->length_points, "games", (json_int_t)tally->games, "standings", standings,
                    "bots", bots, "encounters", encounters);
    if (summary->money) {
        json_object_set_new(out, "money_table",
                            json_of_money_ratings(summary->money_rating, tally->bots,
                                                  &summary->money_table, tally_name, tally));
    } else {
        json_object_set_new(out, "ratings",
                            summary->trouble.status == BG_OK
                                ? json_of_ratings(&summary->fit, tally_name, tally)
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
        status = json_line(out, event(&summary, options, encounters), err);
    } else {
        json_decref(encounters);
    }
    summary_deinit(&summary);
    return status;
}
