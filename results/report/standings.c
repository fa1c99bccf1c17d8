/* The final table, in the order of the announced rule, with the tie-breaks, the plot of ratings
 * beside it, and the incremental ratings of match servers. One table
 * has all columns of the standing for machines, and two views of it what a reader needs: the first
 * has the width of a telephone, the second the rest. */
#include <math.h>

#include <tables/event_table.h>

#include "section.h"
#include "tables/notes.h"
#include "tables/standing.h"

/* --------------------------------------------------------------------- ratings as a plot */

enum {
    RATING_NAME,
    RATING_VALUE,
    RATING_BAR,
    RATING_SE,
    RATING_DF,
    RATING_WEIGHT,
    RATING_WON,
    RATING_EXPECTED,
    RATING_GROUP,
    RATING_FLAG,
    RATING_FIELDS
};

static const enum standing_field rating_fields[RATING_FIELDS] = {
    [RATING_NAME] = STANDING_BOT,       [RATING_VALUE] = STANDING_RATING,
    [RATING_BAR] = STANDING_RATING_BAR, [RATING_SE] = STANDING_RATING_SE,
    [RATING_DF] = STANDING_RATING_DF,   [RATING_WEIGHT] = STANDING_ANCHOR_WEIGHT,
    [RATING_WON] = STANDING_WON,        [RATING_EXPECTED] = STANDING_EXPECTED,
    [RATING_GROUP] = STANDING_GROUP,    [RATING_FLAG] = STANDING_FLAG,
};

/* Returns a bot's sort key. */
static double rating_key(const struct report *report, int i)
{
    double at = standing_cell(&report->gather->summary, i, STANDING_RATING).number;

    return isfinite(at) ? at : -INFINITY;
}

/* Sorts the bots by rating, best first, bots without a rating last; equal ones in rank order. */
static void sort_by_rating(int *order, const struct report *report)
{
    for (int i = 0; i < report->count; i++) {
        int bot = report->order[i], place = i;

        for (; place > 0 && rating_key(report, order[place - 1]) < rating_key(report, bot);
             place--) {
            order[place] = order[place - 1];
        }
        order[place] = bot;
    }
}

static void add_ratings(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct doc *doc = report->doc;
    int *order = doc_array(doc, (size_t)report->count, sizeof *order);
    struct doc_table *table;
    struct doc_plot *plot;

    if (report->count == 0 || summary->trouble.status != BG_OK) {
        return;
    }
    sort_by_rating(order, report);
    table = standing_table(doc, "ratings",
                           report->money ? "Rating in points per game" : "Rating on the FIBS scale",
                           report->money, rating_fields, RATING_FIELDS);
    for (int i = 0; i < report->count; i++) {
        standing_row(table, summary, order[i], rating_fields, RATING_FIELDS);
    }
    table->data = true;
    if (report->count < 3) {
        return; /* the second would mirror the first */
    }
    plot = doc_plot(doc, DOC_PLOT_DOTS, table, "Ratings with 95 % error bars");
    plot->label = RATING_NAME;
    plot->series[0] =
        (struct doc_series){.name = "rating", .value = RATING_VALUE, .error = RATING_BAR};
    plot->series_count = 1;
    plot->axis[0] = report->money ? "rating, points per game" : "rating, FIBS scale";
    plot->zero = report->money ? 0 : NAN;
}

/* ----------------------------------------------------------------------------- standings */

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
    MONEY_FIELDS = sizeof money_fields / sizeof money_fields[0],
    NO_FIELD = -1
};

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
enum { FIRST_COLUMNS = 5 };
_Static_assert(sizeof match_first == FIRST_COLUMNS * sizeof match_first[0], "as many");
_Static_assert(sizeof money_first == FIRST_COLUMNS * sizeof money_first[0], "as many");

static const enum standing_field match_more[] = {
    STANDING_BOT,         STANDING_SCORE,  STANDING_SHARE,      STANDING_EXPECTED,
    STANDING_SB,          STANDING_BEATEN, STANDING_DIFFERENCE, STANDING_GAMMONS,
    STANDING_BACKGAMMONS, STANDING_FAULTS, STANDING_TIEBREAK,
};
static const enum standing_field money_more[] = {
    STANDING_BOT,         STANDING_SHARE,  STANDING_WON,        STANDING_PERCENT,
    STANDING_SB,          STANDING_BEATEN, STANDING_DIFFERENCE, STANDING_GAMMONS,
    STANDING_BACKGAMMONS, STANDING_FAULTS, STANDING_TIEBREAK,
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
    struct doc_pick *picks = doc_array(report->doc, STANDING_FIELDS, sizeof *picks);

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

/* Two bots have no ranks, and nothing to break a tie with. */
static bool is_of_ranks(enum standing_field field)
{
    return field == STANDING_RANK || field == STANDING_SHARE || field == STANDING_EXPECTED ||
           field == STANDING_SB || field == STANDING_BEATEN || field == STANDING_TIEBREAK;
}

/* What else the standings have: a view of the same table. */
void section_ties(struct report *report)
{
    const enum standing_field *fields = report->money ? money_more : match_more;
    int all = report->money ? (int)(sizeof money_more / sizeof money_more[0])
                            : (int)(sizeof match_more / sizeof match_more[0]);
    struct standings_shown shown[STANDING_FIELDS];
    int count = 0;

    for (int i = 0; i < all; i++) {
        if ((fields[i] != STANDING_SCORE || !score_is_won(&report->gather->summary)) &&
            (report->count > 2 || !is_of_ranks(fields[i]))) {
            shown[count++] = (struct standings_shown){fields[i], NO_FIELD, NO_FIELD, NULL, NULL};
        }
    }
    if (report->standings == NULL) {
        return;
    }
    doc_section(report->doc, "ties", report->count > 2 ? "Ties and gammons" : "Gammons");
    view(report, report->standings,
         report->count > 2 ? "What breaks ties, gammons, games lost by faults"
                           : "Gammons, games lost by faults",
         shown, count);
    doc_note(report->doc, "%sG%% and BG%%: gammons and backgammons won, of all games.",
             report->count > 2 ? "SB is Sonneborn-Berger: points scored against each opponent "
                                 "times that opponent's score, summed. "
                               : "");
}

static void notes(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct report_options options = event_results_options(&report->gather->results);

    notes_standings(report->doc, summary, false);
    notes_sample(report->doc, summary);
    doc_note(report->doc, "Bars show how well a rating is known; use LOS for a difference.");
    notes_ratings(report->doc, summary, &options);
    notes_surplus(report->doc, &options);
    doc_note(report->doc, "- is an undefined value.");
}

void section_standings(struct report *report)
{
    const enum standing_field *fields = report->money ? money_fields : match_fields;
    int count = report->money ? MONEY_FIELDS : MATCH_FIELDS;
    const struct standings_shown *first;
    struct doc_table *table;

    doc_section(report->doc, "standings", "Standings");
    table = standing_table(report->doc, "standings",
                           report->gather->summary.by_form ? "Places by the event's form"
                           : report->money                 ? "Standings by net points"
                                                           : "Standings by matches won",
                           report->money, fields, count);
    table->head = column_of(fields, count, STANDING_BOT);
    /* Without the rank for two bots. */
    first = report->money ? money_first : match_first;
    view(report, table, table->caption, report->count > 2 ? first : first + 1,
         FIRST_COLUMNS - (report->count > 2 ? 0 : 1));
    for (int i = 0; i < report->count; i++) {
        standing_row(table, &report->gather->summary, report->order[i], fields, count);
    }
    report->standings = table;
    add_ratings(report);
    notes(report);
}
