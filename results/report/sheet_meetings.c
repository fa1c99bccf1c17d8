/* The draw sheet, round by round, and the list of matches by the time of their end. Draw sheet
 * and match list are the same rows in two orders: when a meeting was paired, and when it ended.
 * Both are whole tables for data, of which a page shows a few columns; a program gets the pair
 * numbers that lead to the games. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_words.h"

enum {
    MEETING,
    STAGE,
    GROUP,
    WHERE,
    PART,
    ROUND_NUMBER,
    LINE,
    ROUND,
    A,
    B,
    RESULT,
    HOW,
    WINNER,
    POINTS_A,
    POINTS_B,
    UNITS,
    CONDITION,
    PAIRED,
    AT,
    RESULT_SHOWN,
    AT_SHOWN,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [MEETING] = {"meeting", .title = "No."},
    [STAGE] = {"stage", "Stage", .use = DOC_DATA},
    [GROUP] = {"group", "Group", .use = DOC_DATA},
    [WHERE] = {"where", "Stage", .use = DOC_SHOWN},
    [PART] = {"part", "Part", .use = DOC_DATA},
    [ROUND_NUMBER] = {"round", "Round", .use = DOC_DATA},
    [LINE] = {"line", "Line", .use = DOC_DATA},
    [ROUND] = {"round_name", "Round", .use = DOC_SHOWN},
    [A] = {"a", "Bot", .bot = true},
    [B] = {"b", "Opponent", .bot = true},
    [RESULT] = {"outcome", .title = "Result"},
    [HOW] = {"how", .title = "How"},
    [WINNER] = {"winner", "Winner", .use = DOC_DATA},
    [POINTS_A] = {"points_a", "Points of a", .use = DOC_DATA},
    [POINTS_B] = {"points_b", "Points of b", .use = DOC_DATA},
    [UNITS] = {"pairs", "Pairs", .use = DOC_DATA},
    [CONDITION] = {"condition", .title = "Terms"},
    [PAIRED] = {"paired_at", "Paired", .unit = "UTC"},
    [AT] = {"at", "Ended", .unit = "UTC"},
    [RESULT_SHOWN] = {"result", "Result", .use = DOC_SHOWN},
    [AT_SHOWN] = {"ended", "Ended", "UTC", .use = DOC_SHOWN},
};

static const struct doc_pick draw_picks[] = {DOC_PICK(MEETING),   DOC_PICK(A),
                                             DOC_PICK(B),         DOC_PICK(RESULT_SHOWN),
                                             DOC_PICK(CONDITION), DOC_PICK(AT_SHOWN)};
static const struct doc_pick match_picks[] = {
    DOC_PICK(MEETING), DOC_PICK(AT_SHOWN), DOC_PICK(WHERE),       DOC_PICK(ROUND),
    DOC_PICK(A),       DOC_PICK(B),        DOC_PICK(RESULT_SHOWN)};

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

/* "0+10, 12+1": the pair numbers of the two. */
static void put_units(struct doc_table *table, const struct season_meeting *seen)
{
    char text[24 * 44] = "";
    size_t used = 0;

    for (int i = 0; i < seen->unit_rows && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 "+%" PRIu64,
                                 i > 0 ? ", " : "", seen->units[i].from, seen->units[i].count);
    }
    doc_text(table, UNITS, text);
}

/* "1-0 4:0", "1-0 walkover", "bye". */
static void put_shown(struct doc_table *table, const struct season_meeting *seen)
{
    const char *how = sheet_how(seen), *result = sheet_result(seen);
    char points[48] = "";

    if (seen->end == SEASON_PLAYED || seen->points_a != 0 || seen->points_b != 0) {
        snprintf(points, sizeof points, "%" PRId64 ":%" PRId64, seen->points_a, seen->points_b);
    }
    doc_say(table, RESULT_SHOWN, "%s%s%s%s%s", seen->end == SEASON_BYE ? "" : result,
            result[0] != '\0' && points[0] != '\0' ? " " : "", points,
            how[0] != '\0' && (result[0] != '\0' || points[0] != '\0') && seen->end != SEASON_BYE
                ? " "
                : "",
            how);
}

static void put_result(struct sheet *sheet, struct doc_table *table,
                       const struct season_meeting *seen)
{
    doc_text(table, RESULT, sheet_result(seen));
    doc_text(table, HOW, sheet_how(seen));
    doc_text(table, WINNER, sheet_name(sheet, seen->winner));
    doc_number(table, POINTS_A, (double)seen->points_a);
    doc_number(table, POINTS_B, (double)seen->points_b);
    put_shown(table, seen);
}

static void put_row(struct sheet *sheet, struct doc_table *table, const struct season_meeting *seen)
{
    const struct meeting *meeting = &seen->meeting;
    char words[SHEET_WORDS], text[TERMS_TEXT];
    struct terms terms;

    doc_row(table);
    doc_number(table, MEETING, (double)seen->number);
    doc_number(table, STAGE, seen->stage + 1);
    doc_number(table, GROUP, seen->group + 1);
    doc_text(table, WHERE, sheet_place(words, sheet, seen->stage, seen->group));
    doc_text(table, PART, sheet_part_word(words, sheet, seen));
    doc_number(table, ROUND_NUMBER, meeting->round);
    doc_number(table, LINE, meeting->line + 1);
    doc_text(table, ROUND, sheet_round(words, sheet, seen));
    doc_text(table, A, sheet_name(sheet, meeting->a));
    doc_text(table, B, sheet_name(sheet, meeting->b));
    put_result(sheet, table, seen);
    put_units(table, seen);
    terms = season_meeting_terms(sheet->season, (size_t)seen->number - 1);
    if (meeting->a >= 0 && meeting->b >= 0 && !terms_are_none(&terms)) {
        doc_text(table, CONDITION, terms_write(text, &terms));
    }
    doc_text(table, PAIRED, seen->paired_at);
    doc_text(table, AT, seen->ended_at);
    if (seen->ended_at[0] != '\0') {
        doc_say(table, AT_SHOWN, "%.10s %.5s", seen->ended_at, seen->ended_at + 11);
    }
}

/* Whether two meetings are printed under one heading. By the words that are printed: a play-off
 * has the number of its round, and is another heading. */
static bool is_same_round(struct sheet *sheet, const struct season_meeting *x,
                          const struct season_meeting *y)
{
    char one[SHEET_WORDS], two[SHEET_WORDS];

    return x->stage == y->stage && x->group == y->group &&
           strcmp(sheet_round(one, sheet, x), sheet_round(two, sheet, y)) == 0;
}

/* "Stage 1 swiss, round 2, paired 2026-11-22 08:30 UTC" */
static const char *heading(struct sheet *sheet, const struct season_meeting *seen)
{
    char where[SHEET_WORDS], round[SHEET_WORDS];
    bool is_number;

    sheet_place(where, sheet, seen->stage, seen->group);
    sheet_round(round, sheet, seen);
    is_number = round[0] >= '0' && round[0] <= '9';
    if (round[0] == '\0') {
        return where[0] == '\0' ? "Pairings, in the order of pairing"
                                : doc_format(sheet->doc, "Stage %s", where);
    }
    return doc_format(sheet->doc, "%s%s%s%s%s, paired %.10s %.5s UTC",
                      where[0] == '\0' ? "" : "Stage ", where, where[0] == '\0' ? "" : ", ",
                      !is_number         ? ""
                      : where[0] == '\0' ? "Round "
                                         : "round ",
                      round, seen->paired_at, seen->paired_at + 11);
}

static bool is_in_round(const struct season_meeting *seen, const struct season_meeting *of)
{
    return seen->stage == of->stage && seen->group == of->group &&
           seen->meeting.round == of->meeting.round;
}

/* Whether an entrant could have been paired in this round of its stage, and was not. A late one
 * belongs to the stage from its first meeting on. */
static bool is_unpaired(const struct season *season, int entrant, const struct season_meeting *of)
{
    bool was_in = !season_entrant(season, entrant)->late;

    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *seen = season_meeting(season, i);

        if (seen->meeting.a != entrant && seen->meeting.b != entrant) {
            continue;
        }
        if (is_in_round(seen, of)) {
            return false;
        }
        was_in = was_in || (seen->stage == of->stage && seen->meeting.round < of->meeting.round);
    }
    return was_in;
}

/* Adds "; not paired: dan, hum": who is in the stage and has no line in this round of a Swiss. */
static const char *name_unpaired(struct sheet *sheet, const struct season_meeting *of,
                                 const char *caption)
{
    struct season_place *place =
        doc_array(sheet->doc, (size_t)season_entrants(sheet->season), sizeof *place);
    bool is_first = true;
    int count = 0;

    if (place == NULL ||
        season_standing(place, &count, sheet->season, of->stage, of->group, NULL) != BG_OK) {
        return caption;
    }
    for (int i = 0; i < count; i++) {
        if (is_unpaired(sheet->season, place[i].entrant, of)) {
            caption = doc_format(sheet->doc, "%s%s%s", caption, is_first ? "; not paired: " : ", ",
                                 sheet_name(sheet, place[i].entrant));
            is_first = false;
        }
    }
    return caption;
}

/* Only within the stage and among played meetings: what a Swiss avoids is a second game, not a
 * second walkover. */
static bool has_met_before(const struct season *season, size_t at)
{
    const struct season_meeting *now = season_meeting(season, at);
    bool has = false;

    for (size_t i = 0; i < at && now->meeting.kind == MEETING_PLAYED && !has; i++) {
        const struct season_meeting *seen = season_meeting(season, i);

        has = seen->end == SEASON_PLAYED && seen->stage == now->stage &&
              seen->meeting.kind == MEETING_PLAYED &&
              ((seen->meeting.a == now->meeting.a && seen->meeting.b == now->meeting.b) ||
               (seen->meeting.a == now->meeting.b && seen->meeting.b == now->meeting.a));
    }
    return has;
}

/* What a reader of a Swiss round asks: who is missing, and who meets again. */
static const char *swiss_heading(struct sheet *sheet, size_t first)
{
    const struct season_meeting *of = season_meeting(sheet->season, first);
    const char *caption = name_unpaired(sheet, of, heading(sheet, of));
    bool is_first = true;

    for (size_t i = first; i < season_meetings(sheet->season); i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (is_in_round(seen, of) && has_met_before(sheet->season, i)) {
            caption = doc_format(
                sheet->doc, "%s%s%s and %s", caption, is_first ? "; have met before: " : ", ",
                sheet_name(sheet, seen->meeting.a), sheet_name(sheet, seen->meeting.b));
            is_first = false;
        }
    }
    return caption;
}

static const char *caption_of(struct sheet *sheet, size_t first)
{
    const struct season_meeting *of = season_meeting(sheet->season, first);

    return sheet->plan->stages > of->stage && sheet->plan->stage[of->stage].form == PLAN_SWISS
               ? swiss_heading(sheet, first)
               : heading(sheet, of);
}

void sheet_draw(struct sheet *sheet)
{
    size_t count = season_meetings(sheet->season);
    struct sheet_view *views = doc_array(sheet->doc, count + 1, sizeof *views);
    const struct season_meeting *before = NULL;
    struct doc_table *table;
    int rounds = 0;

    if (count == 0) {
        return;
    }
    doc_section(sheet->doc, "draw", "Draw sheet");
    table = doc_table(sheet->doc, "draw", "Pairings, in the order of pairing", columns, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (before == NULL || !is_same_round(sheet, before, seen)) {
            views[rounds++] =
                (struct sheet_view){caption_of(sheet, i), draw_picks, COUNT(draw_picks), (int)i, 0};
        }
        put_row(sheet, table, seen);
        views[rounds - 1].count++;
        before = seen;
    }
    table->head = A;
    table->data = true;
    sheet_views(sheet, table, views, rounds);
}

/* Times have seconds, and several meetings end in one; then the row of the journal decides,
 * which is the true order. */
static int by_end(const void *x, const void *y)
{
    const struct season_meeting *a = *(const struct season_meeting *const *)x,
                                *b = *(const struct season_meeting *const *)y;
    int order = strcmp(a->ended_at, b->ended_at);

    if (order == 0) {
        order = (a->result > b->result) - (a->result < b->result);
    }
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

void sheet_matches(struct sheet *sheet)
{
    size_t count = season_meetings(sheet->season), ended = 0;
    const struct season_meeting **list = doc_array(sheet->doc, count + 1, sizeof *list);
    struct doc_table *table;

    for (size_t i = 0; list != NULL && i < count; i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (seen->end != SEASON_OPEN && seen->end != SEASON_BYE) {
            list[ended++] = seen;
        }
    }
    if (ended == 0) {
        return;
    }
    qsort(list, ended, sizeof *list, by_end);
    doc_section(sheet->doc, "matches", "Match list");
    table =
        doc_table(sheet->doc, "matches", "Meetings, in the order of their end", columns, COLUMNS);
    table->head = A;
    doc_view(sheet->doc, table, "Meetings, in the order of their end", match_picks,
             COUNT(match_picks));
    for (size_t i = 0; i < ended; i++) {
        put_row(sheet, table, list[i]);
    }
}
