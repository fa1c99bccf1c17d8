/* The final table, in the order of the announced rule, with what broke ties. */
#include <math.h>

#include "../notes.h"
#include "section.h"

enum {
    RANK,
    SHARED,
    NAME,
    SCORE,
    LEGS,
    WON,
    PERCENT,
    RATING,
    RATING_BAR,
    PPG,
    PPG_BAR,
    PPG_SE,
    CLUSTERS,
    GAMES,
    GAMMONS,
    BACKGAMMONS,
    FAULTS,
    SB,
    BEATEN,
    DIFFERENCE,
    TIEBREAK,
    DROPPED,
    COLUMNS
};

#define SHARED_COLUMNS                                                                             \
    [RANK] = {.key = "rank", .title = "Rank"},                                                     \
    [SHARED] = {.key = "shared", .title = "Shared", .use = DOC_DATA},                              \
    [NAME] = {.key = "name", .title = "Bot"},                                                      \
    [PPG] = {.key = "ppg", .title = "ppg", .unit = "points/game", .decimals = 3, .sign = true},    \
    [PPG_BAR] = {.key = "ppg_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},              \
    [PPG_SE] = {.key = "ppg_se", .title = "SE", .decimals = 4, .use = DOC_DATA},                   \
    [CLUSTERS] = {.key = "clusters", .title = "Clusters", .use = DOC_DATA},                        \
    [GAMES] = {.key = "games", .title = "Games", .use = DOC_DATA},                                 \
    [GAMMONS] = {.key = "gammon_percent", .title = "G", .unit = "% won", .decimals = 1},           \
    [BACKGAMMONS] = {.key = "backgammon_percent", .title = "BG", .unit = "% won", .decimals = 1},  \
    [FAULTS] = {.key = "faults", .title = "Faults", .unit = "lost by"},                            \
    [SB] = {.key = "sb", .title = "SB", .unit = "points"},                                         \
    [BEATEN] = {.key = "opponents_beaten", .title = "Beat", .unit = "opponents"},                  \
    [DIFFERENCE] = {.key = "difference", .title = "Diff.", .unit = "points", .sign = true},        \
    [TIEBREAK] = {.key = "tiebreak", .title = "Tie", .unit = "broken by"},                         \
    [DROPPED] = {.key = "dropped", .title = "Not ranked", .use = DOC_DATA}

static const struct doc_column match_columns[COLUMNS] = {
    SHARED_COLUMNS,
    [SCORE] = {.key = "score", .title = "Score", .unit = "matches"},
    [LEGS] = {.key = "matches", .title = "Played", .unit = "matches"},
    [WON] = {.key = "won", .title = "Won", .unit = "matches"},
    [PERCENT] = {.key = "won_percent", .title = "Won", .unit = "%", .decimals = 1},
    [RATING] = {.key = "rating", .title = "Rating", .unit = "FIBS scale", .decimals = 1},
    [RATING_BAR] = {.key = "rating_bar", .title = "\u00b1", .unit = "95 %", .decimals = 1},
};

static const struct doc_column money_columns[COLUMNS] = {
    SHARED_COLUMNS,
    [SCORE] = {.key = "score", .title = "Net", .unit = "points", .sign = true},
    [LEGS] = {.key = "decided_games", .title = "Played", .unit = "games"},
    [WON] = {.key = "won", .title = "Won", .unit = "games"},
    [PERCENT] = {.key = "won_percent", .title = "Won", .unit = "%", .decimals = 1},
    [RATING] =
        {.key = "rating", .title = "Rating", .unit = "points/game", .decimals = 3, .sign = true},
    [RATING_BAR] = {.key = "rating_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
};

static void rating_cells(struct doc_table *table, const struct report *report, int i)
{
    const struct summary *summary = &report->gather->summary;

    if (report->money) {
        doc_number(table, RATING, summary->money_rating[i].rating);
        doc_number(table, RATING_BAR, section_bar(summary->money_rating[i].se));
    } else if (summary->fit.players > 0) {
        const struct rating_player *player = &summary->fit.player[i];

        doc_number(table, RATING, player->rating);
        doc_mark(table, RATING,
                 player->flag == RATING_UNBEATEN  ? ">"
                 : player->flag == RATING_WINLESS ? "<"
                                                  : NULL);
        doc_number(table, RATING_BAR, section_bar(rating_told_se(player)));
    }
    doc_small(table, RATING_BAR, section_is_small(summary->bot[i].ppg.clusters));
}

static void result_cells(struct doc_table *table, const struct report *report, int i)
{
    const struct summary_bot *bot = &report->gather->summary.bot[i];
    const struct tally_sum *sum = &bot->sum;

    doc_text(table, NAME, section_bot(report, i));
    doc_number(table, LEGS, (double)sum->legs);
    doc_number(table, WON, (double)sum->legs_won);
    doc_number(table, PERCENT, section_percent((double)sum->legs_won, (double)sum->legs));
    doc_number(table, PPG, bot->ppg.ppg);
    doc_number(table, PPG_BAR, section_bar(bot->ppg.se));
    doc_number(table, PPG_SE, bot->ppg.se);
    doc_small(table, PPG_BAR, section_is_small(bot->ppg.clusters));
    doc_number(table, CLUSTERS, bot->ppg.clusters);
    doc_number(table, GAMES, (double)sum->games);
    doc_number(table, GAMMONS, section_percent((double)sum->levels[2], (double)sum->games));
    doc_number(table, BACKGAMMONS, section_percent((double)sum->levels[3], (double)sum->games));
    doc_number(table, FAULTS, bot->faults);
    doc_flag(table, DROPPED, bot->dropped);
    rating_cells(table, report, i);
}

static void ranked_row(struct doc_table *table, const struct report *report,
                       const struct standings_row *row)
{
    doc_row(table);
    doc_number(table, RANK, row->rank);
    doc_flag(table, SHARED, row->shared);
    if (doc_cell(table, RANK) != NULL && row->shared) {
        doc_cell(table, RANK)->after = "=";
    }
    result_cells(table, report, row->player);
    doc_number(table, SCORE, row->score);
    doc_number(table, SB, row->sb);
    doc_number(table, BEATEN, row->wins);
    doc_number(table, DIFFERENCE, row->difference);
    doc_text(table, TIEBREAK, standings_criterion_name(row->tiebreak));
}

void section_standings(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct report_options options = event_results_options(&report->gather->results);
    struct doc_table *table;

    doc_section(report->doc, "standings", "Standings");
    table = doc_table(report->doc, "standings",
                      report->money ? "Standings by net points" : "Standings by matches won",
                      report->money ? money_columns : match_columns, COLUMNS);
    if (table != NULL) {
        table->head = NAME;
    }
    for (int k = 0; k < summary->standings; k++) {
        ranked_row(table, report, &summary->standing[k]);
    }
    for (int i = 0; i < summary->tally->bots; i++) {
        if (summary->bot[i].dropped) {
            doc_row(table);
            result_cells(table, report, i);
        }
    }
    notes_standings(summary, section_note, report->doc);
    doc_note(report->doc,
             "SB is Sonneborn-Berger: points scored against each opponent times that opponent's "
             "score, summed. G and BG: gammons and backgammons won, of all games. ppg is points "
             "per game over all games, \u00b1 is 95 %% (1.96 cluster "
             "standard errors; a duplicate pair is one cluster).");
    notes_ratings(summary, &options, section_note, report->doc);
    notes_sample(summary, section_note, report->doc);
    doc_note(report->doc,
             DOC_SMALL " marks small samples: fewer than %d clusters, their error bars are rough. "
                       "- is what is not defined.",
             NOTES_SMALL_SAMPLE);
}
