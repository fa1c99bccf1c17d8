/* Every step has the position that it leaves, as the text that the page's script draws
 * (record/pos.h), and the position in which it was made, as XGID: what people paste into other
 * programs. Games that an XGID cannot express have an empty cell. */
#include "game.h"

#include <inttypes.h>
#include <math.h>

#include "record/rules_words.h"
#include "record/thought_words.h"
#include "tables/replay.h"

enum {
    STEP,
    TURN,
    BOT,
    WORDS,
    SECONDS,
    XGID,
    POS,
    WIN,
    WIN_GAMMON,
    WIN_BACKGAMMON,
    LOSE_GAMMON,
    LOSE_BACKGAMMON,
    EQUITY,
    EQUITY_UNIT,
    PLIES,
    CANDIDATES,
    SAYS,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [STEP] = {"step", "Step"},
    [TURN] = {"turn", "Turn"},
    [BOT] = {"bot", "Bot", .bot = true},
    [WORDS] = {"did", "What happened"},
    [SECONDS] = {"seconds", "Time", .unit = "s", .decimals = 3},
    [XGID] = {"xgid", "Position before", .code = true},
    [POS] = {"pos", "Position after", .use = DOC_ROW},
    /* What the bot that acted thought, after its decision; games without it have none of these. */
    [WIN] = {"win", "Its chance to win", "%", .chance = true, .decimals = 1},
    [WIN_GAMMON] = {"win_gammon", "To win a gammon", "%", .chance = true, .decimals = 1},
    [WIN_BACKGAMMON] = {"win_backgammon", "", .use = DOC_DATA},
    [LOSE_GAMMON] = {"lose_gammon", "To lose a gammon", "%", .chance = true, .decimals = 1},
    [LOSE_BACKGAMMON] = {"lose_backgammon", "", .use = DOC_DATA},
    [EQUITY] = {"equity", "Its equity", .sign = true, .decimals = 3},
    [EQUITY_UNIT] = {"equity_unit", "", .use = DOC_DATA},
    [PLIES] = {"plies", "Plies"},
    [CANDIDATES] = {"candidates", "What it compared"},
    [SAYS] = {"says", "What it says"},
};

enum { END_TITLE, END_XGID, END_COLUMNS };

static const struct doc_column end_columns[END_COLUMNS] = {
    [END_TITLE] = {"title", "Position"},
    [END_XGID] = {"xgid", "XGID", .code = true},
};

struct game_page {
    struct doc *doc;
    struct doc_table *table;
    int steps;
    struct pos pos; /* after the last step */
};

/* Writes the XGID of a position; "" if it has none. */
static void write_xgid(char out[BG_XGID], struct bg_match_id *id, const struct bg_match *match)
{
    out[0] = '\0';
    if (bg_match_id_of(id, match, NULL) != BG_OK || !rules_have_xgid(match->rules.variant) ||
        bg_xgid_write(out, &match->board, id, NULL) != BG_OK) {
        out[0] = '\0';
    }
}

static void add_thought(struct doc_table *table, const struct bg_thought *thought)
{
    const struct bg_chances *chances = &thought->chances;
    char candidates[THOUGHT_WORDS];

    if (thought->has_chances) {
        doc_number(table, WIN, 100.0 * chances->win);
        doc_number(table, WIN_GAMMON, 100.0 * chances->win_gammon);
        doc_number(table, WIN_BACKGAMMON, 100.0 * chances->win_backgammon);
        doc_number(table, LOSE_GAMMON, 100.0 * chances->lose_gammon);
        doc_number(table, LOSE_BACKGAMMON, 100.0 * chances->lose_backgammon);
    }
    if (thought->has_equity) {
        doc_number(table, EQUITY, chances->equity);
        doc_text(table, EQUITY_UNIT, thought->unit == BG_EQUITY_MATCH ? "match" : "points");
    }
    if (thought->plies > 0) {
        doc_number(table, PLIES, thought->plies);
    }
    if (thought->candidate_count > 0) {
        thought_candidates_write(candidates, thought);
        doc_text(table, CANDIDATES, candidates);
    }
    if (thought->text[0] != '\0') {
        doc_text(table, SAYS, thought->text);
    }
}

static void add_step(void *user, const struct replay_step *told)
{
    struct game_page *page = user;
    const int seat = told->step->seat;
    struct bg_match_id id;
    char xgid[BG_XGID], pos[POS_TEXT];

    if (page->steps == 0) {
        pos_of(&page->pos, told->before);
    }
    pos_step(&page->pos, told->before, told->step, told->after);
    pos_write(pos, &page->pos);
    doc_row(page->table);
    doc_number(page->table, STEP, ++page->steps);
    doc_number(page->table, TURN, told->turn);
    doc_text(page->table, BOT, seat == 0 || seat == 1 ? told->name[seat] : "");
    doc_text(page->table, WORDS, told->words);
    doc_number(page->table, SECONDS, told->spent_ns < 0 ? NAN : (double)told->spent_ns / 1e9);
    write_xgid(xgid, &id, told->before);
    doc_text(page->table, XGID, xgid);
    doc_text(page->table, POS, pos);
    if (told->thought != NULL) {
        add_thought(page->table, told->thought);
    }
}

/* Adds a fact that stands at the top of the page. */
static void top_fact(struct doc_table *facts, const char *key, const char *title, const char *text)
{
    doc_fact(facts, key, title, "%s", text);
    doc_fact_place(facts, DOC_FACT_TOP);
}

static const char *result_words(struct doc *doc, const struct record_view *view,
                                const struct bg_match *end)
{
    struct bg_result result;
    int64_t left_ns[2];

    record_view_result(&result, left_ns, view);
    if (result.winner < 0) {
        return doc_format(doc, "drawn (%s)", bg_end_name(result.end));
    }
    return doc_format(doc, "%s +%" PRId64 " (%s, by %s%s%s)",
                      record_view_value(view, result.winner == 0 ? "seat0" : "seat1"),
                      result.points, bg_result_how(end->rules.variant, &result),
                      bg_end_name(result.end), result.end == BG_END_FAULT ? ": " : "",
                      result.end == BG_END_FAULT ? bg_fault_name(result.fault) : "");
}

static void add_facts(struct doc *doc, const struct record_view *view, const struct bg_match *end)
{
    const int length = end->rules.length_points;
    struct doc_table *facts = doc_facts(doc, "game", "The game");

    top_fact(facts, "id", "Game", record_view_value(view, "id"));
    top_fact(facts, "rules", "Rules", bg_variant_id(end->rules.variant));
    top_fact(facts, "length", "Length",
             length == 0 ? "money game" : doc_format(doc, "match to %d", length));
    top_fact(facts, "result", "Result", result_words(doc, view, end));
    if (length > 0) {
        top_fact(facts, "score", "Score after it",
                 doc_format(doc, "%" PRId64 " - %" PRId64, end->score[0], end->score[1]));
    }
    doc_fact_code(facts, "hash", "Hash of the record", record_view_hash(view));
    doc->top = facts;
}

/* The final position: also what a reader without script sees. */
static void add_board(struct doc *doc, const struct bg_match *end)
{
    struct doc_table *table = doc_table(doc, "end", "The last position", end_columns, END_COLUMNS);
    struct doc_boards *boards;
    struct doc_board board = doc_board_of(end, 0);
    char xgid[BG_XGID];

    board.id.dice[0] = board.id.dice[1] = 0;
    write_xgid(xgid, &board.id, end);
    table->data = true;
    doc_row(table);
    doc_text(table, END_TITLE, "after the last step");
    doc_text(table, END_XGID, xgid);
    boards = doc_boards(doc, table, "The position");
    boards->title = END_TITLE;
    boards->group = -1;
    doc_board(boards, &board);
}

enum bg_status game_document(struct doc **out, const struct record_view *view, struct bg_error *err)
{
    const char *name[2] = {record_view_value(view, "seat0"), record_view_value(view, "seat1")};
    struct game_page page = {.doc = NULL};
    struct bg_match end;
    enum bg_status status = record_replay(&end, view, err);

    if (status != BG_OK) {
        return status;
    }
    page.doc = doc_create("");
    page.doc->title = doc_format(page.doc, "%s against %s", name[0], name[1]);
    page.doc->part = "replay";
    doc_section(page.doc, "board", "Board");
    add_board(page.doc, &end);
    doc_section(page.doc, "steps", "Steps");
    page.table = doc_table(page.doc, "turns", "What happened, step by step", columns, COLUMNS);
    page.table->head = STEP;
    status = replay_each(&end, view, add_step, &page, err);
    doc_section(page.doc, "record", "Record");
    add_facts(page.doc, view, &end);
    if (status == BG_OK) {
        *out = page.doc;
        page.doc = NULL;
    }
    doc_destroy(page.doc);
    return status;
}
