/* How it came about: ratings over the matches of the event, or points per game over its money
 * games.
 *
 * The order is that of the schedule and not that in which games ended, because that one depends on
 * the concurrency: with a form the meetings as they were paired, else pair by pair. */
#include <math.h>
#include <stdlib.h>

#include <base/memory.h>

#include "section.h"

enum {
    POINTS = 40, /* of a line */
    LINES = 8    /* bots with a line: more can not be told apart */
};

/* Small, since an event may have millions. */
struct course_leg {
    uint32_t key; /* number of its meeting, or its pair; UINT32_MAX: it has none */
    uint32_t at;  /* which leg */
};

/* A bot on its way. */
struct course_bot {
    struct fibs_player fibs;
    double points, legs; /* money play */
};

static uint64_t key_of(const struct report *report, const struct season *season,
                       const struct leg *leg)
{
    const struct tally *tally = &report->gather->results.tally;
    const struct season_leg seen = {.a = tally->bot[leg->a].name,
                                    .b = tally->bot[leg->b].name,
                                    .pair = leg->pair,
                                    .leg = leg->leg};
    struct season_fixture fixture;
    uint64_t at;

    if (season == NULL || season_plan(season)->stages == 0) {
        return leg->pair;
    }
    if (!season_find_fixture(&at, season, &seen)) {
        return UINT64_MAX;
    }
    season_fixture(&fixture, season, at);
    return fixture.meeting;
}

/* Sorts by the key, a byte a pass, the lowest first; legs of one key keep their order. `varies` has
 * the bits in which keys differ. With a million legs a fifth of the time of qsort. */
static struct course_leg *sorted_by_key(struct course_leg *from, size_t count, uint32_t varies)
{
    struct course_leg *to = memory_zeroed(count, sizeof *to);

    for (int shift = 0; shift < 32; shift += 8) {
        size_t begin[257] = {0};
        struct course_leg *sorted = to;

        if ((varies >> shift & 255) == 0) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            begin[(from[i].key >> shift & 255) + 1]++;
        }
        for (int byte = 0; byte < 256; byte++) {
            begin[byte + 1] += begin[byte];
        }
        for (size_t i = 0; i < count; i++) {
            to[begin[from[i].key >> shift & 255]++] = from[i];
        }
        to = from;
        from = sorted;
    }
    free(to);
    return from;
}

/* Returns the decided legs in the order of the schedule; the caller frees them. Legs of one key
 * come by bots and leg, as they stand in `legs`. */
static struct course_leg *legs_in_order(struct report *report)
{
    const struct legs *legs = &report->gather->legs;
    const struct sheet_source *sheet = section_sheet(report);
    const struct season *season = sheet == NULL ? NULL : sheet_season(sheet);
    struct course_leg *out = memory_zeroed(legs->count, sizeof *out);
    uint32_t varies = 0;

    for (size_t i = 0; i < legs->count; i++) {
        uint64_t key = key_of(report, season, &legs->leg[i]);

        out[i].key = key < UINT32_MAX ? (uint32_t)key : UINT32_MAX;
        out[i].at = (uint32_t)i;
        varies |= out[i].key ^ out[0].key;
    }
    return sorted_by_key(out, legs->count, varies);
}

static void count_leg(struct course_bot *bots, const struct leg *leg)
{
    static const struct fibs_options options = FIBS_OPTIONS_INIT;
    struct course_bot *a = &bots[leg->a], *b = &bots[leg->b];

    a->points += leg->points;
    b->points -= leg->points;
    a->legs++;
    b->legs++;
    if (leg->length_points > 0 && leg->won != 0.5F) {
        fibs_match(leg->won == 1 ? &a->fibs : &b->fibs, leg->won == 1 ? &b->fibs : &a->fibs,
                   leg->length_points, &options);
    }
}

/* ------------------------------------------------------------------------ as a drawing */

enum { BOT, PLAYED, VALUE, COLUMNS };

static const struct doc_column match_columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [PLAYED] = {"matches", .title = "Matches of the event"},
    [VALUE] = {"rating", "FIBS rating", .decimals = 1},
};
static const struct doc_column money_columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [PLAYED] = {"games", .title = "Games of the event"},
    [VALUE] = {"ppg", "Points per game so far", .decimals = 3, .sign = true},
};

/* Keeps where the first bots are: [line * (POINTS + 1) + point]. */
static void keep(double *values, const struct report *report, const struct course_bot *bots,
                 int point)
{
    for (int line = 0; line < LINES && line < report->count; line++) {
        const struct course_bot *bot = &bots[report->order[line]];

        values[line * (POINTS + 1) + point] = !report->money  ? bot->fibs.rating
                                              : bot->legs > 0 ? bot->points / bot->legs
                                                              : NAN;
    }
}

static void draw(struct report *report, const double *values, const size_t *played)
{
    bool money = report->money;
    struct doc_table *table = doc_table(
        report->doc, "course", money ? "Points per game on the way" : "FIBS ratings on the way",
        money ? money_columns : match_columns, COLUMNS);
    struct doc_plot *plot;

    table->data = true;
    for (int line = 0; line < LINES && line < report->count; line++) {
        /* A tenth of the event first: the mean of two games would stretch the drawing. */
        for (int point = money ? POINTS / 10 : 0; point <= POINTS; point++) {
            doc_row(table);
            doc_text(table, BOT, section_bot(report, report->order[line]));
            doc_number(table, PLAYED, (double)played[point]);
            doc_number(table, VALUE, values[line * (POINTS + 1) + point]);
        }
    }
    plot = doc_plot(report->doc, DOC_PLOT_COURSE, table,
                    doc_format(report->doc, "%s over the event%s",
                               money ? "Points per game so far" : "FIBS rating",
                               report->count > LINES ? ", the first eight bots" : ""));
    plot->label = BOT;
    plot->series[0] = (struct doc_series){.name = "played", .value = PLAYED};
    plot->series[1] = (struct doc_series){.name = "value", .value = VALUE};
    plot->series_count = 2;
    plot->axis[0] = money ? "games finished" : "matches finished";
    plot->axis[1] = money ? "points per game" : "FIBS rating";
    plot->zero = NAN;
}

/* ----------------------------------------------------------------- as match servers rate */

enum { FIBS_NAME, FIBS_RATING, FIBS_CHANGE, FIBS_EXPERIENCE, FIBS_COLUMNS };

static const struct doc_column fibs_columns[FIBS_COLUMNS] = {
    [FIBS_NAME] = {"bot", "Bot", .bot = true},
    [FIBS_RATING] = {"rating", "FIBS rating", "points", .decimals = 1},
    [FIBS_CHANGE] = {"change", "Since start", "points", .decimals = 1, .sign = true},
    [FIBS_EXPERIENCE] = {"experience", "Experience", .unit = "match points"},
};

static void fibs_table(struct report *report, const struct course_bot *bots)
{
    struct doc_table *table = doc_table(
        report->doc, "fibs", "Incremental FIBS rating, match by match", fibs_columns, FIBS_COLUMNS);

    for (int i = 0; i < report->count; i++) {
        const struct fibs_player *player = &bots[report->order[i]].fibs;

        doc_row(table);
        doc_text(table, FIBS_NAME, section_bot(report, report->order[i]));
        doc_number(table, FIBS_RATING, player->rating);
        doc_number(table, FIBS_CHANGE, player->rating - FIBS_START);
        doc_number(table, FIBS_EXPERIENCE, player->experience);
    }
    doc_note(report->doc,
             "Every bot starts at %.0f; matches count in the order of the schedule (%s), at any "
             "concurrency. The rating depends on that order and does not converge "
             "(its own noise is some 40 points): use the ratings above for conclusions.",
             FIBS_START,
             report->gather->summary.by_form ? "meeting by meeting" : "pair, bots, leg");
}

void section_course(struct report *report)
{
    const struct legs *legs = &report->gather->legs;
    double values[LINES * (POINTS + 1)];
    size_t played[POINTS + 1], next = 0;
    struct course_bot *bots;
    struct course_leg *order;

    if (legs->count == 0 || report->count < 2) {
        return;
    }
    order = legs_in_order(report);
    bots = memory_zeroed((size_t)report->gather->results.tally.bots, sizeof *bots);
    for (int i = 0; i < report->gather->results.tally.bots; i++) {
        bots[i].fibs = fibs_newcomer(&(struct fibs_options)FIBS_OPTIONS_INIT);
    }
    for (int point = 0; point <= POINTS; point++) {
        for (; next < legs->count * (size_t)point / POINTS; next++) {
            count_leg(bots, &legs->leg[order[next].at]);
        }
        played[point] = next;
        keep(values, report, bots, point);
    }
    doc_section(report->doc, "course", "Over time");
    if (legs->count >= POINTS) {
        draw(report, values, played);
    }
    if (!report->money) {
        fibs_table(report, bots);
    }
    free(bots);
    free(order);
}
