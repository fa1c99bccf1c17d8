/* One switch from field to number, for the report, JSON and CSV: a field is added in one place,
 * and all forms then show the same value. */
#include "pairing.h"

#include <math.h>

#include "document/json_value.h"

const struct doc_column pairing_columns[PAIRING_FIELDS] = {
    [PAIRING_BOT] = {"bot", "Bot", .bot = true},
    [PAIRING_OPPONENT] = {"opponent", "Against", .bot = true},
    [PAIRING_GAMES] = {"games", .title = "Games"},
    [PAIRING_LEGS] = {"legs", .title = "Matches or games decided"},
    [PAIRING_WON] = {"won", .title = "Won"},
    [PAIRING_LOST] = {"lost", .title = "Lost"},
    [PAIRING_DRAWN] = {"drawn", .title = "Drawn"},
    [PAIRING_PERCENT] = {"won_percent", "Won%", .decimals = 1},
    [PAIRING_PERCENT_LOW] = {"won_percent_low", "low", "95 %", .decimals = 1},
    [PAIRING_PERCENT_HIGH] = {"won_percent_high", "high", "95 %", .decimals = 1},
    [PAIRING_POINTS] = {"points", "Net", "points", .sign = true},
    [PAIRING_PPG] = {"ppg", "ppg", "points/game", .decimals = 3, .sign = true},
    [PAIRING_PPG_SE] = {"ppg_se", "SE", "points/game", .decimals = 3},
    [PAIRING_PPG_DF] = {"ppg_df", "df", .decimals = 1},
    [PAIRING_PPG_LOW] = {"ppg_low", "low", "95 %", .decimals = 3},
    [PAIRING_PPG_HIGH] = {"ppg_high", "high", "95 %", .decimals = 3},
    [PAIRING_SD_GAME] = {"sd_game", "SD", "points", .decimals = 3},
    [PAIRING_DESIGN_EFFECT] = {"design_effect", "Design effect", .decimals = 3},
    [PAIRING_CLUSTERS] = {"clusters", .title = "Clusters"},
    [PAIRING_LOS] = {"los", "LOS", "0..1", .decimals = 4},
    [PAIRING_ESTABLISHED] = {"established", .title = "Established"},
    [PAIRING_OPPONENT_ESTABLISHED] = {"opponent_established", .title = "Opponent established"},
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

#define OF(member, factor) DOC_SOURCE(struct pairing, member, factor)

static const struct doc_source numbers[PAIRING_FIELDS] = {
    [PAIRING_GAMES] = OF(sum.games, 1),
    [PAIRING_LEGS] = OF(sum.legs, 1),
    [PAIRING_WON] = OF(sum.legs_won, 1),
    [PAIRING_LOST] = OF(sum.legs_lost, 1),
    [PAIRING_PERCENT_LOW] = OF(winrate.wilson[0], 100),
    [PAIRING_PERCENT_HIGH] = OF(winrate.wilson[1], 100),
    [PAIRING_POINTS] = OF(sum.points, 1),
    [PAIRING_PPG] = OF(ppg.ppg, 1),
    [PAIRING_PPG_SE] = OF(ppg.se, 1),
    [PAIRING_PPG_DF] = OF(ppg_df, 1),
    [PAIRING_PPG_LOW] = OF(ppg.ci[0], 1),
    [PAIRING_PPG_HIGH] = OF(ppg.ci[1], 1),
    [PAIRING_SD_GAME] = OF(ppg.sd_game, 1),
    [PAIRING_DESIGN_EFFECT] = OF(ppg.design_effect, 1),
    [PAIRING_CLUSTERS] = OF(sum.clusters, 1),
};

static double pairing_number(const struct pairing *pairing, enum pairing_field field)
{
    switch (field) {
    case PAIRING_DRAWN:
        return (double)tally_drawn(&pairing->sum);
    case PAIRING_PERCENT:
        return 100 * tally_share(&pairing->sum);
    case PAIRING_LOS:
        return summary_los(pairing->summary, pairing->bot, pairing->opponent);
    default:
        return doc_source_number(&numbers[field], pairing);
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
