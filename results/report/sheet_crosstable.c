/* The score of each entrant against each other, for forms in which many meet. Counts meetings
 * and not games: a walkover or a decision of the desk counts in the score of a form, and has no
 * games. Members stand by place, so the matrix reads from the top like the standing beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sheet_words.h"

enum { STAGE, GROUP, BOT, OPPONENT, MEETINGS, SCORE, WALKOVERS, DECIDED, RESULT, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [STAGE] = {"stage", .title = "Stage"},
    [GROUP] = {"group", .title = "Group"},
    [BOT] = {"bot", "Bot", .bot = true},
    [OPPONENT] = {"opponent", "Opponent", .bot = true},
    [MEETINGS] = {"meetings", .title = "Meetings"},
    [SCORE] = {"score", "Score", .decimals = 1},
    [WALKOVERS] = {"walkovers", .title = "Walkovers"},
    [DECIDED] = {"by_decision", .title = "By decision"},
    [RESULT] = {"result", "Result", .use = DOC_SHOWN},
};

enum { MOST_BOTS = 64 }; /* a larger table is not readable */

/* The meetings of two entrants, from the first one's side. */
struct sheet_crosstable_cell {
    double score;
    int meetings, walkovers, decided;
};

struct cross {
    int member[MOST_BOTS]; /* by place */
    int count;
    struct sheet_crosstable_cell cell[MOST_BOTS][MOST_BOTS];
};

static int find_member(const struct cross *cross, int entrant)
{
    for (int i = 0; i < cross->count; i++) {
        if (cross->member[i] == entrant) {
            return i;
        }
    }
    return -1;
}

static void add_score(struct cross *cross, const struct season_meeting *seen)
{
    int a = find_member(cross, seen->meeting.a), b = find_member(cross, seen->meeting.b);

    /* Open and void meetings, and byes, have no score. */
    if (a < 0 || b < 0 || isnan(sheet_score(seen, seen->meeting.a))) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        struct sheet_crosstable_cell *cell = side == 0 ? &cross->cell[a][b] : &cross->cell[b][a];

        cell->score += sheet_score(seen, side == 0 ? seen->meeting.a : seen->meeting.b);
        cell->meetings++;
        cell->walkovers += seen->end == SEASON_WALKOVER;
        cell->decided += seen->end == SEASON_ADJUDICATED;
    }
}

static void score_text(struct doc_table *table, const struct sheet_crosstable_cell *cell)
{
    /* Scores are halves, which a double holds exactly, so no rounding is needed. */
    int whole = (int)cell->score;
    const char *half = cell->score > whole ? "\u00bd" : "";
    char score[32], of[32] = "";

    if (cell->meetings == 0) {
        return;
    }
    snprintf(score, sizeof score, whole == 0 && half[0] != '\0' ? "%.0d%s" : "%d%s", whole, half);
    if (cell->meetings > 1) {
        snprintf(of, sizeof of, "/%d", cell->meetings);
    }
    doc_say(table, RESULT, "%s%s%s%s", score, of, cell->walkovers > 0 ? " w/o" : "",
            cell->decided > 0 ? " dec" : "");
}

static void cross_rows(struct sheet *sheet, struct doc_table *table, const struct cross *cross,
                       int stage, int group)
{
    for (int r = 0; r < cross->count; r++) {
        for (int c = 0; c < cross->count; c++) {
            const struct sheet_crosstable_cell *cell = &cross->cell[r][c];

            if (r == c) {
                continue;
            }
            doc_row(table);
            doc_number(table, STAGE, stage + 1);
            doc_number(table, GROUP, group + 1);
            doc_text(table, BOT, sheet_name(sheet, cross->member[r]));
            doc_text(table, OPPONENT, sheet_name(sheet, cross->member[c]));
            doc_number(table, MEETINGS, cell->meetings);
            doc_number(table, SCORE, cell->meetings > 0 ? cell->score : NAN);
            doc_number(table, WALKOVERS, cell->walkovers);
            doc_number(table, DECIDED, cell->decided);
            score_text(table, cell);
        }
    }
}

/* Fills the members by place; false: no crosstable for this group. */
static bool members(struct sheet *sheet, struct cross *cross, int stage, int group)
{
    enum plan_form form = sheet->plan->stage[stage].form;
    struct season_place *places =
        memory_zeroed((size_t)season_entrants(sheet->season), sizeof *places);
    int count = 0;

    memset(cross, 0, sizeof *cross);
    if (sheet->status == BG_OK) {
        sheet->status = season_standing(places, &count, sheet->season, stage, group, sheet->err);
    }
    /* In a knockout most never meet: its tree says more than a nearly empty square. */
    if (sheet->status == BG_OK && count >= 2 && count <= MOST_BOTS && !plan_is_elimination(form)) {
        cross->count = count;
        for (int i = 0; i < count; i++) {
            cross->member[i] = places[i].entrant;
        }
    }
    free(places);
    return cross->count > 0;
}

static void matrix(struct sheet *sheet, struct doc_table *part, const struct cross *cross,
                   const char *caption)
{
    const char **names = doc_array(sheet->doc, (size_t)cross->count, sizeof *names);
    struct doc_matrix *matrix = doc_matrix(sheet->doc, part, caption);

    for (int i = 0; i < cross->count; i++) {
        names[i] = sheet_shown(sheet, cross->member[i]);
    }
    matrix->name = names;
    matrix->count = cross->count;
    matrix->main = RESULT;
    matrix->title = "Bot";
}

static void fill_cross(struct cross *cross, const struct sheet *sheet, int stage, int group)
{
    for (size_t i = 0; i < season_meetings(sheet->season); i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (seen->stage == stage && seen->group == group) {
            add_score(cross, seen);
        }
    }
}

void sheet_crosstable(struct sheet *sheet)
{
    /* On the heap of the document: 64 by 64 cells are too much for a stack. */
    struct cross *cross = doc_array(sheet->doc, 1, sizeof *cross);
    struct doc_table *table = NULL;

    for (int pass = 0; pass < 2; pass++) { /* all rows first, then the matrices */
        int first = 0;

        for (int stage = 0; stage <= season_stage(sheet->season); stage++) {
            for (int group = 0;
                 stage < sheet->plan->stages && group < season_groups(sheet->season, stage);
                 group++) {
                char where[SHEET_WORDS];
                int size;

                if (!members(sheet, cross, stage, group)) {
                    continue;
                }
                size = cross->count * (cross->count - 1);
                if (pass == 0) {
                    if (table == NULL) {
                        doc_section(sheet->doc, "form-crosstable", "Crosstable of meetings");
                        table = doc_table(sheet->doc, "meetings", "Score of each against each",
                                          columns, COLUMNS);
                    }
                    fill_cross(cross, sheet, stage, group);
                    cross_rows(sheet, table, cross, stage, group);
                } else {
                    sheet_place(where, sheet, stage, group);
                    matrix(sheet, doc_part(table, first, size), cross,
                           doc_format(sheet->doc, "Score of the row's bot%s%s",
                                      where[0] == '\0' ? "" : ": ", where));
                    first += size;
                }
            }
        }
        if (table == NULL) {
            return;
        }
        table->data = true;
    }
    doc_note(sheet->doc, "w/o: walkover; dec: by decision of the desk. Both count in the score and "
                         "never in ratings.");
}
