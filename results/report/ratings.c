/* Ratings with error bars as a plot beside the standings, which explain the models. */
#include <math.h>

#include "tables/standing.h"
#include "section.h"

enum { NAME, RATING, BAR, SE, DF, WEIGHT, WON, EXPECTED, GROUP, FLAG, FIELDS };

static const enum standing_field fields[FIELDS] = {
    [NAME] = STANDING_BOT,     [RATING] = STANDING_RATING,     [BAR] = STANDING_RATING_BAR,
    [SE] = STANDING_RATING_SE, [DF] = STANDING_RATING_DF,      [WEIGHT] = STANDING_ANCHOR_WEIGHT,
    [WON] = STANDING_WON,      [EXPECTED] = STANDING_EXPECTED, [GROUP] = STANDING_GROUP,
    [FLAG] = STANDING_FLAG,
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

void section_ratings(struct report *report)
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
                           report->money, fields, FIELDS);
    for (int i = 0; i < report->count; i++) {
        standing_row(table, summary, order[i], fields, FIELDS);
    }
    table->data = true;
    plot = doc_plot(doc, DOC_PLOT_DOTS, table, "Ratings with 95 % error bars");
    plot->label = NAME;
    plot->series[0] = (struct doc_series){.name = "rating", .value = RATING, .error = BAR};
    plot->series_count = 1;
    plot->axis[0] = report->money ? "rating, points per game" : "rating, FIBS scale";
    plot->zero = report->money ? 0 : NAN;
}
