/* The standing of each stage and group, by its form. */
#include <math.h>
#include <stdlib.h>

#include "sheet_words.h"
#include "words/plural.h"

enum {
    STAGE,
    GROUP,
    WHERE,
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

static const struct doc_column columns[COLUMNS] = {
    [STAGE] = {.key = "stage", .title = "Stage", .use = DOC_DATA},
    [GROUP] = {.key = "group", .title = "Group", .use = DOC_DATA},
    [WHERE] = {.key = "where", .title = "Stage", .use = DOC_SHOWN},
    [PLACE] = {.key = "rank", .title = "Rank"},
    [SHARED] = {.key = "shared", .title = "Shared", .use = DOC_DATA},
    [BOT] = {.key = "bot", .title = "Bot", .bot = true},
    [SCORE] = {.key = "score", .title = "Score", .decimals = 1},
    [MEETINGS] = {.key = "meetings", .title = "Played"},
    [WON] = {.key = "won", .title = "Won"},
    [DRAWN] = {.key = "drawn", .title = "Drawn", .quiet = true},
    [LOST] = {.key = "lost", .title = "Lost"},
    [BYES] = {.key = "byes", .title = "Byes", .quiet = true},
    [WALKOVERS] = {.key = "walkovers", .title = "Walkovers", .quiet = true},
    [DECIDED] = {.key = "by_decision", .title = "By decision", .quiet = true},
    [POINTS] = {.key = "points", .title = "Points", .unit = "net", .sign = true},
    [BUCHHOLZ] = {.key = "buchholz", .title = "Buchholz", .decimals = 1},
    [SONNEBORN] = {.key = "sonneborn", .title = "SB", .decimals = 2},
    [RATING] = {.key = "rating", .title = "Rating", .decimals = 1},
    [TIEBREAK] = {.key = "tiebreak", .title = "Tie broken by"},
};

static void row(struct sheet *sheet, struct doc_table *table, int stage, int group,
                const struct season_place *place)
{
    char where[SHEET_WORDS];

    doc_row(table);
    doc_number(table, STAGE, stage + 1);
    doc_number(table, GROUP, group + 1);
    doc_text(table, WHERE, sheet_place(where, sheet, stage, group));
    doc_number(table, PLACE, place->place);
    doc_flag(table, SHARED, place->shared);
    doc_text(table, BOT, sheet_name(sheet, place->entrant));
    doc_number(table, SCORE, place->score);
    doc_number(table, MEETINGS, place->played);
    doc_number(table, WON, place->won);
    doc_number(table, DRAWN, place->drawn);
    doc_number(table, LOST, place->lost);
    doc_number(table, BYES, place->byes);
    doc_number(table, WALKOVERS, place->walkovers);
    doc_number(table, DECIDED, place->decided);
    doc_number(table, POINTS, (double)place->points);
    doc_number(table, BUCHHOLZ, place->buchholz);
    doc_number(table, SONNEBORN, place->sonneborn);
    doc_number(table, RATING, place->rating);
    doc_text(table, TIEBREAK, place->tiebreak);
}

static void facts(struct sheet *sheet)
{
    struct doc_table *facts = doc_facts(sheet->doc, "form", "Form of the event");
    const struct season *season = sheet->season;
    char text[PLAN_TEXT], words[300];
    size_t open = 0;

    plan_write(text, sheet->plan);
    for (size_t i = 0; i < season_meetings(season); i++) {
        open += season_meeting(season, i)->end == SEASON_OPEN;
    }
    doc_fact(facts, "schedule", "Schedule", "%s", text);
    for (int i = 0; i < sheet->plan->stages; i++) {
        plan_stage_text(words, sizeof words, &sheet->plan->stage[i]);
        doc_fact(facts, doc_format(sheet->doc, "stage%d", i + 1),
                 sheet->plan->stages == 1 ? "Form" : doc_format(sheet->doc, "Stage %d", i + 1),
                 "%s", words);
        doc_fact_place(facts, DOC_FACT_BELOW);
    }
    if (season_is_closed(season)) {
        doc_fact(facts, "phase", "State", "closed by the desk: the result is final");
    } else if (season_is_over(season)) {
        doc_fact(facts, "phase", "State", "all meetings are over");
    } else {
        doc_fact(facts, "phase", "State", "%zu meeting%s open%s", open, plural_s(open),
                 sheet->plan->stages > 1 ? doc_format(sheet->doc, ", stage %d of %d",
                                                      season_stage(season) + 1, sheet->plan->stages)
                                         : "");
    }
    doc_fact_number(facts, "acts", "Rows of the journal", (double)season_acts_taken(season));
    doc_fact_code(facts, "journal_head", "Head of the journal", season_head(season));
}

void sheet_standing(struct sheet *sheet)
{
    int room = season_entrants(sheet->season);
    struct season_place *places = calloc((size_t)room + 1, sizeof *places);
    struct doc_table *table;

    doc_section(sheet->doc, "standing", "Standing by form");
    facts(sheet);
    table = doc_table(sheet->doc, "standing", "Ranks by the rules of the form", columns, COLUMNS);
    if (table != NULL) {
        table->head = BOT;
    }
    if (places == NULL) {
        sheet->status = bg_error_set(sheet->err, BG_E_MEMORY, "a standing");
    }
    for (int stage = season_stage(sheet->season); stage >= 0 && sheet->plan->stages > 0; stage--) {
        for (int group = 0; group < season_groups(sheet->season, stage); group++) {
            int count = 0;

            if (sheet->status == BG_OK) {
                sheet->status =
                    season_standing(places, &count, sheet->season, stage, group, sheet->err);
            }
            for (int i = 0; i < count; i++) {
                row(sheet, table, stage, group, &places[i]);
            }
        }
    }
    doc_note(sheet->doc, "Byes, walkovers and results by decision count in the score and never in "
                         "ratings; points are those of games that were played.");
    free(places);
}
