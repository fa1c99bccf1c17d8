#define _GNU_SOURCE
#include "mat_read.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include "record/game_id.h"

enum {
    FILE_MAX_BYTES = 256000000,
    LINE_MAX_BYTES = 1024,
    GAMES_MAX = 100000,
    STEPS_MAX = 20000,
    LENGTH_MAX = 10000
};

/* A place in a game to which one who resigns out of turn goes back. */
struct place {
    bool known;
    struct bg_match match;
    int steps;
};

struct reader {
    struct mat_match *out;
    const char *name;
    uint64_t pair;
    void (*noted)(const char *story);
    struct bg_error *err;

    int line;
    bool has_length, has_jacoby, jacoby;
    char event[128];
    struct bg_rules rules;

    bool in_game, expects_names;
    int number;            /* of the game, as the file has it */
    int64_t score[2];      /* before it */
    struct bg_match start; /* of the game */
    struct bg_match match; /* now */
    struct bg_step *step;  /* of the game; owned */
    int steps, room;
    struct place own_turn[2]; /* by seat: before its last play */
    bool unplayed;            /* the last roll has no moves */
};

/* ---- telling ---- */

static enum bg_status fail(struct reader *reader, enum bg_status status, const char *format, ...)
{
    char story[320];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(story, sizeof story, format, arguments);
    va_end(arguments);
    if (reader->number > 0) {
        return bg_error_set(reader->err, status, "%.120s:%d: game %d: %s", reader->name,
                            reader->line, reader->number, story);
    }
    return bg_error_set(reader->err, status, "%.120s:%d: %s", reader->name, reader->line, story);
}

static void note(struct reader *reader, const char *what, int seat)
{
    char story[256];

    if (reader->noted != NULL) {
        snprintf(story, sizeof story, "%.100s:%d: game %d: %s %s", reader->name, reader->line,
                 reader->number, reader->out->name[seat], what);
        reader->noted(story);
    }
}

/* ---- steps ---- */

static enum bg_status make(struct reader *reader, const struct bg_step *step, const char *part)
{
    enum bg_rule broken = bg_match_step(&reader->match, step);

    if (broken != BG_RULE_NONE) {
        return fail(reader, BG_E_MISMATCH, "%s, '%.60s': %s: %s",
                    step->seat < 0 ? "opening" : reader->out->name[step->seat], part,
                    bg_rule_number(broken), bg_rule_text(broken));
    }
    if (reader->steps == reader->room) {
        int room = reader->room == 0 ? 256 : 2 * reader->room;
        struct bg_step *more =
            room > STEPS_MAX ? NULL : realloc(reader->step, (size_t)room * sizeof more[0]);

        if (more == NULL) {
            return fail(reader, BG_E_MEMORY, "a game of more than %d steps", reader->steps);
        }
        reader->step = more;
        reader->room = room;
    }
    reader->step[reader->steps++] = *step;
    return BG_OK;
}

static enum bg_status make_simple(struct reader *reader, enum bg_step_kind kind, int seat,
                                  const char *part)
{
    struct bg_step step = {.kind = kind, .seat = seat};

    return make(reader, &step, part);
}

/* ---- names and records ---- */

/* A name for bots: what is not allowed becomes a dash, a rating behind a comma is dropped. */
static void clean_name(char out[65], const char *text, size_t length)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    size_t used = 0;

    for (size_t i = 0; i < length && used < 64; i++) {
        if (text[i] == ',' && atoi(text + i + 1) > 0) {
            break;
        }
        out[used++] = text[i] != '\0' && strchr(allowed, text[i]) != NULL ? text[i] : '-';
    }
    while (used > 0 && out[used - 1] == '-') {
        used--;
    }
    out[used] = '\0';
    if (used == 0) {
        strcpy(out, "unknown");
    }
}

static void part_names(char name[2][65])
{
    if (strcmp(name[0], name[1]) == 0) {
        name[0][62] = name[1][62] = '\0';
        strcat(name[0], "-1");
        strcat(name[1], "-2");
    }
}

static enum bg_status write_record(struct mat_game *game, const struct reader *reader)
{
    const struct mat_match *out = reader->out;
    bool follows = out->games > 0 && out->length_points > 0;
    struct record_header header = {.game_id = game->id,
                                   .event = reader->event,
                                   .seat_name = {out->name[0], out->name[1]},
                                   .seat_program = {"-", "-"},
                                   .start = &reader->start,
                                   .clock = "none",
                                   .prev = follows ? out->game[out->games - 1].hash : "",
                                   .dice = "file"};
    enum bg_status status = record_begin(&game->record, &header, reader->err);

    for (int i = 0; status == BG_OK && i < reader->steps; i++) {
        status = record_append(&game->record, &reader->step[i], -1, reader->err);
    }
    return status == BG_OK
               ? record_end(&game->record, &reader->match.result, NULL, game->hash, reader->err)
               : status;
}

static enum bg_status keep_game(struct reader *reader)
{
    struct mat_match *out = reader->out;
    struct mat_game *more = NULL, *game;
    struct game_id id;
    bool swapped = strcmp(out->name[0], out->name[1]) > 0, money = out->length_points == 0;

    if (out->games < GAMES_MAX) {
        more = realloc(out->game, ((size_t)out->games + 1) * sizeof more[0]);
    }
    if (more == NULL) {
        return fail(reader, BG_E_MEMORY, "%d games", out->games);
    }
    out->game = more;
    game = &more[out->games];
    *game = (struct mat_game){.end = reader->match};
    id = game_id_of(out->name[swapped], out->name[!swapped]);
    id.pair = reader->pair + (uint64_t)(money ? out->games : 0);
    id.leg = swapped;
    id.game = reader->start.game;
    game_id_write(game->id, &id);

    enum bg_status status = write_record(game, reader);

    out->games++; /* also when it is cut short: it owns memory */
    reader->in_game = false;
    return status;
}

/* ---- beginning of a game ---- */

static bool is_crawford(const struct reader *reader)
{
    int last = reader->rules.length_points - 1;

    return last > 0 && (reader->score[0] == last) != (reader->score[1] == last);
}

/* From the scores alone, when there is no game before it; on_roll -1: an opening roll decides. */
static enum bg_status begin_at(struct reader *reader, int on_roll, bool crawford, bool done)
{
    struct bg_start start = {.on_roll = on_roll,
                             .cube_owner = BG_CENTRED,
                             .crawford_game = crawford,
                             .crawford_done = done,
                             .game = reader->out->length_points == 0 ? 0 : reader->out->games};
    struct bg_error why = {0};

    bg_variant_setup(&start.board, reader->rules.variant);
    if (reader->out->length_points > 0) {
        start.score[0] = reader->score[0];
        start.score[1] = reader->score[1];
    }
    if (bg_match_begin_at(&reader->match, &reader->rules, &start, &why) != BG_OK) {
        return fail(reader, BG_E_MISMATCH, "%s", why.text);
    }
    reader->start = reader->match;
    return BG_OK;
}

static enum bg_status begin_game(struct reader *reader)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    const struct mat_match *out = reader->out;

    reader->steps = 0;
    reader->unplayed = false;
    reader->in_game = true;
    reader->own_turn[0].known = reader->own_turn[1].known = false;
    if (out->length_points == 0 || out->games == 0) {
        return begin_at(reader, -1, is_crawford(reader), false);
    }
    reader->match = out->game[out->games - 1].end;
    if (bg_match_step(&reader->match, &next) != BG_RULE_NONE) {
        return fail(reader, BG_E_MISMATCH, "the match is over before it");
    }
    if (reader->match.score[0] != reader->score[0] || reader->match.score[1] != reader->score[1]) {
        return fail(reader, BG_E_MISMATCH,
                    "the score is given as %" PRId64 " to %" PRId64
                    ", but the games before make %" PRId64 " to %" PRId64,
                    reader->score[0], reader->score[1], reader->match.score[0],
                    reader->match.score[1]);
    }
    reader->start = reader->match;
    return BG_OK;
}

/* " Alice : 0                      Bob : 0" */
static enum bg_status read_names(struct reader *reader, const char *line)
{
    const char *first = strchr(line, ':'), *second = first == NULL ? NULL : strchr(first + 1, ':');
    char name[2][65];
    const char *at, *end;

    if (second == NULL) {
        return fail(reader, BG_E_FORMAT, "expected names and scores, like 'alice : 0    bob : 0'");
    }
    reader->score[0] = strtoll(first + 1, NULL, 10);
    reader->score[1] = strtoll(second + 1, NULL, 10);
    for (at = line; at < first && isspace((unsigned char)*at); at++) {
    }
    for (end = first; end > at && isspace((unsigned char)end[-1]); end--) {
    }
    clean_name(name[0], at, (size_t)(end - at));
    for (at = first + 1; isspace((unsigned char)*at); at++) {
    }
    for (; *at != '\0' && !isspace((unsigned char)*at); at++) {
    }
    for (; at < second && isspace((unsigned char)*at); at++) {
    }
    for (end = second; end > at && isspace((unsigned char)end[-1]); end--) {
    }
    clean_name(name[1], at, at < end ? (size_t)(end - at) : 0);
    part_names(name);
    if (reader->out->games > 0 && (strcmp(name[0], reader->out->name[0]) != 0 ||
                                   strcmp(name[1], reader->out->name[1]) != 0)) {
        return fail(reader, BG_E_MISMATCH, "'%s' and '%s' play, but before it were '%s' and '%s'",
                    name[0], name[1], reader->out->name[0], reader->out->name[1]);
    }
    memcpy(reader->out->name, name, sizeof name);
    reader->expects_names = false;
    return begin_game(reader);
}

/* ---- rolls and plays ---- */

/* A game that begins with a double, or with the cube, was not begun by an opening roll. */
static enum bg_status begin_without_opening(struct reader *reader, int seat)
{
    return begin_at(reader, seat, reader->start.crawford_game, reader->start.crawford_done);
}

static enum bg_status roll(struct reader *reader, int seat, const char *part)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = seat};
    uint8_t one = (uint8_t)(part[0] - '0'), other = (uint8_t)(part[1] - '0');
    enum bg_status status = BG_OK;

    step.die[0] = one;
    step.die[1] = other;
    if (reader->match.need.kind == BG_NEED_RAISE && reader->match.need.seat == seat) {
        status = make_simple(reader, BG_STEP_TAKE, seat, part); /* the beaver is accepted */
    }
    if (status == BG_OK && reader->match.need.kind == BG_NEED_OPENING) {
        if (one == other) {
            status = begin_without_opening(reader, seat);
        } else {
            step.kind = BG_STEP_OPEN;
            step.seat = -1;
            step.die[seat] = one > other ? one : other;
            step.die[1 - seat] = one > other ? other : one;
        }
    }
    return status == BG_OK ? make(reader, &step, part) : status;
}

static enum bg_status play(struct reader *reader, int seat, const char *part, const char *moves)
{
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = seat};
    struct bg_error why = {0};

    if (bg_play_read(&step.play, moves, &why) != BG_OK) {
        return fail(reader, BG_E_FORMAT, "%s, '%.60s': %.150s", reader->out->name[seat], part,
                    why.text);
    }
    if (reader->match.need.kind == BG_NEED_PLAY && reader->match.need.seat == seat) {
        reader->own_turn[seat] =
            (struct place){.known = true, .match = reader->match, .steps = reader->steps};
    }
    return make(reader, &step, part);
}

/* A lone roll that has a legal play was given up, unless play goes on behind it. */
static enum bg_status check_played(struct reader *reader, const char *part)
{
    static struct bg_play_list plays;
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = reader->match.need.seat};

    if (!reader->unplayed) {
        return BG_OK;
    }
    reader->unplayed = false;
    bg_play_list(&plays, reader->rules.variant, &reader->match.board, step.seat,
                 &reader->match.stage);
    if (plays.count != 1) {
        return fail(reader, BG_E_MISMATCH, "%s has not played the roll before '%.40s'",
                    reader->out->name[step.seat], part);
    }
    step.play = plays.play[0];
    note(reader, "is taken to have made the only legal play of a roll without moves", step.seat);
    return make(reader, &step, part);
}

static bool begins_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

static enum bg_status read_roll(struct reader *reader, int seat, const char *part)
{
    const char *moves = part + 3 + strspn(part + 3, " \t");
    enum bg_status status = check_played(reader, part);

    if (status == BG_OK) {
        status = roll(reader, seat, part);
    }
    if (status != BG_OK) {
        return status;
    }
    if (begins_with(moves, "illegal play")) {
        return fail(reader, BG_E_FORMAT, "%s, '%.60s': the file itself calls it illegal",
                    reader->out->name[seat], part);
    }
    if (*moves == '\0' || begins_with(moves, "cannot move") || begins_with(moves, "???")) {
        reader->unplayed = reader->match.need.kind == BG_NEED_PLAY;
        return BG_OK;
    }
    return play(reader, seat, part, moves);
}

/* ---- the cube ---- */

static enum bg_status read_double(struct reader *reader, int seat, const char *part)
{
    const char *value = strstr(part, "=>");
    bool raise =
        reader->match.need.kind == BG_NEED_TAKE || reader->match.need.kind == BG_NEED_RAISE;
    int64_t offered;
    enum bg_status status = check_played(reader, part);

    if (status == BG_OK && reader->match.need.kind == BG_NEED_OPENING) {
        status = begin_without_opening(reader, seat);
    }
    offered = INT64_C(2) << (reader->match.cube_log2 + raise);
    if (status == BG_OK && value != NULL && strtoll(value + 2, NULL, 10) != offered) {
        return fail(reader, BG_E_MISMATCH, "%s, '%.60s': the cube would come to %" PRId64,
                    reader->out->name[seat], part, offered);
    }
    return status == BG_OK ? make_simple(reader, raise ? BG_STEP_RAISE : BG_STEP_DOUBLE, seat, part)
                           : status;
}

/* ---- the end ---- */

/* The file says only who wins how much. One who gives up when it is not his turn goes back to his
 * last own turn; one who gives up a single game in front of a double has passed it. */
static enum bg_status resign(struct reader *reader, int winner, int64_t points, const char *part)
{
    int64_t cube = INT64_C(1) << reader->match.cube_log2;
    struct bg_step step = {.kind = BG_STEP_RESIGN, .seat = 1 - winner};
    const struct bg_need *need = &reader->match.need;

    step.level = (uint8_t)(points <= cube ? 1 : points <= 2 * cube ? 2 : 3);
    if ((need->kind == BG_NEED_TAKE || need->kind == BG_NEED_RAISE) && need->seat == step.seat &&
        step.level == 1) {
        return make_simple(reader, BG_STEP_PASS, step.seat, part);
    }
    if (bg_match_may_resign(&reader->match, step.seat, step.level) != BG_RULE_NONE) {
        const struct place *back = &reader->own_turn[step.seat];

        if (!back->known || INT64_C(1) << back->match.cube_log2 != cube) {
            return fail(reader, BG_E_MISMATCH,
                        "%s gives up out of turn, and has no own turn at this cube before it",
                        reader->out->name[step.seat]);
        }
        note(reader, "gives up out of turn: so before the last own play", step.seat);
        reader->match = back->match;
        reader->steps = back->steps;
    }
    enum bg_status status = make(reader, &step, part);

    return status == BG_OK ? make_simple(reader, BG_STEP_ACCEPT, winner, part) : status;
}

static enum bg_status read_wins(struct reader *reader, int winner, const char *part)
{
    const struct bg_result *result = &reader->match.result;
    int64_t points = strtoll(part + strcspn(part, "0123456789"), NULL, 10);
    enum bg_status status = BG_OK;

    if (result->end == BG_END_NONE) {
        status = resign(reader, winner, points, part);
    }
    if (status == BG_OK && (result->winner != winner || result->points != points)) {
        return fail(reader, BG_E_MISMATCH,
                    "%s wins %" PRId64 " in the file, but %s wins %" PRId64 " by the rules",
                    reader->out->name[winner], points,
                    result->winner < 0 ? "nobody" : reader->out->name[result->winner],
                    result->points);
    }
    return status == BG_OK ? keep_game(reader) : status;
}

/* ---- lines ---- */

static enum bg_status read_part(struct reader *reader, int seat, char *part)
{
    size_t length;

    part += strspn(part, " \t");
    for (length = strlen(part); length > 0 && isspace((unsigned char)part[length - 1]); length--) {
    }
    part[length] = '\0';
    if (length == 0 || begins_with(part, "resign")) {
        return BG_OK;
    }
    if (!reader->in_game) {
        return fail(reader, BG_E_FORMAT, "'%.60s' stands behind the end of the game", part);
    }
    if (part[0] >= '1' && part[0] <= '6' && part[1] >= '1' && part[1] <= '6' && part[2] == ':') {
        return read_roll(reader, seat, part);
    }
    if (begins_with(part, "double") || begins_with(part, "redouble") ||
        begins_with(part, "beaver") || begins_with(part, "raccoon")) {
        return read_double(reader, seat, part);
    }
    if (begins_with(part, "take")) {
        return make_simple(reader, BG_STEP_TAKE, seat, part);
    }
    if (begins_with(part, "drop") || begins_with(part, "pass")) {
        return make_simple(reader, BG_STEP_PASS, seat, part);
    }
    if (begins_with(part, "win")) {
        return read_wins(reader, seat, part);
    }
    return fail(reader, BG_E_FORMAT,
                "'%.60s': expected a roll like '63: 24/18 13/10', Doubles, Takes, Drops or Wins",
                part);
}

/* Columns are found as GNU Backgammon finds them: before the second roll, else behind two blanks.
 */
static enum bg_status read_columns(struct reader *reader, char *line)
{
    char *colon = strchr(line, ':'), *second = colon == NULL ? NULL : strchr(colon + 1, ':');
    char *right = NULL, *bracket;
    enum bg_status status;

    if (second != NULL && second - 3 > line) {
        right = second - 2;
    } else if (strlen(line) > 15) {
        right = strstr(line + 15, "  ");
    }
    if (right != NULL) {
        memmove(right + 1, right, strlen(right) + 1); /* room was kept for it */
        *right++ = '\0';
    }
    bracket = memchr(line, ')', strnlen(line, 8));
    status = read_part(reader, 0, bracket == NULL ? line : bracket + 1);
    return status == BG_OK && right != NULL ? read_part(reader, 1, right) : status;
}

static void read_comment(struct reader *reader, const char *line)
{
    const char *text = line + 1 + strspn(line + 1, " \t");

    if (begins_with(text, "[Event \"")) {
        snprintf(reader->event, sizeof reader->event, "%.*s", (int)strcspn(text + 8, "\""),
                 text + 8);
    } else if (begins_with(text, "[Jacoby \"")) {
        reader->has_jacoby = true;
        reader->jacoby = begins_with(text + 9, "on") || begins_with(text + 9, "true");
    }
}

static enum bg_status read_length(struct reader *reader, const char *line)
{
    long length = strtol(line, NULL, 10);

    if (length < 0 || length > LENGTH_MAX) {
        return fail(reader, BG_E_FORMAT, "a match to %ld points", length);
    }
    reader->has_length = true;
    reader->out->length_points = (int)length;
    reader->rules = bg_rules_default(bg_variant_find("backgammon"), (int)length);
    if (length == 0) {
        reader->rules.jacoby = reader->jacoby;
        reader->rules.beavers = true;
        reader->rules.raises = -1;
    }
    return BG_OK;
}

static enum bg_status read_game_line(struct reader *reader, const char *game)
{
    if (reader->in_game || reader->expects_names) {
        return fail(reader, BG_E_FORMAT, "the next one begins before it has a winner");
    }
    reader->number = atoi(game + 5);
    reader->number = reader->number > 0 ? reader->number : reader->out->games + 1;
    reader->expects_names = true;
    return BG_OK;
}

static enum bg_status read_line(struct reader *reader, char *line)
{
    const char *game = strstr(line, "Game ");

    if (line[strspn(line, " \t\r\n")] == '\0') {
        return BG_OK;
    }
    if (line[0] == ';' || line[0] == '#') {
        read_comment(reader, line);
        return BG_OK;
    }
    if (!reader->has_length) {
        if (strstr(line, "point match") == NULL) {
            return fail(reader, BG_E_FORMAT,
                        "not a .mat file: expected '7 point match' (0 for money), found '%.40s'",
                        line);
        }
        return read_length(reader, line);
    }
    if (game != NULL && !reader->expects_names) {
        return read_game_line(reader, game);
    }
    if (reader->expects_names) {
        return read_names(reader, line);
    }
    return reader->number > 0 ? read_columns(reader, line)
                              : fail(reader, BG_E_FORMAT, "expected 'Game 1'");
}

static enum bg_status read_lines(struct reader *reader, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    enum bg_status status = BG_OK;

    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        at += 3;
    }
    while (status == BG_OK && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop == NULL ? end : stop) - at);
        char line[LINE_MAX_BYTES + 1]; /* one more, for the mark between columns */

        reader->line++;
        if (length >= LINE_MAX_BYTES) {
            return fail(reader, BG_E_FORMAT, "a line of %zu bytes", length);
        }
        memcpy(line, at, length);
        line[length] = '\0';
        line[strcspn(line, "\r")] = '\0';
        status = read_line(reader, line);
        at = stop == NULL ? end : stop + 1;
    }
    if (status == BG_OK && !reader->has_length) {
        return fail(reader, BG_E_FORMAT, "not a .mat file: no line like '7 point match'");
    }
    reader->out->unfinished = reader->in_game || reader->expects_names;
    return status;
}

static enum bg_status read_with(struct mat_match *out, bool *has_jacoby, bool jacoby,
                                struct reader reader, const char *text, size_t size)
{
    enum bg_status status;

    *out = (struct mat_match){0};
    reader.out = out;
    reader.jacoby = jacoby;
    status = read_lines(&reader, text, size);
    free(reader.step);
    *has_jacoby = reader.has_jacoby || out->length_points > 0;
    if (status != BG_OK) {
        mat_match_deinit(out);
    }
    return status;
}

enum bg_status mat_read(struct mat_match *out, const char *text, size_t size, const char *name,
                        uint64_t pair, void (*noted)(const char *story), struct bg_error *err)
{
    const struct reader reader = {.name = name, .pair = pair, .noted = noted, .err = err};
    struct reader again = reader;
    bool has_jacoby;
    enum bg_status status = read_with(out, &has_jacoby, true, reader, text, size);

    /* Most files do not say whether Jacoby's rule was in force: then it is tried without. */
    if (status == BG_E_MISMATCH && !has_jacoby) {
        again.err = NULL;
        again.noted = NULL;
        status = read_with(out, &has_jacoby, false, again, text, size) == BG_OK ? BG_OK : status;
    }
    return status;
}

void mat_match_deinit(struct mat_match *match)
{
    for (int i = 0; i < match->games; i++) {
        record_deinit(&match->game[i].record);
    }
    free(match->game);
    *match = (struct mat_match){0};
}

/* ---- files ---- */

static enum bg_status read_bytes(char **text, size_t *size, FILE *file, const char *path,
                                 struct bg_error *err)
{
    FILE *memory = open_memstream(text, size);
    char block[65536];
    size_t got, all = 0;
    bool good = memory != NULL;

    while (good && all <= FILE_MAX_BYTES && (got = fread(block, 1, sizeof block, file)) > 0) {
        good = fwrite(block, 1, got, memory) == got;
        all += got;
    }
    if (memory != NULL && fclose(memory) != 0) {
        good = false;
    }
    if (!good) {
        return bg_error_set(err, BG_E_MEMORY, "%.200s", path);
    }
    if (all > FILE_MAX_BYTES) {
        return bg_error_set(err, BG_E_FORMAT, "%.200s: more than %d MB", path,
                            FILE_MAX_BYTES / 1000000);
    }
    return ferror(file) != 0
               ? bg_error_set(err, BG_E_SYSTEM, "read %.200s: %s", path, strerror(errno))
               : BG_OK;
}

enum bg_status mat_read_file(struct mat_match *out, const char *path, uint64_t pair,
                             void (*noted)(const char *story), struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    enum bg_status status;

    if (file == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%.200s: %s", path, strerror(errno));
    }
    status = read_bytes(&text, &size, file, name, err);
    if (status == BG_OK) {
        status = mat_read(out, text, size, name, pair, noted, err);
    }
    free(text);
    if (!standard) {
        fclose(file);
    }
    return status;
}
