/* Eliminations: the bracket as a drawing, and its meetings as a table. The table has every
 * meeting, the drawing only those of the main bracket: a losers' bracket drops entrants in from
 * the side, which no tree shows. Both come from the same rows, so the drawing cannot differ from
 * the data. */
#include <inttypes.h>
#include <stdio.h>

#include "season/knockout.h"
#include "sheet_words.h"

enum { STAGE, GROUP, PART, ROUND, LINE, ROUND_NAME, A, B, RESULT, HOW, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [STAGE] = {"stage", "Stage", .use = DOC_DATA},
    [GROUP] = {"group", "Group", .use = DOC_DATA},
    [PART] = {"part", "Part", .use = DOC_DATA},
    [ROUND] = {"round", "Round", .use = DOC_DATA},
    [LINE] = {"line", "Line", .use = DOC_DATA},
    [ROUND_NAME] = {"round_name", "Round", .use = DOC_SHOWN},
    [A] = {"a", "Bot", .bot = true},
    [B] = {"b", "Opponent", .bot = true},
    [RESULT] = {"outcome", .title = "Result"},
    [HOW] = {"how", .title = "How"},
};

/* The drawing has 2^rounds lines; of more entrants than 4096 only the table is readable. */
enum { MOST_ROUNDS = 12 };

/* What stands behind a name: its points, or how it went on without playing. */
static const char *mark_of(struct sheet *sheet, const struct season_meeting *seen, bool is_a)
{
    const char *how = sheet_how(seen);

    if (seen->end == SEASON_OPEN) {
        return NULL;
    }
    if (seen->end != SEASON_PLAYED) {
        return seen->winner == (is_a ? seen->meeting.a : seen->meeting.b) ? how : NULL;
    }
    return doc_format(sheet->doc, "%" PRId64, is_a ? seen->points_a : seen->points_b);
}

static void put_place(struct sheet *sheet, const struct doc_tree *tree,
                      const struct season_meeting *seen, int entrant, int at)
{
    struct doc_place *place = doc_tree_place(tree, seen->meeting.round, at);

    if (entrant == FORMS_NOBODY) {
        place->name = "bye";
        return;
    }
    place->name = sheet_shown(sheet, entrant);
    place->mark = mark_of(sheet, seen, entrant == seen->meeting.a);
    place->won = seen->winner == entrant;
}

/* A meeting of line i stands on places 2i and 2i + 1, and its winner on place i of the next
 * round. A meeting outside of the tree is left out: a journal from elsewhere may name any round
 * and line. */
static void put_meeting(struct sheet *sheet, const struct doc_tree *tree,
                        const struct season_meeting *seen)
{
    const struct meeting *meeting = &seen->meeting;

    if (meeting->round < 1 || meeting->round > tree->rounds || meeting->line < 0 ||
        meeting->line >= 1 << (tree->rounds - meeting->round)) {
        return;
    }
    put_place(sheet, tree, seen, meeting->a, 2 * meeting->line);
    put_place(sheet, tree, seen, meeting->b, 2 * meeting->line + 1);
    if (seen->winner >= 0) {
        struct doc_place *next = doc_tree_place(tree, meeting->round + 1, meeting->line);

        next->name = sheet_shown(sheet, seen->winner);
        next->won = meeting->round == tree->rounds;
    }
}

/* Who stands in round 2 without a meeting in round 1 had a bye. */
static void put_byes(const struct doc_tree *tree)
{
    for (int line = 0; line < 1 << (tree->rounds - 1) && tree->rounds > 1; line++) {
        struct doc_place *place = doc_tree_place(tree, 1, 2 * line);
        const struct doc_place *next = doc_tree_place(tree, 2, line);

        if (place->name == NULL && doc_tree_place(tree, 1, 2 * line + 1)->name == NULL &&
            next->name != NULL) {
            *place = (struct doc_place){next->name, "bye", true};
        }
    }
}

static bool is_of(const struct season_meeting *seen, int stage, int group)
{
    return seen->stage == stage && seen->group == group;
}

static void draw_bracket(struct sheet *sheet, int stage, int group, int entrants)
{
    char where[SHEET_WORDS];
    int rounds = knockout_rounds(entrants);
    struct doc_tree *tree;

    sheet_place(where, sheet, stage, group);
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        return;
    }
    tree = doc_tree(
        sheet->doc, rounds,
        doc_format(sheet->doc, "%s%s%s",
                   sheet->plan->stage[stage].form == PLAN_DOUBLE ? "Winners' bracket" : "Bracket",
                   where[0] == '\0' ? "" : ": ", where));
    for (size_t i = 0; tree->rounds > 0 && i < season_meetings(sheet->season); i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (is_of(seen, stage, group) && seen->meeting.part == PART_MAIN) {
            put_meeting(sheet, tree, seen);
        }
    }
    if (tree->rounds > 0) {
        put_byes(tree);
    }
}

/* Adds the meetings of a group; others: those that the drawing does not have. table: NULL to count
 * alone. Returns their number. */
static int bracket_rows(struct sheet *sheet, struct doc_table *table, int stage, int group,
                        bool others)
{
    char words[SHEET_WORDS];
    int count = 0;

    for (size_t i = 0; i < season_meetings(sheet->season); i++) {
        const struct season_meeting *seen = season_meeting(sheet->season, i);

        if (!is_of(seen, stage, group) || others != (seen->meeting.part != PART_MAIN)) {
            continue;
        }
        count++;
        if (table == NULL) {
            continue;
        }
        doc_row(table);
        doc_number(table, STAGE, stage + 1);
        doc_number(table, GROUP, group + 1);
        doc_text(table, PART, sheet_part_word(words, sheet, seen));
        doc_number(table, ROUND, seen->meeting.round);
        doc_number(table, LINE, seen->meeting.line + 1);
        doc_text(table, ROUND_NAME, sheet_round(words, sheet, seen));
        doc_text(table, A, sheet_name(sheet, seen->meeting.a));
        doc_text(table, B, sheet_name(sheet, seen->meeting.b));
        doc_text(table, RESULT, sheet_result(seen));
        doc_text(table, HOW, sheet_how(seen));
    }
    return count;
}

static int entrants_of(struct sheet *sheet, int stage, int group)
{
    struct season_place *places =
        doc_array(sheet->doc, (size_t)season_entrants(sheet->season) + 1, sizeof *places);
    int count = 0;

    if (sheet->status == BG_OK) {
        sheet->status = season_standing(places, &count, sheet->season, stage, group, sheet->err);
    }
    return count;
}

void sheet_bracket(struct sheet *sheet)
{
    static const struct doc_pick picks[] = {DOC_PICK(ROUND_NAME), DOC_PICK(A), DOC_PICK(B),
                                            DOC_PICK(RESULT), DOC_PICK(HOW)};
    struct doc_table *table = NULL;

    /* A view of a table names rows by number, so all of them have to be there before the first
     * view is made. */
    for (int pass = 0; pass < 2; pass++) { /* all rows first, then the drawings */
        int first = 0;

        for (int stage = 0; stage < sheet->plan->stages && stage <= season_stage(sheet->season);
             stage++) {
            enum plan_form form = sheet->plan->stage[stage].form;

            for (int group = 0;
                 plan_is_elimination(form) && group < season_groups(sheet->season, stage);
                 group++) {
                int shown = bracket_rows(sheet, NULL, stage, group, false);
                int others = bracket_rows(sheet, NULL, stage, group, true);

                if (pass == 0) {
                    if (table == NULL) {
                        doc_section(sheet->doc, "bracket", "Bracket");
                        table = doc_table(sheet->doc, "bracket", "Meetings of the bracket", columns,
                                          COLUMNS);
                    }
                    bracket_rows(sheet, table, stage, group, false);
                    bracket_rows(sheet, table, stage, group, true);
                    continue;
                }
                draw_bracket(sheet, stage, group, entrants_of(sheet, stage, group));
                if (others > 0) {
                    doc_view(sheet->doc, doc_part(table, first + shown, others),
                             form == PLAN_DOUBLE ? "Losers' bracket and final" : "Third place",
                             picks, (int)(sizeof picks / sizeof picks[0]));
                }
                first += shown + others;
            }
        }
        if (table == NULL) {
            return;
        }
        table->data = true;
    }
}
