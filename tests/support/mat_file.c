#include "support/mat_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The right column begins here, unless the left text is longer. */
enum { LEFT = 5, RIGHT = 33, LINE_MAX_BYTES = 1024 };

struct reader {
    const char *path;
    int line;
    int64_t money[2]; /* running sums of a money session: each of its games stands alone */
    struct bg_rules rules;
    struct bg_match match;
    struct bg_match unplayed; /* before the last play */
    struct mat_game *game;
    size_t room, count;
    bool playing;
    char *message;
    size_t message_room;
};

static bool fail(struct reader *reader, const char *format, ...)
{
    int length =
        snprintf(reader->message, reader->message_room, "%s:%d: ", reader->path, reader->line);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reader->message + length, reader->message_room - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static bool make(struct reader *reader, const struct bg_step *step)
{
    enum bg_rule broken = bg_match_step(&reader->match, step);

    if (broken != BG_RULE_NONE) {
        return fail(reader, "%s of seat %d breaks %s: %s", bg_step_name(step->kind), step->seat,
                    bg_rule_number(broken), bg_rule_text(broken));
    }
    return true;
}

static bool make_simple(struct reader *reader, enum bg_step_kind kind, int seat)
{
    struct bg_step step = {.kind = kind, .seat = seat};

    return make(reader, &step);
}

static bool begin_game(struct reader *reader)
{
    if (reader->count == reader->room) {
        return fail(reader, "too many games");
    }
    if (reader->count == 0 || reader->rules.length_points == 0) {
        bg_match_begin(&reader->match, &reader->rules);
    } else if (!make_simple(reader, BG_STEP_NEXT, -1)) {
        return false;
    }
    memset(&reader->game[reader->count], 0, sizeof reader->game[0]);
    reader->playing = true;
    return true;
}

/* " Alice : 0                      Bob : 0" */
static bool check_scores(struct reader *reader, const char *line)
{
    struct mat_game *game = &reader->game[reader->count];
    const int64_t *mine = reader->rules.length_points == 0 ? reader->money : reader->match.score;
    const char *first = strchr(line, ':');
    const char *second = first == NULL ? NULL : strchr(first + 1, ':');
    int64_t stated[2];

    if (second == NULL) {
        return fail(reader, "expected the names and scores");
    }
    stated[0] = strtoll(first + 1, NULL, 10);
    stated[1] = strtoll(second + 1, NULL, 10);
    if (stated[0] != mine[0] || stated[1] != mine[1]) {
        return fail(reader,
                    "score %" PRId64 "-%" PRId64 " in the file, %" PRId64 "-%" PRId64
                    " in the machine",
                    stated[0], stated[1], mine[0], mine[1]);
    }
    memcpy(game->score, mine, sizeof game->score);
    game->crawford_game = reader->match.crawford_game;
    game->crawford_done = reader->match.crawford_done;
    return true;
}

static bool roll(struct reader *reader, int seat, int high, int low)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = seat};

    step.die[0] = (uint8_t)high;
    step.die[1] = (uint8_t)low;
    if (reader->match.need.kind == BG_NEED_OPENING) {
        step.kind = BG_STEP_OPEN;
        step.seat = -1;
        step.die[seat] = (uint8_t)(high > low ? high : low);
        step.die[1 - seat] = (uint8_t)(high > low ? low : high);
    }
    return make(reader, &step);
}

/* "13/11 24/23*"; text may be empty: no legal play, or a roll before a resignation. */
static bool play(struct reader *reader, int seat, const char *text)
{
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = seat};
    int from, to, length;

    while (sscanf(text, " %d/%d%n", &from, &to, &length) == 2) {
        if (step.play.moves == BG_MOVES_MAX) {
            return fail(reader, "more than four moves");
        }
        step.play.move[step.play.moves].from = (uint8_t)from;
        step.play.move[step.play.moves].to = (uint8_t)to;
        step.play.moves++;
        text += length;
        text += *text == '*';
    }
    if (text[strspn(text, " ")] != '\0') {
        return fail(reader, "cannot read moves '%s'", text);
    }
    if (step.play.moves == 0) {
        return true;
    }
    reader->unplayed = reader->match;
    reader->game[reader->count].plays++;
    return make(reader, &step);
}

static bool double_to(struct reader *reader, int seat, long long value)
{
    if (value != 2LL << reader->match.cube_log2) {
        return fail(reader, "doubles to %lld from %lld", value, 1LL << reader->match.cube_log2);
    }
    return make_simple(reader, BG_STEP_DOUBLE, seat);
}

/* The file gives only the winner and the points of a resignation. A resigner who offered in the
 * opponent's turn did so after his own play: here he offers instead of that play, as 5.4 allows. */
static bool resign(struct reader *reader, int winner, int64_t points)
{
    struct bg_step step = {.kind = BG_STEP_RESIGN, .seat = 1 - winner};

    step.level = (uint8_t)(points >> reader->match.cube_log2);
    if (reader->match.need.seat == winner) {
        reader->match = reader->unplayed;
        reader->game[reader->count].plays--;
    }
    return make(reader, &step) && make_simple(reader, BG_STEP_ACCEPT, winner);
}

static bool wins(struct reader *reader, int winner, int64_t points)
{
    struct mat_game *game = &reader->game[reader->count];

    if (reader->match.result.end == BG_END_NONE && !resign(reader, winner, points)) {
        return false;
    }
    game->result = reader->match.result;
    game->cube = INT64_C(1) << reader->match.cube_log2;
    if (game->result.winner != winner || game->result.points != points) {
        return fail(reader,
                    "seat %d wins %" PRId64 " in the file, seat %d wins %" PRId64 " in the machine",
                    winner, points, game->result.winner, game->result.points);
    }
    reader->money[winner] += points;
    reader->count++;
    reader->playing = false;
    return true;
}

static bool read_part(struct reader *reader, int seat, char *text)
{
    long long number;
    int high, low, length;

    if (sscanf(text, " Doubles => %lld", &number) == 1) {
        return double_to(reader, seat, number);
    }
    if (sscanf(text, " Wins %lld", &number) == 1) {
        return wins(reader, seat, number);
    }
    if (strstr(text, "Takes") != NULL) {
        return make_simple(reader, BG_STEP_TAKE, seat);
    }
    if (strstr(text, "Drops") != NULL) {
        return make_simple(reader, BG_STEP_PASS, seat);
    }
    if (sscanf(text, " %1d%1d:%n", &high, &low, &length) != 2) {
        return text[strspn(text, " ")] == '\0' || fail(reader, "cannot read '%s'", text);
    }
    return roll(reader, seat, high, low) && play(reader, seat, text + length);
}

/* Splits a line of a game into its columns. */
static bool read_columns(struct reader *reader, char *line)
{
    char right[LINE_MAX_BYTES] = "";
    size_t length = strlen(line);

    if (length > RIGHT) {
        snprintf(right, sizeof right, "%s", line + RIGHT);
        line[RIGHT] = '\0';
    }
    return read_part(reader, 0, length > LEFT ? line + LEFT : line + length) &&
           read_part(reader, 1, right);
}

static bool read_line(struct reader *reader, char *line)
{
    int length_points;
    int game;

    line[strcspn(line, "\r\n")] = '\0';
    if (line[strspn(line, " ")] == '\0' || line[0] == ';') {
        return true;
    }
    if (strstr(line, "point match") != NULL && sscanf(line, " %d", &length_points) == 1) {
        reader->rules = bg_rules_default(bg_variant_find("backgammon"), length_points);
        return true;
    }
    if (sscanf(line, " Game %d", &game) == 1) {
        return begin_game(reader);
    }
    if (reader->playing && reader->match.need.kind == BG_NEED_OPENING &&
        strchr(line, ')') == NULL) {
        return check_scores(reader, line);
    }
    return reader->playing ? read_columns(reader, line) : fail(reader, "no game begun");
}

bool mat_replay(struct mat_game *game, size_t room, size_t *count, const char *path, char *message,
                size_t message_room)
{
    struct reader reader = {
        .path = path, .game = game, .room = room, .message = message, .message_room = message_room};
    char line[LINE_MAX_BYTES];
    FILE *file = fopen(path, "r");
    bool good = file != NULL || fail(&reader, "cannot open");

    while (good && fgets(line, sizeof line, file) != NULL) {
        reader.line++;
        good = read_line(&reader, line);
    }
    if (good && reader.playing) {
        good = fail(&reader, "the last game has no winner");
    }
    if (file != NULL) {
        fclose(file);
    }
    *count = reader.count;
    return good;
}
