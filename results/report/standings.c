/* The final table, in the order of the announced rule, with the tie-breaks. One table has all
 * columns for machines, and two views of it what a reader needs: the first has the width of a
 * telephone, the second the rest. */
#include "tables/notes.h"
#include "section.h"

#include <tables/standings_text.h>

static const enum standing_field match_fields[] = {
    STANDING_RANK,          STANDING_SHARED,     STANDING_BOT,         STANDING_SCORE,
    STANDING_SHARE,         STANDING_LEGS,       STANDING_WON,         STANDING_LOST,
    STANDING_DRAWN,         STANDING_PERCENT,    STANDING_PERCENT_LOW, STANDING_PERCENT_HIGH,
    STANDING_RATING,        STANDING_RATING_BAR, STANDING_RATING_SE,   STANDING_RATING_DF,
    STANDING_ANCHOR_WEIGHT, STANDING_GROUP,      STANDING_FLAG,        STANDING_RANK_LOW,
    STANDING_RANK_HIGH,     STANDING_BEST,       STANDING_EXPECTED,    STANDING_CLUSTERS,
    STANDING_GAMES,         STANDING_POINTS,     STANDING_GAMMONS,     STANDING_BACKGAMMONS,
    STANDING_FAULTS,        STANDING_SB,         STANDING_BEATEN,      STANDING_DIFFERENCE,
    STANDING_TIEBREAK,      STANDING_DROPPED,
};

static const enum standing_field money_fields[] = {
    STANDING_RANK,          STANDING_SHARED,    STANDING_BOT,       STANDING_SCORE,
    STANDING_SHARE,         STANDING_LEGS,      STANDING_WON,       STANDING_LOST,
    STANDING_DRAWN,         STANDING_PERCENT,   STANDING_RATING,    STANDING_RATING_BAR,
    STANDING_ANCHOR_WEIGHT, STANDING_RATING_SE, STANDING_RATING_DF, STANDING_GROUP,
    STANDING_FLAG,          STANDING_RANK_LOW,  STANDING_RANK_HIGH, STANDING_BEST,
    STANDING_PPG,           STANDING_PPG_BAR,   STANDING_PPG_SE,    STANDING_PPG_DF,
    STANDING_CLUSTERS,      STANDING_GAMES,     STANDING_POINTS,    STANDING_GAMMONS,
    STANDING_BACKGAMMONS,   STANDING_FAULTS,    STANDING_SB,        STANDING_BEATEN,
    STANDING_DIFFERENCE,    STANDING_TIEBREAK,  STANDING_DROPPED,
};

enum {
    MATCH_FIELDS = sizeof match_fields / sizeof match_fields[0],
    MONEY_FIELDS = sizeof money_fields / sizeof money_fields[0]
};

enum { PICKS = 16, NO_FIELD = -1 };

/* A printed column: fields of a standing. */
struct standings_shown {
    enum standing_field main;
    int sub, end; /* NO_FIELD: none */
    const char *before, *says;
};

/* The columns that fit a telephone. */
static const struct standings_shown match_first[] = {
    {STANDING_RANK, NO_FIELD, NO_FIELD, NULL, NULL},
    {STANDING_BOT, NO_FIELD, NO_FIELD, NULL, NULL},
    {STANDING_WON, STANDING_LEGS, NO_FIELD, "of ", ""},
    {STANDING_PERCENT, STANDING_PERCENT_LOW, STANDING_PERCENT_HIGH, NULL, "95 %"},
    {STANDING_RATING, STANDING_RATING_BAR, NO_FIELD, "\u00b1", "\u00b1 95 %"},
};
static const struct standings_shown money_first[] = {
    {STANDING_RANK, NO_FIELD, NO_FIELD, NULL, NULL},
    {STANDING_BOT, NO_FIELD, NO_FIELD, NULL, NULL},
    {STANDING_SCORE, STANDING_LEGS, NO_FIELD, "in ", "in games"},
    {STANDING_PPG, STANDING_PPG_BAR, NO_FIELD, "\u00b1", "\u00b1 95 %"},
    {STANDING_RATING, STANDING_RATING_BAR, NO_FIELD, "\u00b1", "\u00b1 95 %"},
};
static const enum standing_field match_more[] = {
    STANDING_BOT,     STANDING_SCORE,       STANDING_SHARE,  STANDING_RANK_LOW, STANDING_RANK_HIGH,
    STANDING_BEST,    STANDING_EXPECTED,    STANDING_SB,     STANDING_BEATEN,   STANDING_DIFFERENCE,
    STANDING_GAMMONS, STANDING_BACKGAMMONS, STANDING_FAULTS, STANDING_TIEBREAK,
};
static const enum standing_field money_more[] = {
    STANDING_BOT,    STANDING_SHARE,      STANDING_RANK_LOW, STANDING_RANK_HIGH,
    STANDING_BEST,   STANDING_WON,        STANDING_PERCENT,  STANDING_SB,
    STANDING_BEATEN, STANDING_DIFFERENCE, STANDING_GAMMONS,  STANDING_BACKGAMMONS,
    STANDING_FAULTS, STANDING_TIEBREAK,
};

static int column_of(const enum standing_field *fields, int count, int field)
{
    for (int i = 0; i < count; i++) {
        if ((int)fields[i] == field) {
            return i;
        }
    }
    return 0;
}

/* Whether every ranked bot's score is its matches won; not so if some bots are unranked. The
 * column would repeat the one before it. */
static bool score_is_won(const struct summary *summary)
{
    for (int k = 0; k < summary->standings; k++) {
        const struct standings_row *row = &summary->standing[k];

        if (row->score != (double)summary->bot[row->player].sum.legs_won) {
            return false;
        }
    }
    return true;
}

static void view(struct report *report, struct doc_table *table, const char *caption,
                 const struct standings_shown *shown, int count)
{
    const enum standing_field *fields = report->money ? money_fields : match_fields;
    int all = report->money ? MONEY_FIELDS : MATCH_FIELDS;
    struct doc_pick *picks = doc_array(report->doc, PICKS, sizeof *picks);

    for (int i = 0; picks != NULL && i < count; i++) {
        picks[i] = (struct doc_pick){.main = column_of(fields, all, (int)shown[i].main),
                                     .sub = column_of(fields, all, shown[i].sub),
                                     .end = column_of(fields, all, shown[i].end),
                                     .before = shown[i].before,
                                     .says = shown[i].says};
    }
    if (picks != NULL) {
        doc_view(report->doc, table, caption, picks, count);
    }
}

static void more(struct report *report, struct doc_table *table)
{
    const enum standing_field *fields = report->money ? money_more : match_more;
    int all = report->money ? (int)(sizeof money_more / sizeof money_more[0])
                            : (int)(sizeof match_more / sizeof match_more[0]);
    struct standings_shown shown[PICKS];
    int count = 0;

    for (int i = 0; i < all; i++) {
        if (fields[i] != STANDING_SCORE || !score_is_won(&report->gather->summary)) {
            shown[count++] = (struct standings_shown){fields[i], NO_FIELD, NO_FIELD, NULL, NULL};
        }
    }
    view(report, table, "Possible ranks, ties and gammons", shown, count);
}

static void notes(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct report_options options = event_results_options(&report->gather->results);

    notes_standings(report->doc, summary, false);
    notes_sample(report->doc, summary);
    doc_note(report->doc,
             "SB is Sonneborn-Berger: points scored against each opponent times that opponent's "
             "score, summed. G%% and BG%%: gammons and backgammons won, of all games. Rank from, "
             "to: the ranks by strength that the results allow, 95 %% for all bots together. Best: "
             "probability to be the strongest, from the ratings.");
    doc_note(report->doc, "Bars show how well a rating is known; use LOS for a difference.");
    notes_ratings(report->doc, summary, &options);
    notes_surplus(report->doc, &options);
    doc_note(report->doc, "- is an undefined value.");
}

void section_standings(struct report *report)
{
    const enum standing_field *fields = report->money ? money_fields : match_fields;
    int count = report->money ? MONEY_FIELDS : MATCH_FIELDS;
    struct doc_table *table;

    doc_section(report->doc, "standings", "Standings");
    table = standing_table(report->doc, "standings",
                           report->money ? "Standings by net points" : "Standings by matches won",
                           report->money, fields, count);
    table->head = column_of(fields, count, STANDING_BOT);
    view(report, table, table->caption, report->money ? money_first : match_first,
         report->money ? (int)(sizeof money_first / sizeof money_first[0])
                       : (int)(sizeof match_first / sizeof match_first[0]));
    for (int i = 0; i < report->count; i++) {
        standing_row(table, &report->gather->summary, report->order[i], fields, count);
    }
    section_ratings(report);
    more(report, table);
    notes(report);
}
