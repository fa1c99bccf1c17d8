/* The standing of each stage and group, by its form. The places come from season_standing, which
 * also decides who goes on: the page must not rank by rules of its own. One table holds all
 * stages and groups; each group is a view of its rows, with the columns that its form has. */
#include <math.h>

#include "sheet_words.h"

enum {
    STAGE,
    GROUP,
    PLACE,
    SHARED,
    BOT,
    SCORE,
    MEETINGS,
    WON,
    DRAWN,
    LOST,
    BYES,
    WALKOVERS,
    DECIDED,
    POINTS,
    BUCHHOLZ,
    SONNEBORN,
    RATING,
    TIEBREAK,
    COLUMNS
};

#define OF(member) DOC_SOURCE(struct season_place, member, 1)

static const struct doc_column columns[COLUMNS] = {
    [STAGE] = {"stage", "Stage", .use = DOC_DATA},
    [GROUP] = {"group", "Group", .use = DOC_DATA},
    [PLACE] = {"rank", .title = "Rank", .from = OF(place)},
    [SHARED] = {"shared", "Shared", .use = DOC_DATA, .from = OF(shared)},
    [BOT] = {"bot", "Bot", .bot = true},
    [SCORE] = {"score", "Score", .decimals = 1, .from = OF(score)},
    [MEETINGS] = {"meetings", .title = "Played", .from = OF(played)},
    [WON] = {"won", .title = "Won", .from = OF(won)},
    [DRAWN] = {"drawn", "Drawn", .quiet = true, .from = OF(drawn)},
    [LOST] = {"lost", .title = "Lost", .from = OF(lost)},
    [BYES] = {"byes", "Byes", .quiet = true, .from = OF(byes)},
    [WALKOVERS] = {"walkovers", "Walkovers", .quiet = true, .from = OF(walkovers)},
    [DECIDED] = {"by_decision", "By decision", .quiet = true, .from = OF(decided)},
    [POINTS] = {"points", "Points", "net", .sign = true, .from = OF(points)},
    [BUCHHOLZ] = {"buchholz", "Buchholz", .decimals = 1, .from = OF(buchholz)},
    [SONNEBORN] = {"sonneborn", "SB", .decimals = 2, .from = OF(sonneborn)},
    [RATING] = {"rating", "Rating", .decimals = 1, .from = OF(rating)},
    [TIEBREAK] = {"tiebreak", .title = "Tie broken by", .from = OF(tiebreak)},
};

static void standing_row(struct sheet *sheet, struct doc_table *table, int stage, int group,
                         const struct season_place *place)
{
    doc_row(table);
    doc_fill(table, place);
    doc_number(table, STAGE, stage + 1);
    doc_number(table, GROUP, group + 1);
    doc_mark(table, PLACE, place->shared ? "=" : NULL);
    doc_text(table, BOT, sheet_name(sheet, place->entrant));
}

static void facts(struct sheet *sheet)
{
    struct doc_table *facts = doc_facts(sheet->doc, "form", "Form of the event");
    const struct season *season = sheet->season;
    char text[PLAN_TEXT], words[300];
    const char *stages = "";
    size_t open = 0;

    plan_write(text, sheet->plan);
    for (size_t i = 0; i < season_meetings(season); i++) {
        open += season_meeting(season, i)->end == SEASON_OPEN;
    }
    doc_fact(facts, "schedule", "Schedule", "%s", text);
    for (int i = 0; i < sheet->plan->stages; i++) {
        plan_stage_text(words, sizeof words, &sheet->plan->stage[i]);
        stages = doc_format(sheet->doc, "%s%s%s", stages, i > 0 ? "; then " : "", words);
        stages = stages == NULL ? "" : stages;
    }
    doc_fact(facts, "stages", "Form", "%s", stages);
    doc_fact(facts, "phase", "State", "%s", season_phase(season));
    if (sheet->plan->stages > 0) {
        doc_fact_number(facts, "open_meetings", "Open meetings", (double)open);
    }
    doc_fact_number(facts, "acts", "Rows of the journal", (double)season_acts_taken(season));
    doc_fact_code(facts, "journal_head", "Head of the journal", season_head(season));
    if (sheet->signed_by != NULL) {
        doc_fact(facts, "signed", "Signed by", "%s", sheet->signed_by);
    }
    if (sheet->lapsed != NULL) {
        doc_fact(facts, "signed_before", "Not valid for these results", "signature of %s",
                 sheet->lapsed);
    }
}

/* Whether any row from `first` on has a number in this column. */
static bool has_numbers(const struct doc_table *table, int first, int column)
{
    for (int row = first; row < table->rows; row++) {
        if (isfinite(doc_at(table, row, column)->number)) {
            return true;
        }
    }
    return false;
}

/* The columns of a group; those that its form does not have are left out. */
static void choose(struct sheet *sheet, struct sheet_view *out, const struct doc_table *table,
                   int first)
{
    struct doc_pick *picks = doc_array(sheet->doc, COLUMNS, sizeof *picks);

    out->pick = picks;
    out->picks = 0;
    for (int column = PLACE; picks != NULL && column < COLUMNS; column++) {
        bool optional = column == BUCHHOLZ || column == SONNEBORN || column == RATING;

        if (column != SHARED && (!optional || has_numbers(table, first, column))) {
            picks[out->picks++] = (struct doc_pick){.main = column};
        }
    }
}

static const char *caption_of(const struct sheet *sheet, int stage, int group)
{
    bool open = stage == season_stage(sheet->season) && !season_is_over(sheet->season);
    char where[SHEET_WORDS], form[300];

    sheet_place(where, sheet, stage, group);
    plan_stage_text(form, sizeof form, &sheet->plan->stage[stage]);
    return doc_format(sheet->doc, "%s%s%s order of %s%s", where[0] == '\0' ? "" : "Stage ", where,
                      where[0] == '\0' ? "The" : ":", form, open ? " (not finished)" : "");
}

/* Adds the rows of a group, and remembers its view. */
static void add_group(struct sheet *sheet, struct doc_table *table, struct sheet_view *view,
                      int stage, int group)
{
    struct season_place *places =
        doc_array(sheet->doc, (size_t)season_entrants(sheet->season) + 1, sizeof *places);
    int count = 0;

    if (sheet->status == BG_OK) {
        sheet->status = season_standing(places, &count, sheet->season, stage, group, sheet->err);
        view->first = table->rows;
        for (int i = 0; i < count; i++) {
            standing_row(sheet, table, stage, group, &places[i]);
        }
        view->count = count;
        view->caption = caption_of(sheet, stage, group);
        choose(sheet, view, table, view->first);
    }
}

/* A bye is a point in a Swiss alone; elsewhere it is only a round without a match. */
static bool has_swiss(const struct plan *plan)
{
    bool has = false;

    for (int i = 0; i < plan->stages; i++) {
        has = has || plan->stage[i].form == PLAN_SWISS;
    }
    return has;
}

static void standings(struct sheet *sheet)
{
    struct sheet_view *views;
    struct doc_table *table;
    int count = 0, groups = 0;

    table = doc_table(sheet->doc, "standing", "Ranks by the rules of the form", columns, COLUMNS);
    for (int stage = 0; stage <= season_stage(sheet->season) && sheet->plan->stages > 0; stage++) {
        groups += season_groups(sheet->season, stage);
    }
    views = doc_array(sheet->doc, (size_t)groups + 1, sizeof *views);
    /* The latest stage first: it is the one that people look for. */
    for (int stage = season_stage(sheet->season); stage >= 0 && groups > 0; stage--) {
        for (int group = 0; group < season_groups(sheet->season, stage); group++) {
            add_group(sheet, table, &views[count++], stage, group);
        }
    }
    table->head = BOT;
    table->data = true;
    sheet_views(sheet, table, views, count);
}

void sheet_standing(struct sheet *sheet)
{
    doc_section(sheet->doc, "standing", "Standing by form");
    standings(sheet);
    facts(sheet);
    if (sheet->plan->stages > 0) {
        doc_note(sheet->doc,
                 "%s and results by decision count in the score, never in points or ratings.",
                 has_swiss(sheet->plan) ? "Byes of a Swiss, walkovers" : "Walkovers");
    }
}

/* Without the facts and notes: the caller prints this under its own heading, while the event
 * runs. */
enum bg_status sheet_standing_write(FILE *out, const struct season *season, struct bg_error *err)
{
    struct sheet sheet = {
        .doc = doc_create(""), .season = season, .plan = season_plan(season), .err = err};

    doc_section(sheet.doc, "standing", "");
    standings(&sheet);
    if (sheet.status == BG_OK) {
        sheet.status = document_blocks(out, sheet.doc, err);
    }
    doc_destroy(sheet.doc);
    return sheet.status;
}
