/* How it came about: ratings at dates of the event, or over its matches where dates are not known.
 *
 * The FIBS rating takes matches in the order of the schedule and not in that in which games ended,
 * because that one depends on the concurrency: with a form the meetings as they were paired, else
 * pair by pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <base/utc.h>

#include "section.h"
#include "sums/rating_history.h"

enum {
    LINES = 8,   /* bots with a line: more can not be told apart */
    DATES = 2000 /* looked up in an event of many legs; more would cost more than the ratings */
};

/* Small, since an event may have millions. */
struct course_leg {
    uint32_t key; /* number of its meeting, or its pair; UINT32_MAX: it has none */
    uint32_t at;  /* which leg */
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

/* Sorts by the key, eleven bits a pass, the lowest first; legs of one key keep their order.
 * `varies` has the bits in which keys differ. With a million legs a fifth of the time of qsort. */
static struct course_leg *sorted_by_key(struct course_leg *from, size_t count, uint32_t varies)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    struct course_leg *to = memory_zeroed(count, sizeof *to);

    for (int shift = 0; shift < 32; shift += BITS) {
        size_t begin[DIGITS + 1] = {0};
        struct course_leg *sorted = to;

        if ((varies >> shift & (DIGITS - 1)) == 0) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            begin[(from[i].key >> shift & (DIGITS - 1)) + 1]++;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            begin[digit + 1] += begin[digit];
        }
        for (size_t i = 0; i < count; i++) {
            to[begin[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
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

/* ------------------------------------------------------------------------ as a drawing */

enum { BOT, AT, AT_S, PLAYED, VALUE, SE, COLUMNS };

static const struct doc_column match_columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [AT] = {"at", "Until", "UTC"},
    [AT_S] = {"at_s", .use = DOC_DATA},
    [PLAYED] = {"matches", "Matches", "of the event"},
    [VALUE] = {"rating", "Rating", "FIBS scale", .decimals = 1},
    [SE] = {"se", "\u00b1", "standard error", .decimals = 1},
};
static const struct doc_column money_columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [AT] = {"at", "Until", "UTC"},
    [AT_S] = {"at_s", .use = DOC_DATA},
    [PLAYED] = {"games", "Games", "of the event"},
    [VALUE] = {"ppg", "Points per game", .decimals = 3, .sign = true},
    [SE] = {"se", "\u00b1", "standard error", .decimals = 3},
};

/* When legs ended, as far as it was looked up. */
struct course_dates {
    const struct tally *tally;
    struct rating_history_date *date; /* owned */
    size_t count, room;
};

static bool add_date(void *user, const struct game_id *leg, int64_t at_s)
{
    struct course_dates *dates = user;
    const struct rating_history_date date = {.a = tally_find(dates->tally, leg->a),
                                             .b = tally_find(dates->tally, leg->b),
                                             .pair = leg->pair,
                                             .leg = leg->leg,
                                             .at_s = at_s};

    if (date.a >= 0 && date.b >= 0) {
        dates->date = memory_list(dates->date, &dates->room, dates->count + 1, sizeof *dates->date);
        dates->date[dates->count++] = date;
    }
    return at_s > 0; /* else it goes by number, whatever the others are */
}

/* Fills in the points of the legs by their dates. Returns false if they are not known. */
static bool points_by_date(struct report *report, uint8_t *point,
                           int64_t at_s[RATING_HISTORY_POINTS])
{
    const struct gather *gather = report->gather;
    struct course_dates dates = {.tally = &gather->results.tally};
    const size_t legs = gather->legs.count;
    bool done = false;

    report->status = store_each_date(gather->results.store, legs <= DATES ? 0 : (int)(legs / DATES),
                                     add_date, &dates, report->err);
    if (report->status == BG_OK) {
        done = rating_history_by_date(point, at_s, &gather->legs, dates.date, dates.count);
    }
    free(dates.date);
    return done;
}

/* At equal steps of the schedule, without a sort: there may be millions of legs. */
static void points_by_number(struct report *report, uint8_t *point)
{
    const struct legs *legs = &report->gather->legs;
    const struct sheet_source *sheet = section_sheet(report);
    const struct season *season = sheet == NULL ? NULL : sheet_season(sheet);
    const uint64_t last = RATING_HISTORY_POINTS - 1;
    uint64_t keys = 1;

    for (size_t i = 0; i < legs->count;) {
        uint64_t key;

        i = legs_encounter_end(legs, i);
        key = key_of(report, season, &legs->leg[i - 1]);
        keys = key < UINT32_MAX && key >= keys ? key + 1 : keys;
    }
    for (size_t i = 0; i < legs->count; i++) {
        const uint64_t key = key_of(report, season, &legs->leg[i]);

        point[i] = (uint8_t)(key < keys ? 1 + key * last / keys : last);
    }
}

/* Without the first tenth of the event, since what two games tell would stretch the drawing, and
 * without the middle of a night. */
static bool is_shown(const struct rating_history *history, int point)
{
    const int last = RATING_HISTORY_POINTS - 1, step = history->step;
    const uint64_t *legs = &history->legs[point];

    return (last - point) % step == 0 && legs[0] * 10 >= history->legs[last] &&
           !(point >= step && point < last && legs[-step] == legs[0] && legs[step] == legs[0]);
}

/* at_s NULL: dates are not known. */
static void fill_course(struct doc_table *table, const struct report *report,
                        const struct rating_history *history, const int64_t *at_s)
{
    const int bots = report->gather->results.tally.bots;

    for (int line = 0; line < LINES && line < report->count; line++) {
        for (int k = 0; k < RATING_HISTORY_POINTS; k++) {
            const struct rating_then *rating = &history->rating[k * bots + report->order[line]];
            char at[UTC_TEXT];

            if (!is_shown(history, k)) {
                continue;
            }
            doc_row(table);
            doc_text(table, BOT, section_bot(report, report->order[line]));
            if (at_s != NULL) {
                utc_write(at, at_s[k]);
                doc_text(table, AT, at);
                doc_number(table, AT_S, (double)at_s[k]);
            }
            doc_number(table, PLAYED, (double)history->legs[k]);
            doc_number(table, VALUE, rating->rating);
            doc_number(table, SE, rating->se);
        }
    }
}

/* The numbers at the axis have no day if all are of one. */
static const char *axis_title(struct doc *doc, const int64_t *at_s)
{
    char first[UTC_TEXT], last[UTC_TEXT];

    utc_write(first, at_s[0]);
    utc_write(last, at_s[RATING_HISTORY_POINTS - 1]);
    return strncmp(first, last, strlen("2026-11-22")) == 0 ? doc_format(doc, "%.10s, UTC", first)
                                                           : "UTC";
}

static void draw(struct report *report, const struct rating_history *history, const int64_t *at_s)
{
    const bool money = report->money;
    struct doc_table *table = doc_table(report->doc, "course", "Over time, as the table was then",
                                        money ? money_columns : match_columns, COLUMNS);
    struct doc_plot *plot;

    table->data = true;
    fill_course(table, report, history, at_s);
    plot = doc_plot(report->doc, DOC_PLOT_COURSE, table,
                    doc_format(report->doc, "%s over %s, and the standard error%s",
                               money ? "Points per game" : "Rating",
                               at_s != NULL ? "time" : "the event",
                               report->count > LINES ? ", the first eight bots" : ""));
    plot->label = BOT;
    plot->scale = at_s != NULL ? DOC_SCALE_TIME : DOC_SCALE_PLAIN;
    plot->series[0] = (struct doc_series){.name = "at", .value = at_s != NULL ? AT_S : PLAYED};
    plot->series[1] = (struct doc_series){.name = "rating", .value = VALUE, .error = SE};
    plot->series_count = 2;
    plot->band = true;
    plot->axis[0] = at_s != NULL ? axis_title(report->doc, at_s)
                    : money      ? "games finished"
                                 : "matches finished";
    plot->axis[1] = money ? "points per game" : "FIBS scale";
    if (report->whom != NULL) {
        static const struct doc_pick picks[] = {DOC_PICK(AT), DOC_PICK(PLAYED), DOC_PICK(VALUE),
                                                DOC_PICK(SE)};
        const int first = at_s == NULL;

        doc_view(report->doc, table, table->caption, picks + first, 4 - first);
    }
    doc_note(report->doc,
             "What the table would have shown at each point; the last one is the table's. %s",
             at_s != NULL
                 ? "A game counts from the time at which its match, or the money game, ended."
                 : "By number and not by date: the times of games are not known, or they "
                   "ended within a minute.");
}

static void compute(struct report *report, struct rating_course *out)
{
    const struct gather *gather = report->gather;
    const struct report_options options = event_results_options(&gather->results);
    uint8_t *point = memory_zeroed(gather->legs.count, 1);

    out->is_dated = points_by_date(report, point, out->at_s);
    if (report->status == BG_OK && !out->is_dated) {
        points_by_number(report, point);
    }
    if (report->status == BG_OK) {
        report->status = rating_history_of(&out->history, gather->results.tally.bots, &gather->legs,
                                           point, &options.rating, report->err);
    }
    out->is_known = report->status == BG_OK;
    free(point);
}

static void ratings(struct report *report)
{
    struct rating_course *course = report->gather->course;

    if (!course->is_known) {
        compute(report, course);
    }
    if (report->status == BG_OK) {
        draw(report, &course->history, course->is_dated ? course->at_s : NULL);
    }
}

/* ----------------------------------------------------------------- as match servers rate */

enum { FIBS_NAME, FIBS_RATING, FIBS_CHANGE, FIBS_EXPERIENCE, FIBS_COLUMNS };

static const struct doc_column fibs_columns[FIBS_COLUMNS] = {
    [FIBS_NAME] = {"bot", "Bot", .bot = true},
    [FIBS_RATING] = {"rating", "FIBS rating", "points", .decimals = 1},
    [FIBS_CHANGE] = {"change", "Since start", "points", .decimals = 1, .sign = true},
    [FIBS_EXPERIENCE] = {"experience", "Experience", .unit = "match points"},
};

static void fibs_table(struct report *report)
{
    static const struct fibs_options options = FIBS_OPTIONS_INIT;
    const struct legs *legs = &report->gather->legs;
    const int bots = report->gather->results.tally.bots;
    struct fibs_player *player = memory_zeroed((size_t)bots, sizeof *player);
    struct course_leg *order = legs_in_order(report);
    struct doc_table *table = doc_table(
        report->doc, "fibs", "Incremental FIBS rating, match by match", fibs_columns, FIBS_COLUMNS);

    for (int i = 0; i < bots; i++) {
        player[i] = fibs_newcomer(&options);
    }
    for (size_t i = 0; i < legs->count; i++) {
        const struct leg *leg = &legs->leg[order[i].at];

        if (leg->won != 0.5F) {
            fibs_match(&player[leg->won == 1 ? leg->a : leg->b],
                       &player[leg->won == 1 ? leg->b : leg->a], leg->length_points, &options);
        }
    }
    for (int i = 0; i < report->count; i++) {
        const struct fibs_player *bot = &player[report->order[i]];

        doc_row(table);
        doc_text(table, FIBS_NAME, section_bot(report, report->order[i]));
        doc_number(table, FIBS_RATING, bot->rating);
        doc_number(table, FIBS_CHANGE, bot->rating - FIBS_START);
        doc_number(table, FIBS_EXPERIENCE, bot->experience);
    }
    doc_note(report->doc,
             "Every bot starts at %.0f; matches count in the order of the schedule (%s), at any "
             "concurrency. The rating depends on that order and does not converge "
             "(its own noise is some 40 points): use the ratings above for conclusions.",
             FIBS_START,
             report->gather->summary.by_form ? "meeting by meeting" : "pair, bots, leg");
    free(order);
    free(player);
}

void section_course(struct report *report)
{
    const size_t legs = report->gather->legs.count;
    const int bots = report->gather->results.tally.bots;
    const bool is_drawn = legs >= RATING_HISTORY_POINTS - 1 && bots <= RATING_HISTORY_BOTS;
    const bool has_fibs = !report->money && report->whom == NULL;

    if (legs == 0 || bots < 2 || report->status != BG_OK || !(is_drawn || has_fibs)) {
        return;
    }
    doc_section(report->doc, "course", "Over time");
    if (is_drawn) {
        ratings(report);
    }
    if (has_fibs && report->status == BG_OK) {
        fibs_table(report);
    }
}
