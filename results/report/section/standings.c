/* The final table, in the order of the announced rule, with what broke ties. */
#include "../notes.h"
#include "../standing.h"
#include "section.h"

static const enum standing_field match_fields[] = {
    STANDING_RANK,         STANDING_SHARED,      STANDING_BOT,         STANDING_SCORE,
    STANDING_SHARE,        STANDING_LEGS,        STANDING_WON,         STANDING_LOST,
    STANDING_DRAWN,        STANDING_PERCENT,     STANDING_PERCENT_LOW, STANDING_PERCENT_HIGH,
    STANDING_RATING_SHOWN, STANDING_RATING_BAR,  STANDING_RATING,      STANDING_RATING_SE,
    STANDING_RATING_DF,    STANDING_BOUND,       STANDING_BOUND_SIDE,  STANDING_GROUP,
    STANDING_COMPONENT,    STANDING_FLAG,        STANDING_RANK_LOW,    STANDING_RANK_HIGH,
    STANDING_BEST,         STANDING_CLUSTERS,    STANDING_GAMES,       STANDING_POINTS,
    STANDING_GAMMONS,      STANDING_BACKGAMMONS, STANDING_FAULTS,      STANDING_SB,
    STANDING_BEATEN,       STANDING_DIFFERENCE,  STANDING_TIEBREAK,    STANDING_DROPPED,
};

static const enum standing_field money_fields[] = {
    STANDING_RANK,        STANDING_SHARED,    STANDING_BOT,          STANDING_SCORE,
    STANDING_SHARE,       STANDING_LEGS,      STANDING_WON,          STANDING_LOST,
    STANDING_DRAWN,       STANDING_PERCENT,   STANDING_RATING_SHOWN, STANDING_RATING_BAR,
    STANDING_RATING,      STANDING_RATING_SE, STANDING_RATING_DF,    STANDING_GROUP,
    STANDING_FLAG,        STANDING_RANK_LOW,  STANDING_RANK_HIGH,    STANDING_BEST,
    STANDING_PPG,         STANDING_PPG_BAR,   STANDING_PPG_SE,       STANDING_PPG_DF,
    STANDING_CLUSTERS,    STANDING_GAMES,     STANDING_POINTS,       STANDING_GAMMONS,
    STANDING_BACKGAMMONS, STANDING_FAULTS,    STANDING_SB,           STANDING_BEATEN,
    STANDING_DIFFERENCE,  STANDING_TIEBREAK,  STANDING_DROPPED,
};

enum {
    MATCH_FIELDS = sizeof match_fields / sizeof match_fields[0],
    MONEY_FIELDS = sizeof money_fields / sizeof money_fields[0]
};

void section_standings(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct report_options options = event_results_options(&report->gather->results);
    const enum standing_field *fields = report->money ? money_fields : match_fields;
    int count = report->money ? MONEY_FIELDS : MATCH_FIELDS;
    struct doc_table *table;

    doc_section(report->doc, "standings", "Standings");
    table = standing_table(report->doc, "standings",
                           report->money ? "Standings by net points" : "Standings by matches won",
                           report->money, fields, count);
    for (int i = 0; table != NULL && i < count; i++) {
        table->head = fields[i] == STANDING_BOT ? i : table->head;
    }
    for (int i = 0; i < report->count; i++) {
        standing_row(table, summary, report->order[i], fields, count);
    }
    notes_standings(summary, section_note, report->doc);
    doc_note(report->doc,
             "SB is Sonneborn-Berger: points scored against each opponent times that opponent's "
             "score, summed. G%% and BG%%: gammons and backgammons won, of all games. From, to: "
             "the ranks by strength that the results leave open, 95 %% for all bots at once. "
             "Best: chance to be the strongest, from the ratings.");
    notes_ratings(summary, &options, section_note, report->doc);
    notes_sample(summary, section_note, report->doc);
    doc_note(report->doc, "- is what is not defined.");
}
