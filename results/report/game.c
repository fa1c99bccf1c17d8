/* The order is that of a reader: the board with both sides, the turns, who was lucky and who was
 * wrong, then what a program or a doubter needs. */
#include "game.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "game_turns.h"
#include "record/rules_words.h"

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

static void add_facts(struct doc *doc, const struct game_source *source, const struct bg_match *end)
{
    const int length = end->rules.length_points;
    struct doc_table *facts = doc_facts(doc, "game", "The game");

    top_fact(facts, "rules", "Rules", bg_variant_id(end->rules.variant));
    top_fact(facts, "length", "Length",
             length == 0 ? "money game" : doc_format(doc, "match to %d", length));
    top_fact(facts, "result", "Result", result_words(doc, source->view, end));
    if (length > 0) {
        top_fact(facts, "score", "Score after it",
                 doc_format(doc, "%" PRId64 " - %" PRId64, end->score[0], end->score[1]));
    }
    doc_fact_code(facts, "id", "Game", record_view_value(source->view, "id"));
    if (source->judgement != NULL) {
        doc_fact(facts, "judge", "Judge", "%s", source->judgement->judge);
    }
    doc_fact_code(facts, "hash", "Hash of the record", record_view_hash(source->view));
    doc->top = facts;
}

/* ------------------------------------------------------------------ the board */

/* What stands above and below the board: also without script. */
static void add_sides(struct doc_board *board, struct doc *doc, const struct game_turns *turns,
                      const struct bg_match *start)
{
    for (int seat = 0; seat < 2; seat++) {
        struct doc_side *side = &board->side[seat];

        side->name =
            doc_copy(doc, record_view_value(turns->source->view, seat == 0 ? "seat0" : "seat1"));
        side->score = turns->money ? "money"
                                   : doc_format(doc, "%" PRId64 " of %d", start->score[seat],
                                                start->rules.length_points);
        if (turns->has_clock) {
            char text[32];

            game_clock_write(text, turns->clock[seat].left_ns);
            side->clock = doc_copy(doc, text);
        }
    }
}

enum { END_TITLE, END_RESULT, END_XGID, END_POSITION, END_MATCH, END_COLUMNS };

/* The final position: also what a reader without script sees. Its row is filled last. */
static struct doc_boards *add_board(struct doc_table **out, struct doc *doc)
{
    static const struct doc_column columns[END_COLUMNS] = {
        [END_TITLE] = {"title", "Position"},
        [END_RESULT] = {"result", "Result", .use = DOC_DATA},
        [END_XGID] = {"xgid", "XGID", .code = true},
        [END_POSITION] = {"position_id", "Position ID", .code = true, .use = DOC_DATA},
        [END_MATCH] = {"match_id", "Match ID", .code = true, .use = DOC_DATA},
    };
    struct doc_table *table = doc_table(doc, "end", "The last position", columns, END_COLUMNS);
    struct doc_boards *boards;

    table->data = true;
    *out = table;
    boards = doc_boards(doc, table, "");
    boards->title = END_TITLE;
    return boards;
}

static void fill_board(struct doc_boards *boards, struct doc_table *table,
                       const struct game_turns *turns, const struct bg_match *end)
{
    struct doc_board board = doc_board_of(end, 0);
    const struct bg_result *result = &end->result;
    struct bg_match start;
    char text[BG_XGID];

    board.pos = turns->pos.variant == NULL ? board.pos : turns->pos;
    board.id.dice[0] = board.id.dice[1] = 0;
    doc_row(table);
    doc_text(table, END_RESULT, result_words(turns->doc, turns->source->view, end));
    if (result->winner < 0) {
        doc_text(table, END_TITLE, doc_at(table, 0, END_RESULT)->text);
    } else {
        doc_say(table, END_TITLE, "%s wins %" PRId64 " %s (%s)",
                record_view_value(turns->source->view, result->winner == 0 ? "seat0" : "seat1"),
                result->points, plural((uint64_t)result->points, "point", "points"),
                bg_result_how(end->rules.variant, result));
    }
    if (board.has_id && rules_have_xgid(board.pos.variant)) {
        if (bg_xgid_write(text, &end->board, &board.id, NULL) == BG_OK) {
            doc_text(table, END_XGID, text);
        }
        bg_position_id_write(text, &end->board, end->on_roll == 1);
        doc_text(table, END_POSITION, text);
    }
    if (record_view_start(&start, turns->source->view, NULL) == BG_OK) {
        add_sides(&board, turns->doc, turns, &start);
    }
    doc_board(boards, &board);
}

/* ------------------------------------------------------------------ the match */

enum { LEG_GAME, LEG_SCORE, LEG_WINNER, LEG_POINTS, LEG_HOW, LEG_TURNS, LEG_COLUMNS };

/* Adds the games of the match, the cube and score strip; this one is strong. */
static void add_leg(struct doc *doc, const struct game_source *source)
{
    static const struct doc_column columns[LEG_COLUMNS] = {
        [LEG_GAME] = {"game", "Game"},
        [LEG_SCORE] = {"score", "Score before"},
        [LEG_WINNER] = {"winner", "Winner", .bot = true},
        [LEG_POINTS] = {"points", "Points"},
        [LEG_HOW] = {"how", "How"},
        [LEG_TURNS] = {"turns", "Turns"},
    };
    const char *id = record_view_value(source->view, "id");
    struct doc_table *table;
    int64_t score[2] = {0, 0};

    if (source->games < 2) {
        return;
    }
    doc_section(doc, "match", "The match");
    table = doc_table(doc, "leg",
                      doc_format(doc, "The games of the match, scores of %s and %s",
                                 source->leg[0].a, source->leg[0].b),
                      columns, LEG_COLUMNS);
    for (int i = 0; i < source->games; i++) {
        const struct store_game *game = &source->leg[i];

        doc_row(table);
        doc_say(table, LEG_GAME, "game %d", game->game + 1);
        doc_strong(table, LEG_GAME, strcmp(game->id, id) == 0);
        doc_lead_to(table, LEG_GAME, game->id);
        doc_say(table, LEG_SCORE, "%" PRId64 "\u2013%" PRId64, score[0], score[1]);
        doc_text(table, LEG_WINNER, game->winner < 0 ? "" : game->winner == 0 ? game->a : game->b);
        doc_number(table, LEG_POINTS, (double)game->points);
        doc_say(table, LEG_HOW, "%s%s%s", bg_end_name(game->end),
                game->end == BG_END_FAULT ? ": " : "",
                game->end == BG_END_FAULT ? bg_fault_name(game->fault) : "");
        doc_number(table, LEG_TURNS, game->turns);
        score[0] = game->score_a;
        score[1] = game->score_b;
    }
}

/* ------------------------------------------------------------------ the page */

/* steps: where they are written; NULL: to the page. */
static enum bg_status make_page(struct doc **out, FILE *steps, const struct game_source *source,
                                struct bg_error *err)
{
    struct doc *doc = doc_create("");
    struct game_turns turns = {.doc = doc, .source = source};
    struct game_id id;
    struct doc_table *table;
    struct doc_boards *boards;
    struct bg_match end;
    enum bg_status status;

    turns.leg = game_id_read(&id, record_view_value(source->view, "id")) ? id.leg : 0;
    doc->title = doc_format(doc, "%s against %s", record_view_value(source->view, "seat0"),
                            record_view_value(source->view, "seat1"));
    doc->part = "replay";
    doc_section(doc, "board", "Board");
    boards = add_board(&table, doc);
    add_leg(doc, source);
    status = steps == NULL ? game_turns_add(&turns, &end, err)
                           : game_turns_write(&turns, steps, &end, err);
    if (status == BG_OK) {
        fill_board(boards, table, &turns, &end);
        doc_section(doc, "record", "Record");
        add_facts(doc, source, &end);
        *out = doc;
        doc = NULL;
    }
    doc_destroy(doc);
    return status;
}

enum bg_status game_document(struct doc **out, const struct game_source *source,
                             struct bg_error *err)
{
    return make_page(out, NULL, source, err);
}

enum bg_status game_brief(struct doc **out, FILE *steps, const struct game_source *source,
                          struct bg_error *err)
{
    return make_page(out, steps, source, err);
}

/* ------------------------------------------------------------------ from a store */

struct game_reading {
    const struct game_id *id;
    struct record_view *view;
    struct judgement *judgement; /* owned */
    struct store_game *leg;      /* owned, with its texts */
    int games;
    size_t room;
    char hash[RECORD_HASH];
    enum bg_status status;
    struct bg_error *err;
};

static bool read_game(void *user, const struct store_game *game)
{
    struct game_reading *reading = user;
    struct store_game *kept;

    reading->leg =
        memory_list(reading->leg, &reading->room, (size_t)reading->games + 1, sizeof *reading->leg);
    kept = &reading->leg[reading->games++];
    *kept = *game;
    kept->id = memory_text(game->id);
    kept->a = memory_text(game->a);
    kept->b = memory_text(game->b);
    if (game->game == reading->id->game) {
        snprintf(reading->hash, sizeof reading->hash, "%s", game->hash);
        reading->status = record_read(&reading->view, game->text, game->text_size, reading->err);
    }
    return reading->status == BG_OK;
}

struct judge_search {
    char *judge;
    uint64_t games;
};

static void read_judge(void *user, const char *judge, uint64_t games)
{
    struct judge_search *search = user;

    if (games > search->games) {
        free(search->judge);
        search->judge = memory_text(judge);
        search->games = games;
    }
}

enum bg_status game_judge(char **out, struct store *store, struct bg_error *err)
{
    struct judge_search search = {memory_text(""), 0};
    enum bg_status status = store_each_judge(store, read_judge, &search, err);

    *out = search.judge;
    return status;
}

static bool read_judgement(void *user, const struct store_game *game,
                           const struct judgement *judgement)
{
    struct game_reading *reading = user;

    if (game->game == reading->id->game) {
        reading->judgement = judgement_copy(judgement);
    }
    return reading->judgement == NULL;
}

static void end_reading(struct game_reading *reading)
{
    for (int i = 0; i < reading->games; i++) {
        free(reading->leg[i].id);
        free(reading->leg[i].a);
        free(reading->leg[i].b);
    }
    free(reading->leg);
    judgement_destroy(reading->judgement);
    record_view_destroy(reading->view);
}

enum bg_status game_open(struct doc **out, char tag[GAME_TAG], struct store *store,
                         const char *judge, const struct game_id *id, struct bg_error *err)
{
    struct game_reading reading = {.id = id, .err = err};
    enum bg_status status =
        store_leg_games(store, id->a, id->b, id->pair, id->leg, read_game, &reading, err);

    *out = NULL;
    status = status == BG_OK ? reading.status : status;
    if (status == BG_OK && reading.view != NULL && judge[0] != '\0') {
        status = store_leg_judgements(store, id, judge, read_judgement, &reading, err);
    }
    if (status == BG_OK && reading.view != NULL) {
        const struct game_source source = {.view = reading.view,
                                           .judgement = reading.judgement,
                                           .leg = reading.leg,
                                           .games = reading.games};

        status = game_document(out, &source, err);
        snprintf(tag, GAME_TAG, "%.40s-%d-%.8g-%zu", reading.hash, reading.games,
                 reading.judgement == NULL ? 0 : reading.judgement->luck[0],
                 reading.judgement == NULL ? 0 : reading.judgement->choices);
    }
    end_reading(&reading);
    return status;
}
