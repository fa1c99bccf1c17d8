/* Games as JSON objects, one per line: the record's header as values, its steps as objects. */
#include "format.h"

#include <inttypes.h>
#include <string.h>

#include <bgref/notation.h>

#include "base/utc.h"

/* Writes a string with JSON's escapes; records contain no control characters. */
static void put_string(struct text *text, const char *value)
{
    if (value == NULL) {
        text_put(text, "null");
        return;
    }
    text_put(text, "\"");
    text_put_marked(text, value, "\"\\", '\\');
    text_put(text, "\"");
}

static void put_key_string(struct text *text, const char *key, const char *value)
{
    text_put(text, ",\"%s\":", key);
    put_string(text, value);
}

static const char *bot_name(const struct store_game *game, int bot)
{
    return bot == 0 ? game->a : bot == 1 ? game->b : NULL;
}

/* Writes "rules", one line of key=value in the record, as an object of strings. As strings also
 * where they are numbers: the keys are those of the record, and a new rule needs no code here. */
static void put_words(struct text *text, const char *key, const char *line)
{
    const char *before = "";
    bool has_no_cube = false;

    text_put(text, ",\"%s\":{", key);
    while (*line != '\0') {
        size_t word = strcspn(line, " "), name = strcspn(line, "=");

        if (name < word && strncmp(line, "cube=off", word) == 0) {
            has_no_cube = true;
        }
        if (has_no_cube && strncmp(line, "jacoby=on", word) == 0) {
            text_put(text, ",\"jacoby\":\"off\""); /* needs a cube: without one it has no effect */
        } else if (name < word) {
            text_put(text, "%s\"%.*s\":\"%.*s\"", before, (int)name, line, (int)(word - name - 1),
                     line + name + 1);
            before = ",";
        }
        line += word;
        line += *line == ' ';
    }
    text_put(text, "}");
}

static void put_bots(struct text *text, const struct record_view *view)
{
    static const char *const keys[2][4] = {{"seat0", "program0", "version0", "options0"},
                                           {"seat1", "program1", "version1", "options1"}};

    text_put(text, ",\"bots\":[");
    for (int seat = 0; seat < 2; seat++) {
        text_put(text, "%s{\"seat\":%d", seat == 0 ? "" : ",", seat);
        put_key_string(text, "bot", record_view_value(view, keys[seat][0]));
        put_key_string(text, "program", record_view_value(view, keys[seat][1]));
        put_key_string(text, "bot_version", record_view_value(view, keys[seat][2]));
        put_key_string(text, "options", record_view_value(view, keys[seat][3]));
        text_put(text, "}");
    }
    text_put(text, "]");
}

static void put_head(struct text *text, const struct store_game *game,
                     const struct record_view *view)
{
    text_put(text, "{\"id\":");
    put_string(text, game->id);
    put_key_string(text, "a", game->a);
    put_key_string(text, "b", game->b);
    text_put(text, ",\"pair\":%" PRIu64 ",\"leg\":%d,\"game\":%d", game->pair, game->leg,
             game->game);
    put_key_string(text, "event", record_view_value(view, "event"));
    put_bots(text, view);
    put_key_string(text, "clock", record_view_value(view, "clock"));
    put_key_string(text, "dice", record_view_value(view, "dice"));
    put_key_string(text, "trust", record_view_value(view, "trust"));
    put_key_string(text, "host", record_view_value(view, "host"));
    put_words(text, "rules", record_view_value(view, "rules"));
    put_words(text, "start", record_view_value(view, "start"));
    if (record_view_value(view, "board0") != NULL) {
        text_put(text, ",\"boards\":[");
        put_string(text, record_view_value(view, "board0"));
        text_put(text, ",");
        put_string(text, record_view_value(view, "board1"));
        text_put(text, "]");
    }
}

static void put_candidates(struct text *text, const struct bg_thought *thought)
{
    for (uint32_t i = 0; i < thought->candidate_count; i++) {
        const struct bg_candidate *candidate = &thought->candidate[i];
        const struct bg_step step = {.kind = BG_STEP_PLAY, .play = candidate->play};
        char line[RECORD_STEP];

        record_step_write(line, &step); /* "0 play 8/5 6/5" */
        text_put(text, "%s{\"%s\":\"%s\",\"equity\":%.4f}", i == 0 ? ",\"candidates\":[" : ",",
                 candidate->kind == BG_ANSWER_MOVES ? "play" : "action",
                 candidate->kind == BG_ANSWER_MOVES ? line + strlen("0 play ")
                                                    : bg_answer_name(candidate->kind),
                 candidate->equity);
    }
    text_put(text, thought->candidate_count > 0 ? "]" : "");
}

static void put_thought(struct text *text, const struct bg_thought *thought)
{
    const struct bg_chances *chances = &thought->chances;

    text_put(text, ",\"thought\":{\"look_ahead\":%" PRIu32, thought->plies);
    if (thought->has_chances) {
        text_put(text, ",\"win\":%.4f,\"win_gammon\":%.4f,\"win_backgammon\":%.4f", chances->win,
                 chances->win_gammon, chances->win_backgammon);
        text_put(text, ",\"lose_gammon\":%.4f,\"lose_backgammon\":%.4f", chances->lose_gammon,
                 chances->lose_backgammon);
    }
    if (thought->has_equity) {
        text_put(text, ",\"equity\":%.4f", chances->equity);
    }
    text_put(text, ",\"equity_unit\":\"%s\"",
             thought->unit == BG_EQUITY_MATCH ? "match" : "points");
    put_candidates(text, thought);
    put_key_string(text, "says", thought->text[0] == '\0' ? NULL : thought->text);
    text_put(text, "}");
}

/* Writes a step in the order of its record line: seat, word, then the word's details. */
static void put_step(struct text *text, const struct bg_step *step, int64_t spent_ns,
                     const struct bg_thought *thought)
{
    char line[RECORD_STEP];
    const char *rest;

    record_step_write(line, step);
    rest = step->seat >= 0 ? line + 2 : line;
    rest += strcspn(rest, " ");
    rest += *rest == ' ';
    text_put(text, "{\"step\":\"%s\"", bg_step_name(step->kind));
    if (step->seat >= 0) {
        text_put(text, ",\"seat\":%d", step->seat);
    }
    switch (step->kind) {
    case BG_STEP_OPEN:
    case BG_STEP_ROLL:
        text_put(text, ",\"dice\":[%d", step->die[0]);
        for (int i = 1; i < 4 && step->die[i] > 0; i++) {
            text_put(text, ",%d", step->die[i]);
        }
        text_put(text, "]");
        break;
    case BG_STEP_PLAY:
        text_put(text, ",\"play\":\"%s\"", rest);
        break;
    case BG_STEP_RESIGN:
        text_put(text, ",\"level\":%d", step->level);
        break;
    case BG_STEP_NAME:
        text_put(text, ",\"number\":%d", step->level);
        break;
    case BG_STEP_FAULT:
        text_put(text, ",\"fault\":\"%s\"", bg_fault_name(step->fault));
        break;
    default:
        break;
    }
    if (spent_ns >= 0) {
        text_put(text, ",\"ns\":%" PRId64, spent_ns);
    }
    if (thought != NULL) {
        put_thought(text, thought);
    }
    text_put(text, "}");
}

static void put_result(struct text *text, const struct store_game *game,
                       const struct record_view *view)
{
    text_put(text, ",\"result\":{\"cause\":\"%s\"", bg_end_name(game->end));
    put_key_string(text, "winner", bot_name(game, game->winner));
    text_put(text, ",\"level\":%d,\"points\":%" PRId64, game->level, game->points);
    put_key_string(text, "fault", game->fault == BG_FAULT_NONE ? NULL : bg_fault_name(game->fault));
    text_put(text, ",\"plies\":%d,\"score\":[%" PRId64 ",%" PRId64 "],\"match_over\":%s",
             game->turns, game->score_a, game->score_b, game->match_over ? "true" : "false");
    put_key_string(text, "match_winner",
                   game->match_over ? bot_name(game, game->match_winner) : NULL);
    if (record_view_value(view, "left") != NULL) {
        text_put(text, ",\"left_ns\":[%" PRId64 ",%" PRId64 "]", game->left_ns[0],
                 game->left_ns[1]);
    }
    text_put(text, "}");
}

static void put_date(struct text *text, int64_t at_s)
{
    char at[UTC_TEXT];

    utc_write(at, at_s);
    if (at[0] != '\0') {
        put_key_string(text, "at", at);
    }
}

/* Written as text and not through jansson: millions of objects would be made only to be printed
 * and freed. */
enum bg_status json_game(struct format_file *file, const struct store_game *game,
                         const struct record_view *view, struct bg_error *err)
{
    struct text text = {.out = &file->body};

    (void)err;
    put_head(&text, game, view);
    text_put(&text, ",\"steps\":[");
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        struct bg_thought thought;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);
        text_put(&text, i == 0 ? "" : ",");
        put_step(&text, &step, spent_ns, record_view_thought(&thought, view, i) ? &thought : NULL);
    }
    text_put(&text, "]");
    put_result(&text, game, view);
    put_date(&text, game->at_s);
    put_key_string(&text, "hash", game->hash);
    text_put(&text, ",\"surplus\":%s}", file->surplus ? "true" : "false");
    return BG_OK;
}

enum bg_status jsonl_game(struct format_file *file, const struct store_game *game,
                          const struct record_view *view, struct bg_error *err)
{
    struct text text = {.out = &file->body};
    enum bg_status status = json_game(file, game, view, err);

    text_put(&text, "\n");
    return status;
}
