/* Ratings with their error bars as a plot; the models stand below the standings. */
#include <math.h>

#include "section.h"

enum { NAME, RATING, BAR, SE, PLAIN_SE, EXPECTED, WINS, GROUP, FLAG, COLUMNS };

static const struct doc_column match_columns[COLUMNS] = {
    [NAME] = {.key = "name", .title = "Bot"},
    [RATING] = {.key = "rating", .title = "Rating", .unit = "FIBS scale", .decimals = 1},
    [BAR] = {.key = "bar", .title = "\u00b1", .unit = "95 %", .decimals = 1},
    [SE] = {.key = "robust_se", .title = "SE", .unit = "of pairs", .decimals = 1},
    [PLAIN_SE] = {.key = "se", .title = "SE", .unit = "Fisher", .decimals = 1},
    [WINS] = {.key = "wins", .title = "Won", .unit = "matches"},
    [EXPECTED] = {.key = "expected_wins", .title = "Expected", .unit = "matches", .decimals = 1},
    [GROUP] = {.key = "group", .title = "Group", .use = DOC_DATA},
    [FLAG] = {.key = "flag", .title = "Flag", .use = DOC_DATA},
};

static const struct doc_column money_columns[COLUMNS] = {
    [NAME] = {.key = "name", .title = "Bot"},
    [RATING] =
        {.key = "rating", .title = "Rating", .unit = "points/game", .decimals = 3, .sign = true},
    [BAR] = {.key = "bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [SE] = {.key = "robust_se", .title = "SE", .use = DOC_DATA},
    [PLAIN_SE] = {.key = "se", .title = "SE", .unit = "points/game", .decimals = 3},
    [WINS] = {.key = "wins", .title = "Won", .unit = "games"},
    [EXPECTED] = {.key = "expected_wins", .title = "Expected", .use = DOC_DATA},
    [GROUP] = {.key = "group", .title = "Group", .use = DOC_DATA},
    [FLAG] = {.key = "flag", .title = "Flag", .use = DOC_DATA},
};

static void money_row(struct doc_table *table, const struct report *report, int i)
{
    const struct ppg_rating *rating = &report->gather->summary.money_rating[i];

    doc_number(table, RATING, rating->rating);
    doc_number(table, BAR, section_bar(rating->se));
    doc_number(table, PLAIN_SE, rating->se);
    doc_number(table, WINS, (double)report->gather->summary.bot[i].sum.legs_won);
    doc_number(table, GROUP, rating->group < 0 ? (double)NAN : rating->group);
}

static void match_row(struct doc_table *table, const struct report *report, int i)
{
    const struct rating_player *player = &report->gather->summary.fit.player[i];

    doc_number(table, RATING, player->rating);
    doc_mark(table, RATING,
             player->flag == RATING_UNBEATEN  ? ">"
             : player->flag == RATING_WINLESS ? "<"
                                              : NULL);
    doc_number(table, BAR, section_bar(rating_told_se(player)));
    doc_number(table, SE, player->robust_se);
    doc_number(table, PLAIN_SE, player->se);
    doc_number(table, WINS, player->wins);
    doc_number(table, EXPECTED, player->expected_wins);
    doc_number(table, GROUP, player->group < 0 ? (double)NAN : player->group);
    doc_text(table, FLAG, rating_flag_name(player->flag));
}

static double rating_of(const struct report *report, int i)
{
    const struct summary *summary = &report->gather->summary;
    double rating = report->money ? summary->money_rating[i].rating : summary->fit.player[i].rating;

    return isfinite(rating) ? rating : -INFINITY;
}

/* Bots by rating, best first, those without one last; as ranked when equal. */
static void sort_by_rating(int *order, const struct report *report)
{
    for (int i = 0; i < report->count; i++) {
        int bot = report->order[i], place = i;

        for (; place > 0 && rating_of(report, order[place - 1]) < rating_of(report, bot); place--) {
            order[place] = order[place - 1];
        }
        order[place] = bot;
    }
}

void section_ratings(struct report *report)
{
    const struct summary *summary = &report->gather->summary;
    struct doc *doc = report->doc;
    int *order = doc_array(doc, (size_t)report->count, sizeof *order);
    struct doc_table *table;
    struct doc_plot *plot;

    if (report->count == 0 || order == NULL || (!report->money && summary->fit.players == 0)) {
        return;
    }
    sort_by_rating(order, report);
    doc_section(doc, "ratings", "Ratings");
    table = doc_table(doc, "ratings",
                      report->money ? "Rating in points per game, least squares over encounters"
                                    : "Rating on the FIBS scale, maximum likelihood",
                      report->money ? money_columns : match_columns, COLUMNS);
    for (int i = 0; i < report->count; i++) {
        doc_row(table);
        doc_text(table, NAME, section_bot(report, order[i]));
        (report->money ? money_row : match_row)(table, report, order[i]);
        doc_small(table, BAR, section_is_small(summary->bot[order[i]].ppg.clusters));
    }
    plot = table == NULL ? NULL
                         : doc_plot(doc, DOC_PLOT_DOTS, table,
                                    "Ratings with 95 % error bars. Bars tell how well a rating is "
                                    "known; a difference is judged by LOS.");
    if (plot != NULL) {
        plot->label = NAME;
        plot->series[0] = (struct doc_series){"rating", RATING, BAR};
        plot->series_count = 1;
        plot->axis[0] = report->money ? "rating, points per game" : "rating, FIBS scale";
        plot->zero = report->money ? 0 : NAN;
    }
}
