/* Written for gnubg and read by others: what gnubg would silently read as something else is
 * refused, and what the format has no property for stands in a comment. Nothing stays behind of
 * a game that was refused half way. */
#include "sgf.h"

#include <inttypes.h>
#include <string.h>

#include "record/game_id.h"
#include "actions.h"
#include "format.h"
#include "base/utc.h"

/* gnubg's limits: beyond them it silently uses wrong values. */
enum { LENGTH_MAX = 64, CUBE_MAX = 4096 };

/* Variants that gnubg knows, by the word of its RU property; NULL: the default one. They differ
 * only in their starting position. */
static const struct {
    const char *id, *word;
} games[] = {{"backgammon", NULL}, {"nackgammon", "Nackgammon"}, {"hypergammon", "Hypergammon3"}};

struct sgf_writer {
    struct text text;
    const struct record_view *view;
    const struct sgf_place *place;
    struct actions actions;
    char name[2][FORMAT_NAME]; /* by seat */
    int row;                   /* in the table of variants: how the game is written */
};

static char letter_of(const struct sgf_writer *writer, int seat)
{
    return seat == writer->place->white ? 'W' : 'B';
}

/* ---- what .sgf cannot express ---- */

static int game_row(const struct bg_variant *variant)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(games[i].id, bg_variant_id(variant)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_set_up(const struct bg_board *board, const struct bg_variant *variant)
{
    struct bg_board setup;

    bg_variant_setup(&setup, variant);
    return bg_board_equal(&setup, board);
}

static int told_row(const struct sgf_writer *writer)
{
    const struct bg_match *start = &writer->actions.start;
    int row = game_row(start->rules.variant);

    return row < 2 && writer->place->judged && start->on_roll >= 0 &&
                   is_set_up(&start->board, start->rules.variant)
               ? 1 - row
               : row;
}

static enum bg_status check_sgf(const struct sgf_writer *writer, struct bg_error *err)
{
    const struct bg_match *end = &writer->actions.end;
    const char *id = record_view_value(writer->view, "id");
    int64_t cube = INT64_C(1) << end->cube_log2;

    int row = game_row(end->rules.variant);

    if (row < 0 || (row > 1 && writer->place->judged)) { /* the judge does not know this variant */
        return bg_error_set(err, BG_E_ARGUMENT, "game %.150s: .sgf has no %s", id,
                            bg_variant_id(end->rules.variant));
    }
    if (end->rules.length_points > LENGTH_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game %.150s: a match to %d points; in .sgf matches end at %d", id,
                            end->rules.length_points, LENGTH_MAX);
    }
    for (int i = 0; i < writer->actions.count; i++) {
        cube = writer->actions.action[i].cube > cube ? writer->actions.action[i].cube : cube;
    }
    if (cube > CUBE_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game %.150s: the cube reaches %" PRId64 "; in .sgf it ends at %d", id,
                            cube, CUBE_MAX);
    }
    return BG_OK;
}

/* ---- the root ---- */

static void put_word(struct text *text, const char **before, const char *word)
{
    text_put(text, "%s%s", *before, word);
    *before = ":";
}

static void put_rules(struct sgf_writer *writer)
{
    const struct bg_match *start = &writer->actions.start;
    const struct bg_rules *rules = &start->rules;
    const char *game = games[writer->row].word;
    const char *before = "RU[";

    if (rules->length_points > 0 && rules->crawford) {
        put_word(&writer->text, &before, "Crawford");
    }
    if (start->crawford_game) {
        put_word(&writer->text, &before, "CrawfordGame");
    }
    if (rules->jacoby && rules->cube) { /* gnubg applies it without a cube too */
        put_word(&writer->text, &before, "Jacoby");
    }
    if (!rules->cube) {
        put_word(&writer->text, &before, "NoCube");
    }
    if (game != NULL) {
        put_word(&writer->text, &before, game);
    }
    if (before[0] == ':') {
        text_put(&writer->text, "]");
    }
}

static void put_result(struct sgf_writer *writer)
{
    const struct bg_result *result = &writer->actions.end.result;
    bool given_up = result->end == BG_END_RESIGN || result->end == BG_END_FAULT;

    if (result->winner >= 0) {
        text_put(&writer->text, "RE[%c+%" PRId64 "%s]", letter_of(writer, result->winner),
                 result->points, given_up ? "R" : "");
    }
}

/* Writes a comment, because .sgf cannot express refused resignations, faults and games without
 * winner. */
static void put_notes(struct sgf_writer *writer)
{
    const struct bg_result *result = &writer->actions.end.result;
    const char *before = "C[";

    for (int i = 0; i < writer->actions.notes; i++) {
        const struct action_note *note = &writer->actions.note[i];
        char sentence[ACTION_NOTE];

        if (!note->accepted) {
            action_note_write(sentence, note, writer->name[note->seat]);
            text_put(&writer->text, "%sstep %d: ", before, note->step + 1);
            text_put_marked(&writer->text, sentence, "]\\", '\\');
            before = "; ";
        }
    }
    if (result->end != BG_END_NONE && result->winner < 0) {
        text_put(&writer->text, "%sdrawn (%s)", before, bg_end_name(result->end));
        before = "; ";
    }
    if (before[0] == ';') {
        text_put(&writer->text, "]");
    }
}

static void put_root(struct sgf_writer *writer)
{
    struct text *text = &writer->text;
    const struct bg_match *start = &writer->actions.start;
    const char *event = record_view_value(writer->view, "event");
    char at[UTC_TEXT];
    int white = writer->place->white, auto_doubles = writer->actions.end.auto_doubles;

    text_put(text, "(;FF[4]GM[6]CA[UTF-8]AP[bgref:%s]", BG_VERSION);
    text_put(text, "MI[length:%d][game:%d][ws:%" PRId64 "][bs:%" PRId64 "]",
             start->rules.length_points, writer->place->game, writer->place->score[white],
             writer->place->score[1 - white]);
    for (int i = 0; i < 2; i++) {
        text_put(text, i == 0 ? "PW[" : "PB[");
        text_put_marked(text, writer->name[i == 0 ? white : 1 - white], "]\\", '\\');
        text_put(text, "]");
    }
    if (writer->place->game == 0 && event != NULL && event[0] != '\0') {
        text_put(text, "EV[");
        text_put_marked(text, event, "]\\", '\\');
        text_put(text, "]");
    }
    utc_write(at, writer->place->at_s);
    if (at[0] != '\0') {
        text_put(text, "DT[%.10s]", at);
    }
    put_rules(writer);
    if (auto_doubles > 0) {
        text_put(text, "CV[%d]", 1 << auto_doubles);
    }
    put_result(writer);
    put_notes(writer);
    text_put(text, "\n");
}

/* ---- what happened ---- */

/* Points are letters in White's numbering: White's ace point is a, the 24 point x. */
static char point_letter(const struct sgf_writer *writer, int seat, int slot)
{
    if (slot == BG_BAR) {
        return 'y';
    }
    if (slot == BG_OFF) {
        return 'z';
    }
    return (char)(seat == writer->place->white ? 'a' + slot - 1 : 'x' - (slot - 1));
}

static void put_checkers(struct sgf_writer *writer, const struct bg_board *board, int seat)
{
    text_put(&writer->text, "A%c", letter_of(writer, seat));
    for (int slot = BG_BAR; slot >= 1; slot--) {
        for (int i = 0; i < board->at[seat][slot]; i++) {
            text_put(&writer->text, "[%c]", point_letter(writer, seat, slot));
        }
    }
}

/* For a game that began from another position, writes the position in its first nodes. */
static void put_position(struct sgf_writer *writer)
{
    const struct bg_match *start = &writer->actions.start;

    if (!is_set_up(&start->board, bg_variant_find(games[writer->row].id))) {
        int white = writer->place->white;

        text_put(&writer->text, ";");
        if (start->on_roll >= 0) {
            text_put(&writer->text, "PL[%c]", letter_of(writer, start->on_roll));
        }
        /* All points are emptied first: a reader begins with its own set-up. */
        text_put(&writer->text, "AE[a:y]");
        put_checkers(writer, &start->board, white);
        put_checkers(writer, &start->board, 1 - white);
        text_put(&writer->text, "\n");
    }
    if (start->cube_log2 > 0) {
        text_put(&writer->text, ";CV[%d]\n", 1 << start->cube_log2);
    }
    if (start->cube_owner >= 0) {
        text_put(&writer->text, ";CP[%c]\n", start->cube_owner == writer->place->white ? 'w' : 'b');
    }
}

/* Ends a node. A judge values the positions alone, so it does not get what the bots thought. */
static void put_thought(struct sgf_writer *writer, const struct action *action)
{
    char words[ACTION_THOUGHT] = "";

    if (!writer->place->judged) {
        action_thought_write(words, writer->view, action);
    }
    if (words[0] != '\0') {
        text_put(&writer->text, "C[%s thinks: ", writer->name[action->seat]);
        text_put_marked(&writer->text, words, "]\\", '\\');
        text_put(&writer->text, "]");
    }
    text_put(&writer->text, "\n");
}

static void put_action(struct sgf_writer *writer, const struct action *action)
{
    static const char *const words[] = {[ACTION_DOUBLE] = "double",
                                        [ACTION_RAISE] = "double",
                                        [ACTION_TAKE] = "take",
                                        [ACTION_DROP] = "drop"};
    struct text *text = &writer->text;

    if (action->kind != ACTION_ROLL) {
        text_put(text, ";%c[%s]", letter_of(writer, action->seat), words[action->kind]);
        put_thought(writer, action);
        return;
    }
    text_put(text, ";%c[%d%d", letter_of(writer, action->seat), action->roll.die[0],
             action->roll.die[1]);
    for (int i = 0; i < action->play.moves; i++) {
        text_put(text, "%c%c", point_letter(writer, action->seat, action->play.move[i].from),
                 point_letter(writer, action->seat, action->play.move[i].to));
    }
    text_put(text, "]");
    put_thought(writer, action);
}

enum bg_status sgf_write_game_at(struct record *out, const struct record_view *view,
                                 const struct sgf_place *place, struct bg_error *err)
{
    struct sgf_writer writer = {.text = {.out = out}, .view = view, .place = place};
    size_t size = out->size;
    const char *name[2];
    enum bg_status status = actions_read(&writer.actions, view, err);

    if (status == BG_OK) {
        status = check_sgf(&writer, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    format_players(name, view);
    format_names(writer.name, name);
    writer.row = told_row(&writer);
    put_root(&writer);
    put_position(&writer);
    for (int i = 0; i < writer.actions.count; i++) {
        put_action(&writer, &writer.actions.action[i]);
    }
    text_put(&writer.text, ")\n");
done:
    if (status != BG_OK) {
        text_cut(&writer.text, size);
    }
    actions_deinit(&writer.actions);
    return status;
}

enum bg_status sgf_write_game(struct record *out, const struct record_view *view, bool judged,
                              struct bg_error *err)
{
    struct sgf_place place = {.white = 0, .judged = judged};
    struct bg_match start;
    enum bg_status status = record_view_start(&start, view, err);

    if (status == BG_OK) {
        place.game = start.game;
        place.score[0] = start.score[0];
        place.score[1] = start.score[1];
        status = sgf_write_game_at(out, view, &place, err);
    }
    return status;
}

/* Bot A is White, because A is on the left in .mat. */
enum bg_status sgf_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err)
{
    struct sgf_place place = {.white = game_id_seat_of(game->leg, 0), .at_s = game->at_s};
    struct bg_match start;
    enum bg_status status = record_view_start(&start, view, err);

    if (status != BG_OK) {
        return status;
    }
    place.game = file->session ? file->games : start.game;
    for (int seat = 0; seat < 2; seat++) {
        place.score[seat] =
            file->session ? file->score[game_id_bot_at(game->leg, seat)] : start.score[seat];
    }
    return sgf_write_game_at(&file->body, view, &place, err);
}
