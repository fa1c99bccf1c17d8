/* A page of its own for each game would be most of a folder, so games of later pairs share one,
 * whose script (shared.js) fills it from a file of the games of some pairs. A file has few enough
 * games to be fetched for one of them, and is found without a list. */
#include "site_page.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/foreign.h"
#include "base/memory.h"
#include "report/game.h"

struct pack_writing {
    struct site_pack *pack;
    FILE *out;
    enum bg_status status;
    struct bg_error *err;
};

static const struct doc_boards *boards_of(const struct doc *doc)
{
    const struct doc_block *block = doc->first->first;

    while (block->kind != DOC_BOARDS) {
        block = block->next;
    }
    return (const struct doc_boards *)block;
}

/* What stands above the board: [key, title, value]. */
static json_t *facts_of(const struct doc_table *facts)
{
    json_t *out = json_array();

    for (int row = 0; row < facts->rows; row++) {
        char text[DOC_CELL];
        json_t *fact = doc_fact_is(facts, row, DOC_FACT_TOP) ? json_array() : NULL;

        for (int column = 0; column < 3 && fact != NULL; column++) {
            json_array_append_new(fact, foreign_json(doc_shown(text, facts, row, column)));
        }
        (void)json_array_append_new(out, fact); /* nothing, if there is none */
    }
    return out;
}

static void write_packed(FILE *out, const struct doc *doc, const char *id, const char *steps)
{
    const struct doc_boards *boards = boards_of(doc);
    const struct doc_side *side = boards->board[0].side;
    json_t *game = json_pack("{s:o, s:o, s:o, s:[o, o], s:[o, o], s:o}", "game", foreign_json(id),
                             "title", foreign_json(doc->title), "end",
                             foreign_json(doc_at(boards->table, 0, boards->title)->text), "names",
                             foreign_json(side[0].name), foreign_json(side[1].name), "scores",
                             foreign_json(side[0].score), foreign_json(side[1].score), "facts",
                             facts_of(doc->top));
    char *text = json_dumps(game, JSON_COMPACT);

    fprintf(out, "%.*s,\"steps\":%s}", (int)strlen(text) - 1, text, steps);
    free(text);
    json_decref(game);
}

static bool pack_game(void *user, const struct store_game *game)
{
    struct pack_writing *writing = user;
    struct game_source source = {.view = NULL};
    struct record_view *view = NULL;
    struct doc *doc = NULL;
    char *steps;
    size_t size;
    FILE *out;

    writing->pack->has_more = true;
    if (game->pair >= writing->pack->end) {
        return false;
    }
    if (writing->out == NULL) {
        writing->pack->games++;
        return true;
    }
    writing->status = record_read(&view, game->text, game->text_size, writing->err);
    if (writing->status == BG_OK) {
        source.view = view;
        out = memory_stream(&steps, &size);
        writing->status = game_brief(&doc, out, &source, writing->err);
        memory_stream_close(out);
        if (writing->status == BG_OK) {
            fputs(writing->pack->games++ == 0 ? "{\"games\":[\n" : ",\n", writing->out);
            write_packed(writing->out, doc, game->id, steps);
        }
        free(steps);
    }
    doc_destroy(doc);
    record_view_destroy(view);
    return writing->status == BG_OK;
}

void site_pack_end(FILE *out, const struct site_pack *pack)
{
    fprintf(out, "\n],\"first\":%" PRIu64 ",\"count\":%d}\n", pack->first, pack->games);
}

enum bg_status site_pack_write(FILE *out, struct site_pack *pack, struct store *store,
                               struct bg_error *err)
{
    struct pack_writing writing = {.pack = pack, .out = out, .err = err};
    struct game_id after = game_id_of_leg(pack->a, pack->b, pack->first, -1);
    enum bg_status status;

    pack->games = 0;
    pack->has_more = false;
    status = store_games_after(store, &after, INT_MAX, out != NULL, pack_game, &writing, err);
    if (out != NULL && pack->games > 0) {
        site_pack_end(out, pack);
    }
    return status == BG_OK ? writing.status : status;
}

/* ------------------------------------------------------------------ the shared page */

enum { STEP, TURN, BOT, DID, SECONDS, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [STEP] = {"step", "Step"},
    [TURN] = {"turn", "Turn"},
    [BOT] = {"bot", "Bot"},
    [DID] = {"did", "What happened"},
    [SECONDS] = {"seconds", "Time", .unit = "s"},
};

void site_shared_write(struct site_page *page)
{
    static const struct doc_column title[] = {{.key = "title", .title = "Position"}};
    struct doc *doc = site_event_doc(page, "A game");
    struct doc_board board = {
        .pos = {.variant = bg_variant_find("backgammon"), .last_seat = -1, .offered = -1},
        .side = {{.name = "", .score = ""}, {.name = "", .score = ""}}};
    struct doc_boards *boards;
    struct doc_table *table;

    doc->lead = "This page shows every later game of the event, by a script, and only from a web "
                "server.";
    doc->part = "shared";
    bg_variant_setup(&board.pos.board, board.pos.variant);
    doc_section(doc, "board", "Board");
    table = doc_table(doc, "end", "The last position", title, 1);
    table->data = true;
    doc_row(table);
    doc_text(table, 0, " ");
    boards = doc_boards(doc, table, "");
    boards->title = 0;
    doc_board(boards, &board);
    doc_section(doc, "steps", "Every step");
    table = doc_table(doc, "shared", "What happened, step by step", columns, COLUMNS);
    table->head = STEP;
    doc_row(table);
    for (int column = 0; column < COLUMNS; column++) {
        doc_text(table, column, "-");
    }
    site_doc(page, doc, BG_OK);
}
