/* One switch from field to number, for the report, JSON and CSV: a field is added in one place,
 * and all forms then show the same value. */
#include "pairing.h"

#include <math.h>

#include "document/json_value.h"

const struct doc_column pairing_columns[PAIRING_FIELDS] = {
    [PAIRING_BOT] = {.key = "bot", .title = "Bot", .bot = true},
    [PAIRING_OPPONENT] = {.key = "opponent", .title = "Against", .bot = true},
    [PAIRING_GAMES] = {.key = "games", .title = "Games"},
    [PAIRING_LEGS] = {.key = "legs", .title = "Matches or games decided"},
    [PAIRING_WON] = {.key = "won", .title = "Won"},
    [PAIRING_LOST] = {.key = "lost", .title = "Lost"},
    [PAIRING_DRAWN] = {.key = "drawn", .title = "Drawn"},
    [PAIRING_PERCENT] = {.key = "won_percent", .title = "Won%", .decimals = 1},
    [PAIRING_PERCENT_LOW] = {.key = "won_percent_low",
                             .title = "low",
                             .unit = "95 %",
                             .decimals = 1},
    [PAIRING_PERCENT_HIGH] = {.key = "won_percent_high",
                              .title = "high",
                              .unit = "95 %",
                              .decimals = 1},
    [PAIRING_POINTS] = {.key = "points", .title = "Net", .unit = "points", .sign = true},
    [PAIRING_PPG] =
        {.key = "ppg", .title = "ppg", .unit = "points/game", .decimals = 3, .sign = true},
    [PAIRING_PPG_SE] = {.key = "ppg_se", .title = "SE", .unit = "points/game", .decimals = 3},
    [PAIRING_PPG_DF] = {.key = "ppg_df", .title = "df", .decimals = 1},
    [PAIRING_PPG_LOW] = {.key = "ppg_low", .title = "low", .unit = "95 %", .decimals = 3},
    [PAIRING_PPG_HIGH] = {.key = "ppg_high", .title = "high", .unit = "95 %", .decimals = 3},
    [PAIRING_SD_GAME] = {.key = "sd_game", .title = "SD", .unit = "points", .decimals = 3},
    [PAIRING_DESIGN_EFFECT] = {.key = "design_effect", .title = "Design effect", .decimals = 3},
    [PAIRING_CLUSTERS] = {.key = "clusters", .title = "Clusters"},
    [PAIRING_LOS] = {.key = "los", .title = "LOS", .unit = "0..1", .decimals = 4},
    [PAIRING_ESTABLISHED] = {.key = "established", .title = "Established"},
    [PAIRING_OPPONENT_ESTABLISHED] = {.key = "opponent_established",
                                      .title = "Opponent established"},
};

/* Everything is computed once here; a cell then only picks, because a table asks for each field
 * of a pairing in turn. */
void pairing_of(struct pairing *out, const struct summary *summary, int bot, int opponent)
{
    *out = (struct pairing){
        .summary = summary, .bot = bot, .opponent = opponent, .ppg_df = (double)NAN};
    tally_sum(&out->sum, summary->tally, bot, opponent);
    summary_ppg(&out->ppg, &out->ppg_df, summary, bot, opponent);
    summary_winrate(&out->winrate, summary, bot, opponent);
}

const double *pairing_interval(const struct pairing *pairing)
{
    return pairing->summary->money ? pairing->ppg.ci : pairing->winrate.wilson;
}

static double of_points(const struct ppg *ppg, enum pairing_field field)
{
    switch (field) {
    case PAIRING_PPG:
        return ppg->ppg;
    case PAIRING_PPG_SE:
        return ppg->se;
    case PAIRING_PPG_LOW:
        return ppg->ci[0];
    case PAIRING_PPG_HIGH:
        return ppg->ci[1];
    case PAIRING_SD_GAME:
        return ppg->sd_game;
    default:
        return ppg->design_effect;
    }
}

static double pairing_number(const struct pairing *pairing, enum pairing_field field)
{
    const struct tally_sum *sum = &pairing->sum;

    switch (field) {
    case PAIRING_GAMES:
        return (double)sum->games;
    case PAIRING_LEGS:
        return (double)sum->legs;
    case PAIRING_WON:
        return (double)sum->legs_won;
    case PAIRING_LOST:
        return (double)sum->legs_lost;
    case PAIRING_DRAWN:
        return (double)tally_drawn(sum);
    case PAIRING_PERCENT:
        return 100 * tally_share(sum);
    case PAIRING_PERCENT_LOW:
        return 100 * pairing->winrate.wilson[0];
    case PAIRING_PERCENT_HIGH:
        return 100 * pairing->winrate.wilson[1];
    case PAIRING_POINTS:
        return (double)sum->points;
    case PAIRING_PPG_DF:
        return pairing->ppg_df;
    case PAIRING_CLUSTERS:
        return (double)sum->clusters;
    case PAIRING_LOS:
        return summary_los(pairing->summary, pairing->bot, pairing->opponent);
    default:
        return of_points(&pairing->ppg, field);
    }
}

struct doc_cell pairing_cell(const struct pairing *pairing, enum pairing_field field)
{
    const struct summary *summary = pairing->summary;
    int bot = pairing->bot, opponent = pairing->opponent;

    switch (field) {
    case PAIRING_BOT:
        return (struct doc_cell){.kind = DOC_TEXT, .text = summary->tally->bot[bot].name};
    case PAIRING_OPPONENT:
        return (struct doc_cell){.kind = DOC_TEXT, .text = summary->tally->bot[opponent].name};
    case PAIRING_ESTABLISHED:
        return (struct doc_cell){.kind = DOC_FLAG,
                                 .number = summary_established(summary, bot, opponent)};
    case PAIRING_OPPONENT_ESTABLISHED:
        return (struct doc_cell){.kind = DOC_FLAG,
                                 .number = summary_established(summary, opponent, bot)};
    default:
        return (struct doc_cell){.kind = DOC_NUMBER, .number = pairing_number(pairing, field)};
    }
}

/* A column without decimals is a count, so its number is written as an integer. */
json_t *pairing_json(const struct pairing *pairing)
{
    const uint64_t *pairs = pairing->sum.pairs;
    json_t *out = json_object();

    for (int field = 0; field < PAIRING_FIELDS; field++) {
        struct doc_cell cell = pairing_cell(pairing, (enum pairing_field)field);

        json_object_set_new(out, pairing_columns[field].key,
                            json_of_cell(&cell, pairing_columns[field].decimals == 0));
    }
    json_object_set_new(out, "pairs",
                        json_pack("[I, I, I, I, I]", (json_int_t)pairs[0], (json_int_t)pairs[1],
                                  (json_int_t)pairs[2], (json_int_t)pairs[3],
                                  (json_int_t)pairs[4]));
    return out;
}
