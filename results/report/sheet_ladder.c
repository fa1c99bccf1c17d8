/* The history of a ladder: after each result, who moved and the order. Replays the ladder from
 * its seeds, result by result, since the season keeps only the present order. */
#include <stdlib.h>

#include "season/ladder.h"
#include "sheet_words.h"

enum {
    STAGE,
    MEETING,
    AT,
    AT_SHOWN,
    CHALLENGER,
    CHALLENGED,
    RESULT,
    HOW,
    FROM,
    TO,
    ORDER,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [STAGE] = {"stage", "Stage", .use = DOC_DATA},
    [MEETING] = {"meeting", .title = "No."},
    [AT] = {"at", "Ended", "UTC", .use = DOC_DATA},
    [AT_SHOWN] = {"ended", "Ended", "UTC", .use = DOC_SHOWN},
    [CHALLENGER] = {"challenger", "Challenger", .bot = true},
    [CHALLENGED] = {"opponent", "Opponent", .bot = true},
    [RESULT] = {"outcome", .title = "Result"},
    [HOW] = {"how", .title = "How"},
    [FROM] = {"place_before", "Place", .unit = "before"},
    [TO] = {"place_after", "Place", .unit = "after"},
    [ORDER] = {"order", "Order", "after", .use = DOC_DATA},
};

/* A ladder as it moves; entrants by their number in the event. */
struct ladder_state {
    int *order; /* best first */
    int count;
};

/* Enters at the bottom. */
static void enter(struct ladder_state *ladder, int entrant)
{
    if (entrant >= 0 && ladder_place(ladder->order, ladder->count, entrant) == ladder->count) {
        ladder->order[ladder->count++] = entrant;
    }
}

static int by_result(const void *x, const void *y)
{
    const struct season_meeting *a = *(const struct season_meeting *const *)x,
                                *b = *(const struct season_meeting *const *)y;

    return (a->result > b->result) - (a->result < b->result);
}

static const char *order_text(struct sheet *sheet, const struct ladder_state *ladder)
{
    const char *text = "";

    for (int i = 0; i < ladder->count; i++) {
        text = doc_format(sheet->doc, "%s%s%s", text, i > 0 ? " " : "",
                          sheet_name(sheet, ladder->order[i]));
        text = text == NULL ? "" : text;
    }
    return text;
}

static void meeting_row(struct sheet *sheet, struct doc_table *table, struct ladder_state *ladder,
                        const struct season_meeting *seen, bool swap)
{
    int a = seen->meeting.a, b = seen->meeting.b,
        before = ladder_place(ladder->order, ladder->count, a);

    if (seen->winner >= 0) {
        ladder_move(ladder->order, ladder->count, seen->winner, seen->winner == a ? b : a, swap);
    }
    doc_row(table);
    doc_number(table, STAGE, seen->stage + 1);
    doc_number(table, MEETING, (double)seen->number);
    doc_text(table, AT, seen->ended_at);
    if (seen->ended_at[0] != '\0') {
        doc_say(table, AT_SHOWN, "%.10s %.5s", seen->ended_at, seen->ended_at + 11);
    }
    doc_text(table, CHALLENGER, sheet_name(sheet, a));
    doc_text(table, CHALLENGED, sheet_name(sheet, b));
    doc_text(table, RESULT, sheet_result(seen));
    doc_text(table, HOW, sheet_how(seen));
    doc_number(table, FROM, before + 1);
    doc_number(table, TO, ladder_place(ladder->order, ladder->count, a) + 1);
    doc_text(table, ORDER, order_text(sheet, ladder));
}

/* The seeds of the stage: in the first one those of the event; later ones begin in the order of the
 * stage before. */
static void seed(struct sheet *sheet, struct ladder_state *ladder, int stage)
{
    struct season_place *places =
        doc_array(sheet->doc, (size_t)season_entrants(sheet->season) + 1, sizeof *places);
    int count = 0;

    ladder->count = 0;
    if (stage > 0 && places != NULL && sheet->status == BG_OK) {
        sheet->status = season_standing(places, &count, sheet->season, stage - 1, 0, sheet->err);
        for (int i = 0; i < count && i < sheet->plan->stage[stage].take; i++) {
            enter(ladder, places[i].entrant);
        }
    }
    for (int i = 0; stage == 0 && i < season_entrants(sheet->season); i++) {
        enter(ladder, i);
    }
}

void sheet_ladder(struct sheet *sheet)
{
    size_t count = season_meetings(sheet->season);
    const struct season_meeting **list = doc_array(sheet->doc, count + 1, sizeof *list);
    struct ladder_state ladder = {
        doc_array(sheet->doc, (size_t)season_entrants(sheet->season) + 1, sizeof(int)), 0};
    struct doc_table *table = NULL;

    for (int stage = 0; list != NULL && ladder.order != NULL && stage < sheet->plan->stages;
         stage++) {
        const struct plan_stage *plan = &sheet->plan->stage[stage];
        size_t ended = 0;

        /* After groups the order of entry is not one list, so the history could not begin. */
        if (plan->form != PLAN_LADDER || plan->groups > 1 ||
            (stage > 0 && sheet->plan->stage[stage - 1].groups > 1)) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            const struct season_meeting *seen = season_meeting(sheet->season, i);

            if (seen->stage == stage && seen->end != SEASON_OPEN && seen->end != SEASON_VOID &&
                seen->meeting.b >= 0) {
                list[ended++] = seen;
            }
        }
        if (ended == 0) {
            continue;
        }
        /* In the order of the results and not of the pairings: a challenge may end after a later
         * one, and each moves the order as it then is. */
        qsort(list, ended, sizeof *list, by_result);
        if (table == NULL) {
            doc_section(sheet->doc, "ladder", "Ladder history");
            table = doc_table(sheet->doc, "ladder", "Challenges, in the order of their end",
                              columns, COLUMNS);
        }
        seed(sheet, &ladder, stage);
        for (size_t i = 0; i < ended; i++) {
            meeting_row(sheet, table, &ladder, list[i], plan->swap);
        }
    }
    if (table != NULL) {
        table->head = CHALLENGER;
    }
}
