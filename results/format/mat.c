/* .mat, in the form that GNU Backgammon and older programs read: two columns, player 0 on the left.
 *
 * Only comments before the first line of the match can contain text. So everything that the columns
 * cannot express (faults, refused offers to resign) is written there, with the number of the game.
 */
#include "format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/game_id.h"
#include "actions.h"
#include "base/plural.h"
#include "base/utc.h"

enum {
    LENGTH_MAX = 64,
    CUBE_MAX = 4096,
    LEFT = 27, /* bytes of the left column */
    PART = 64
};

struct mat_writer {
    struct text text; /* appends to body */
    struct format_file *file;
    const char *id;
    struct actions actions;
    int left;                  /* seat in the left column: bot A's */
    char name[2][FORMAT_NAME]; /* by seat */
    int line;                  /* number of the last line begun */
    bool open;                 /* its left part is written, its right part is not */
};

/* Returns GNU Backgammon's name for the variant; NULL: unknown to it. */
static const char *game_name(const struct bg_variant *variant)
{
    static const struct {
        const char *id, *name;
    } games[] = {{"backgammon", "Backgammon"}, {"nackgammon", "NackGammon"}};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strcmp(games[i].id, bg_variant_id(variant)) == 0) {
            return games[i].name;
        }
    }
    return NULL;
}

/* ---- what .mat cannot express ---- */

/* .mat has no mark for the Crawford game: readers take the first game in which exactly one side
 * needs one point. */
static bool is_taken_for_crawford(const struct mat_writer *writer)
{
    const struct bg_match *start = &writer->actions.start;
    int last = start->rules.length_points - 1;

    return last > 0 && !writer->file->crawford &&
           (start->score[0] == last) != (start->score[1] == last);
}

/* A match that was left ends with a game in which nothing happens: that is a comment. */
static bool is_only_end(const struct mat_writer *writer)
{
    return writer->actions.count == 0 && writer->file->games > 0 &&
           writer->actions.end.result.fault == BG_FAULT_GONE;
}

static enum bg_status check_mat_start(const struct mat_writer *writer, struct bg_error *err)
{
    const struct bg_match *start = &writer->actions.start;
    struct bg_board setup;

    bg_variant_setup(&setup, start->rules.variant);
    if (!bg_board_equal(&setup, &start->board)) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "game %.150s: it begins from a given position, which .mat cannot express; use sgf",
            writer->id);
    }
    if (start->cube_log2 > 0 || writer->actions.end.auto_doubles > 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game %.150s: the cube is turned before the first double, which .mat "
                            "cannot express; use sgf",
                            writer->id);
    }
    if (writer->actions.count == 0 && !is_only_end(writer)) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "game %.150s: it ends before the first roll, which .mat cannot express; use sgf",
            writer->id);
    }
    if (is_taken_for_crawford(writer) != start->crawford_game) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game %.150s: readers of .mat would take it %s the Crawford game; use "
                            "sgf%s",
                            writer->id, start->crawford_game ? "for a game after" : "for",
                            writer->file->games == 0 ? ", or export the whole match" : "");
    }
    return BG_OK;
}

static enum bg_status check_mat(const struct mat_writer *writer, struct bg_error *err)
{
    const struct bg_rules *rules = &writer->actions.start.rules;

    if (game_name(rules->variant) == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "game %.150s: .mat has no %s", writer->id,
                            bg_variant_id(rules->variant));
    }
    if (rules->length_points > LENGTH_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game %.150s: a match to %d points; in .mat matches end at %d",
                            writer->id, rules->length_points, LENGTH_MAX);
    }
    for (int i = 0; i < writer->actions.count; i++) {
        if (writer->actions.action[i].cube > CUBE_MAX) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "game %.150s: the cube reaches %" PRId64 "; in .mat it ends at %d",
                                writer->id, writer->actions.action[i].cube, CUBE_MAX);
        }
    }
    return check_mat_start(writer, err);
}

/* ---- comments ---- */

static void put_comment(struct text *head, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        text_put(head, "; [%s \"", key);
        for (const char *at = value; *at != '\0'; at++) {
            text_put(head, "%c", *at == '"' ? '\'' : *at);
        }
        text_put(head, "\"]\n");
    }
}

/* GNU Backgammon reads a date as year.month.day. */
static void put_date(struct text *head, int64_t at_s)
{
    char at[UTC_TEXT], date[UTC_TEXT];

    utc_write(at, at_s);
    if (at[0] != '\0') {
        snprintf(date, sizeof date, "%.4s.%.2s.%.2s", at, at + 5, at + 8);
        put_comment(head, "EventDate", date);
    }
}

static void put_head(struct mat_writer *writer, struct text *head, const struct record_view *view,
                     int64_t at_s)
{
    const struct bg_rules *rules = &writer->actions.start.rules;

    put_comment(head, "Site", "bgref " BG_VERSION);
    put_comment(head, "Event", record_view_value(view, "event"));
    put_date(head, at_s);
    put_comment(head, "Variation", game_name(rules->variant));
    if (rules->length_points == 0) {
        put_comment(head, "Jacoby", rules->jacoby && rules->cube ? "On" : "Off");
        put_comment(head, "Beaver", rules->beavers ? "On" : "Off");
    }
    if (!rules->cube) {
        put_comment(head, "CubeLimit", "1"); /* how readers of .mat learn it */
        text_put(head, "; played without the cube, gammons count\n");
    }
    if (rules->holland) {
        text_put(head,
                 "; Holland rule: after the Crawford game no double in the first two turns\n");
    }
}

static void put_notes(struct mat_writer *writer, struct text *head)
{
    const struct bg_result *result = &writer->actions.end.result;
    int game = writer->file->games + 1;

    for (int i = 0; i < writer->actions.notes; i++) {
        const struct action_note *note = &writer->actions.note[i];
        char sentence[ACTION_NOTE];

        if (!note->accepted) {
            action_note_write(sentence, note, writer->name[note->seat]);
            text_put(head, "; game %d, step %d: %s\n", game, note->step + 1, sentence);
        }
    }
    if (result->end != BG_END_NONE && result->winner < 0) {
        text_put(head, "; game %d: drawn (%s)\n", game, bg_end_name(result->end));
    }
}

/* Readers play a roll without moves if it has one legal play. If that play would win the game for
 * the side that resigned, the roll must be left out. */
static bool would_be_played_out(const struct mat_writer *writer, const struct action *action)
{
    static struct bg_play_list plays;
    const struct bg_match *end = &writer->actions.end;
    struct bg_stage stage = bg_stage_of_roll(end->rules.variant, action->roll);
    struct bg_board board;

    bg_play_list(&plays, end->rules.variant, &end->board, action->seat, &stage);
    if (plays.count != 1) {
        return false;
    }
    bg_play_make(&board, end->rules.variant, &end->board, action->seat, &plays.play[0]);
    return board.at[action->seat][BG_OFF] == BG_CHECKERS;
}

/* ---- columns ---- */

/* Pads a left part even if nothing follows: readers take a short line for the right part of the
 * line before. */
static void put_part(struct mat_writer *writer, int seat, const char *part)
{
    struct text *text = &writer->text;

    if (seat == writer->left || !writer->open) {
        text_put(text, "%s%3d) %-*s ", writer->open ? "\n" : "", ++writer->line, LEFT,
                 seat == writer->left ? part : "");
        writer->open = true;
    }
    if (seat != writer->left) {
        text_put(text, "%s\n", part);
        writer->open = false;
    }
}

static void write_roll(char out[PART], const struct action *action, bool hits)
{
    int length = snprintf(out, PART, "%d%d:", action->roll.die[0], action->roll.die[1]);

    for (int i = 0; i < action->play.moves; i++) {
        length +=
            snprintf(out + length, (size_t)(PART - length), " %d/%d%s", action->play.move[i].from,
                     action->play.move[i].to, hits && action->hit[i] ? "*" : "");
    }
}

/* GNU Backgammon reads the next roll after "Beavers" as its acceptance, even a roll of the next
 * game after the beaver was passed. So the word is written only before such a roll, or before a
 * raccoon. */
static bool is_rolled_on(const struct action *action, const struct action *end)
{
    return action + 2 < end && action[1].kind == ACTION_TAKE && action[2].kind == ACTION_ROLL;
}

static const char *raise_word(const struct action *action, const struct action *end)
{
    if (action[-1].kind == ACTION_RAISE) {
        return "Raccoons";
    }
    return is_rolled_on(action, end) || (action + 1 < end && action[1].kind == ACTION_RAISE)
               ? "Beavers"
               : "Doubles";
}

/* Whether the next roll implies the take, so that the take must not be written. */
static bool is_understood(const struct action *action, const struct action *end)
{
    return action[-1].kind == ACTION_RAISE && action[-2].kind == ACTION_DOUBLE &&
           is_rolled_on(action - 1, end);
}

static void put_action(struct mat_writer *writer, const struct action *action)
{
    const struct action *end = writer->actions.action + writer->actions.count;
    char part[PART];

    switch (action->kind) {
    case ACTION_ROLL:
        write_roll(part, action, true);
        if (strlen(part) > LEFT) { /* leave out the hit marks rather than exceed the column */
            write_roll(part, action, false);
        }
        break;
    case ACTION_DOUBLE:
        snprintf(part, sizeof part, " Doubles => %" PRId64, action->cube);
        break;
    case ACTION_RAISE:
        snprintf(part, sizeof part, " %s => %" PRId64, raise_word(action, end), action->cube);
        break;
    case ACTION_TAKE:
        if (is_understood(action, end)) {
            return;
        }
        snprintf(part, sizeof part, " Takes");
        break;
    case ACTION_DROP:
        snprintf(part, sizeof part, " Drops");
        break;
    }
    put_part(writer, action->seat, part);
}

static void put_wins(struct mat_writer *writer)
{
    const struct bg_result *result = &writer->actions.end.result;
    bool same_line = result->end == BG_END_PASS && writer->open;

    if (writer->open && !same_line) {
        text_put(&writer->text, "\n");
    }
    if (result->winner >= 0) {
        text_put(&writer->text, "%*sWins %" PRId64 " point%s\n",
                 same_line                        ? 1
                 : result->winner == writer->left ? 6
                                                  : 34,
                 "", result->points, plural_s((uint64_t)result->points));
    }
}

static void put_names(struct mat_writer *writer)
{
    const struct bg_match *start = &writer->actions.start;
    const struct format_file *file = writer->file;
    const int64_t left_score = file->session ? file->score[0] : start->score[writer->left];
    const int64_t right_score = file->session ? file->score[1] : start->score[1 - writer->left];
    char left[FORMAT_NAME + 32];

    snprintf(left, sizeof left, "%s : %" PRId64, writer->name[writer->left], left_score);
    text_put(&writer->text, " %-31s%s%s : %" PRId64 "\n", left, strlen(left) >= 31 ? " " : "",
             writer->name[1 - writer->left], right_score);
}

static void put_thought(struct mat_writer *writer, struct text *head,
                        const struct record_view *view, const struct action *action)
{
    char words[ACTION_THOUGHT];

    action_thought_write(words, view, action);
    if (words[0] != '\0') {
        text_put(head, "; game %d, step %d: %s thinks: %s\n", writer->file->games + 1,
                 action->step + 1, writer->name[action->seat], words);
    }
}

static void put_mat_game(struct mat_writer *writer, struct text *head,
                         const struct record_view *view)
{
    text_put(&writer->text, "\n Game %d\n", writer->file->games + 1);
    put_names(writer);
    for (int i = 0; i < writer->actions.count; i++) {
        const struct action *action = &writer->actions.action[i];

        put_thought(writer, head, view, action);
        if (action->unplayed && would_be_played_out(writer, action)) {
            text_put(head, "; game %d, step %d: %s has rolled %d%d, which is left out below\n",
                     writer->file->games + 1, action->step + 1, writer->name[action->seat],
                     action->roll.die[0], action->roll.die[1]);
        } else {
            put_action(writer, action);
        }
    }
    put_wins(writer);
}

enum bg_status mat_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err)
{
    struct mat_writer writer = {.text = {.out = &file->body},
                                .file = file,
                                .id = game->id,
                                .left = game_id_seat_of(game->leg, 0)};
    struct text head = {.out = &file->head};
    const char *name[2];
    /* A game that cannot be written must leave nothing in the match, whose other games may still
     * be refused or written. */
    const size_t head_size = file->head.size, body_size = file->body.size;
    enum bg_status status = actions_read(&writer.actions, view, err);

    if (status == BG_OK) {
        status = check_mat(&writer, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    format_players(name, view);
    format_names(writer.name, name);
    if (file->games == 0) {
        put_head(&writer, &head, view, game->at_s);
        text_put(&writer.text, "\n %d point match\n", writer.actions.start.rules.length_points);
    }
    put_notes(&writer, &head);
    if (!is_only_end(&writer)) {
        put_mat_game(&writer, &head, view);
    }
    file->crawford |= writer.actions.start.crawford_game;
done:
    if (status != BG_OK) {
        text_cut(&head, head_size);
        text_cut(&writer.text, body_size);
    }
    actions_deinit(&writer.actions);
    return status;
}
