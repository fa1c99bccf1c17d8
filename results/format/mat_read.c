/* Reads .mat files of all programs: two columns, the player on the left is seat 0. There is no
 * standard of .mat, only what programs and servers have written for thirty years. Each exception
 * here comes from files that exist; it is kept apart and noted, so that files without it are
 * read as strictly as before. */
#define _GNU_SOURCE
#include "foreign_parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_names.h"
#include "mat_remarks.h"

enum {
    LINE_MAX_BYTES = 1024,
    LINE_ROOM = LINE_MAX_BYTES + 1, /* one more for the mark between columns */
    LENGTH_MAX = 10000,
    STRANGE_MAX = 200 /* lines before the first match */
};

struct mat {
    struct foreign_reader *reader;
    struct foreign_try *try_;
    struct mat_remarks remarks;
    bool has_length, expects_names;
    bool is_last;           /* the file does not end in a line end */
    const char *rest, *end; /* the text behind the current line */
    int strange;            /* unknown lines before the first match */
    char first[48];         /* the first of them */
    int loser;              /* the seat with "Losses", if no column has "Wins"; -1 none */
    int64_t lost;           /* points */
    enum { SKIP_NOTHING, SKIP_GAME, SKIP_MATCH } skips; /* what to skip after an error */
};

static bool begins_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

/* Copies the line at `at`, cut to the room, and returns the begin of the next one. */
static const char *next_mat_line(char line[LINE_ROOM], const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length;

    stop = stop == NULL ? end : stop;
    length = (size_t)(stop - at) < LINE_ROOM - 1 ? (size_t)(stop - at) : LINE_ROOM - 1;
    memcpy(line, at, length);
    line[length] = '\0';
    return stop == end ? end : stop + 1;
}

/* ---- the match ---- */

/* "7 point match", " 7 Point Match (...)", "Match to 7 points", "0 point match", "Unlimited Game",
 * "Money session". */
static bool is_length(int64_t *out, const char *line)
{
    const char *at = line + strspn(line, " \t");
    char *end;

    if (begins_with(at, "money session") || begins_with(at, "money game") ||
        begins_with(at, "unlimited game") || begins_with(at, "unlimited match") ||
        begins_with(at, "unlimited session")) {
        *out = 0;
        return true;
    }
    if (begins_with(at, "match to ") && isdigit((unsigned char)at[9])) {
        *out = strtoll(at + 9, &end, 10);
        return begins_with(end, " point");
    }
    if (!isdigit((unsigned char)*at)) {
        return false;
    }
    *out = strtoll(at, &end, 10);
    end += strspn(end, " -");
    if (!begins_with(end, "point")) {
        return false;
    }
    end += strcspn(end, " ");
    end += strspn(end, " ");
    return begins_with(end, "match");
}

static enum bg_status read_length(struct mat *mat, int64_t length)
{
    struct foreign_reader *reader = mat->reader;
    const struct mat_remarks *remarks = &mat->remarks;
    enum bg_status status = foreign_game_end(reader);

    foreign_match_end(reader);
    reader->number = 0;
    if (status == BG_OK && (length < 0 || length > LENGTH_MAX)) {
        status = foreign_fail(reader, BG_E_FORMAT, "a match to %" PRId64 " points", length);
    }
    if (status == BG_OK && remarks->strange_variant[0] != '\0') {
        status = foreign_fail(reader, BG_E_FORMAT,
                              "the variation '%s' is not backgammon, nackgammon or hypergammon",
                              remarks->strange_variant);
    }
    if (status != BG_OK) {
        return status;
    }
    mat->has_length = true;
    mat->expects_names = false;
    reader->rules = bg_rules_default(
        remarks->variant != NULL ? remarks->variant : bg_variant_find("backgammon"), (int)length);
    if (remarks->no_cube) {
        reader->rules.cube = false;
    }
    if (length == 0) {
        reader->rules.jacoby = remarks->has_jacoby ? remarks->jacoby : mat->try_->jacoby;
        reader->rules.beavers = reader->rules.cube;
        reader->rules.raises = reader->rules.cube ? -1 : 0;
        mat->try_->has_assumed = mat->try_->has_assumed || !remarks->has_jacoby;
    } else if (remarks->has_crawford) {
        reader->rules.crawford = remarks->crawford;
    }
    mat->remarks = (struct mat_remarks){0};
    return BG_OK;
}

/* ---- a game's head ---- */

/* "Game 1": anywhere in its line; in other letter case only as the first word. NULL: not such a
 * line. */
static const char *game_line(const char *line)
{
    const char *first = line + strspn(line, " \t\f");

    if (begins_with(first, "game ") && isdigit((unsigned char)first[5])) {
        return first;
    }
    for (const char *at = strstr(line, "Game "); at != NULL; at = strstr(at + 1, "Game ")) {
        if (isdigit((unsigned char)at[5 + strspn(at + 5, " #")])) {
            return at;
        }
    }
    return NULL; /* "Game over" */
}

static enum bg_status read_game_line(struct mat *mat, const char *game)
{
    struct foreign_reader *reader = mat->reader;
    int number = atoi(game + 5 + strspn(game + 5, " #"));

    if (mat->expects_names) {
        return foreign_fail(reader, BG_E_FORMAT, "the next one begins before it has players");
    }
    if (reader->in_game && reader->match.result.end != BG_END_NONE) {
        enum bg_status status = foreign_game_end(reader);

        if (status != BG_OK) {
            return status;
        }
    }
    reader->number = number > 0 ? number : reader->number + 1;
    mat->expects_names = true;
    return BG_OK;
}

/* Closes a game whose winner the file does not give. If exactly one score has grown, that side won
 * the difference; if none has grown, the game was broken off. */
static enum bg_status close_by_score(struct foreign_reader *reader, const int64_t before[2])
{
    int64_t won[2] = {reader->score[0] - before[0], reader->score[1] - before[1]};
    int winner = won[1] > 0;

    if (won[winner] <= 0 || won[!winner] != 0) {
        return foreign_game_end(reader);
    }
    foreign_note(reader, FOREIGN_BY_SCORE, winner);
    return foreign_wins(reader, winner, won[winner], false);
}

static bool is_same_pair(const struct foreign_match *match, const char display[2][FOREIGN_NAME])
{
    return strcmp(match->display[0], display[0]) == 0 && strcmp(match->display[1], display[1]) == 0;
}

/* Names can contain colons. The colon before the left score is followed by a number and a blank;
 * the colon before the right score is the last. */
static const char *find_colon(const char *line)
{
    for (const char *colon = strchr(line, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        const char *number = colon + 1 + strspn(colon + 1, " \t");
        size_t digits = strspn(number, "-0123456789");

        if (digits > 0 && (number[digits] == ' ' || number[digits] == '\t')) {
            return colon;
        }
    }
    return NULL;
}

/* Reads the names and scores from the line above the moves. */
static enum bg_status read_pair(struct mat *mat, char display[2][FOREIGN_NAME], int64_t score[2],
                                const char *line)
{
    const char *first = find_colon(line), *second = strrchr(line, ':');
    bool latin1 = false;
    const char *at;

    if (first == NULL || second == first) {
        return foreign_fail(mat->reader, BG_E_FORMAT,
                            "expected names and scores, like 'alice : 0    bob : 0'");
    }
    score[0] = strtoll(first + 1, NULL, 10);
    score[1] = strtoll(second + 1, NULL, 10);
    foreign_display_name(display[0], &latin1, line, (size_t)(first - line));
    at = first + 1 + strspn(first + 1, " \t");
    at += strspn(at, "-0123456789");
    foreign_display_name(display[1], &latin1, at, (size_t)(second - at));
    if (latin1 && mat->reader->match_out == NULL) {
        foreign_note(mat->reader, FOREIGN_LATIN1, -1);
    }
    return BG_OK;
}

/* " Alice : 0                      Bob : 0" */
static enum bg_status read_names(struct mat *mat, const char *line)
{
    struct foreign_reader *reader = mat->reader;
    char display[2][FOREIGN_NAME];
    int64_t score[2], before[2] = {reader->score[0], reader->score[1]};
    enum bg_status status = read_pair(mat, display, score, line);

    mat->expects_names = false; /* also after an error: the line is not read again as names */
    if (status != BG_OK) {
        return status;
    }
    memcpy(reader->score, score, sizeof score);
    if (reader->match_out == NULL) {
        status = foreign_match_begin(reader, (const char(*)[FOREIGN_NAME])display);
    } else if (!is_same_pair(reader->match_out, (const char(*)[FOREIGN_NAME])display)) {
        return foreign_fail(
            reader, BG_E_MISMATCH, "'%s' and '%s' play, but before it were '%s' and '%s'",
            display[0], display[1], reader->match_out->display[0], reader->match_out->display[1]);
    } else if (reader->in_game) {
        status = close_by_score(reader, before);
    }
    return status == BG_OK ? foreign_game_begin(reader) : status;
}

/* ---- parts of a line ---- */

static enum bg_status read_mat_roll(struct mat *mat, int seat, const char *part)
{
    struct foreign_reader *reader = mat->reader;
    const int dice[2] = {part[0] - '0', part[1] - '0'};
    const char *moves = part + 3 + strspn(part + 3, " \t");
    enum bg_status status = foreign_roll(reader, seat, dice, part);

    if (status != BG_OK) {
        return status;
    }
    if (begins_with(moves, "illegal play")) {
        return foreign_fail(reader, BG_E_FORMAT, "%s, '%.60s': marked illegal in the file itself",
                            reader->match_out->display[seat], part);
    }
    if (begins_with(moves, "cannot move") || begins_with(moves, "can't move") ||
        begins_with(moves, "no move") || begins_with(moves, "???") ||
        begins_with(moves, "resign") || begins_with(moves, "wins ")) {
        moves = "";
    } else if (begins_with(moves, "concede")) {
        foreign_note(reader, FOREIGN_CONCEDES, seat);
        moves = "";
    }
    return foreign_moves(reader, seat, part, moves);
}

static enum bg_status read_double(struct mat *mat, int seat, const char *part)
{
    const char *value = strstr(part, "=>");

    value = value == NULL ? strpbrk(part, "0123456789") : value + 2;
    return foreign_double(mat->reader, seat, value == NULL ? 0 : strtoll(value, NULL, 10), part);
}

static int64_t points_of(const char *part)
{
    const char *digits = part + strcspn(part, "0123456789");

    return strtoll(digits > part && digits[-1] == '-' ? digits - 1 : digits, NULL, 10);
}

/* Reads "Losses 1 point". Usually the winner's column repeats it; otherwise it is the only
 * result. */
static enum bg_status read_losses(struct mat *mat, int seat, const char *part)
{
    foreign_note(mat->reader, FOREIGN_LOSES, seat);
    if (mat->reader->in_game) {
        mat->loser = seat;
        mat->lost = points_of(part);
    }
    return BG_OK;
}

/* Returns the player whose score alone is larger at the next game of this match; -1: not known.
 * Looks ahead in the text, because a wrong column can only be told from the score of the next
 * game. */
static int winner_by_next_score(const struct mat *mat)
{
    const int64_t *before = mat->reader->score;
    bool has_head = false;

    for (const char *at = mat->rest; at < mat->end;) {
        char line[LINE_ROOM];
        int64_t length, score[2];

        at = next_mat_line(line, at, mat->end);
        if (is_length(&length, line)) {
            return -1;
        }
        if (has_head && line[strspn(line, " \t\r\f")] != '\0') {
            const char *first = find_colon(line), *second = strrchr(line, ':');

            if (first == NULL || second == first) {
                return -1;
            }
            score[0] = strtoll(first + 1, NULL, 10) - before[0];
            score[1] = strtoll(second + 1, NULL, 10) - before[1];
            return score[0] > 0 && score[1] == 0 ? 0 : score[1] > 0 && score[0] == 0 ? 1 : -1;
        }
        has_head = has_head || game_line(line) != NULL;
    }
    return -1;
}

/* Whether a result line says that the match is over too: "Wins 5 points and the match". */
static bool ends_match(const char *part)
{
    return strcasestr(part, "the match") != NULL;
}

static enum bg_status read_wins(struct mat *mat, int seat, const char *part)
{
    struct foreign_reader *reader = mat->reader;

    if (mat->loser == seat) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s both wins and loses",
                            reader->match_out->display[seat]);
    }
    mat->loser = -1;
    if (reader->in_game && reader->match.result.end == BG_END_NONE) {
        int winner = winner_by_next_score(mat);

        if (winner == 1 - seat) { /* the result stands in the wrong column */
            foreign_note(reader, FOREIGN_WINNER, seat);
            seat = winner;
        }
    }
    return foreign_wins(reader, seat, points_of(part), ends_match(part));
}

/* Uses a loss if the line before had only a loss. */
static enum bg_status settle_loss(struct mat *mat)
{
    int winner = 1 - mat->loser;

    if (mat->loser < 0) {
        return BG_OK;
    }
    mat->loser = -1;
    return mat->reader->in_game ? foreign_wins(mat->reader, winner, mat->lost, false) : BG_OK;
}

static bool is_roll(const char *part)
{
    return part[0] >= '1' && part[0] <= '6' && part[1] >= '1' && part[1] <= '6' && part[2] == ':';
}

static bool is_double(const char *part)
{
    return begins_with(part, "double") || begins_with(part, "redouble") ||
           begins_with(part, "beaver") || begins_with(part, "raccoon");
}

static bool is_action(const char *part)
{
    return is_roll(part) || is_double(part) || begins_with(part, "take") ||
           begins_with(part, "accept") || begins_with(part, "drop") || begins_with(part, "pass") ||
           begins_with(part, "reject") || begins_with(part, "win");
}

static enum bg_status read_part(struct mat *mat, int seat, char *part);

/* Returns the text after "Takes", "Drops" or "Doubles => 2" in the same part: if the columns are
 * too close, the other side's action is there. NULL: no action. */
static char *behind_word(char *part)
{
    char *at = part + strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (is_double(part)) {
        at += begins_with(at + strspn(at, " "), "to ") ? strspn(at, " ") + 2 : 0;
        at += strspn(at, " =>()0123456789");
    }
    at += strspn(at, " \t");
    return is_action(at) ? at : NULL;
}

static enum bg_status read_mat_word(struct mat *mat, int seat, char *part)
{
    struct foreign_reader *reader = mat->reader;
    char *behind = behind_word(part);
    enum bg_status status;

    if (begins_with(part, "win")) {
        return read_wins(mat, seat, part);
    }
    if (is_double(part)) {
        status = read_double(mat, seat, part);
    } else if (begins_with(part, "take") || begins_with(part, "accept")) {
        status = foreign_simple(reader, BG_STEP_TAKE, seat, part);
    } else if (begins_with(part, "drop") || begins_with(part, "pass") ||
               begins_with(part, "reject")) {
        status = foreign_simple(reader, BG_STEP_PASS, seat, part);
    } else {
        return foreign_fail(reader, BG_E_FORMAT,
                            "'%.60s': expected a roll like '63: 24/18 13/10', Doubles, Takes, "
                            "Drops or Wins",
                            part);
    }
    return status == BG_OK && behind != NULL ? read_part(mat, 1 - seat, behind) : status;
}

/* Whether it is a repeated "Wins 1 point" after the end of the game; some programs repeat it with
 * "and the match", or with the points that the match needed. */
static bool is_said_again(struct foreign_reader *reader, int seat, const char *part)
{
    const struct foreign_match *match = reader->match_out;
    const struct bg_result *last =
        match == NULL || match->games == 0 ? NULL : &match->game[match->games - 1].end.result;
    int64_t points = points_of(part);

    if (reader->in_game || !begins_with(part, "win") || last == NULL || last->winner != seat) {
        return false;
    }
    if (points != last->points && points != reader->won) {
        foreign_note(reader, FOREIGN_POINTS, seat);
    }
    return true;
}

/* Whether it is "00: ????" or "??: ????": a server has no dice for a turn whose time ran out. */
static bool is_left_turn(const char *part)
{
    size_t dice = strspn(part, "0123456?");

    return dice >= 1 && dice <= 2 && part[dice] == ':' &&
           (memchr(part, '0', dice) != NULL || memchr(part, '?', dice) != NULL);
}

static enum bg_status read_part(struct mat *mat, int seat, char *part)
{
    struct foreign_reader *reader = mat->reader;
    size_t length;

    part += strspn(part, " \t");
    for (length = strlen(part); length > 0 && isspace((unsigned char)part[length - 1]); length--) {
    }
    part[length] = '\0';
    if (length == 0 || begins_with(part, "resign") || begins_with(part, "???") ||
        is_said_again(reader, seat, part)) {
        return BG_OK;
    }
    if (begins_with(part, "concede")) {
        foreign_note(reader, FOREIGN_CONCEDES, seat);
        return BG_OK;
    }
    if (is_left_turn(part)) {
        foreign_note(reader, FOREIGN_LEFT_TURN, seat);
        return BG_OK;
    }
    if (begins_with(part, "loss") || begins_with(part, "lose")) {
        return read_losses(mat, seat, part);
    }
    if (!reader->in_game) {
        if (!is_action(part)) {
            foreign_note(reader, FOREIGN_SKIPPED, -1);
            return BG_OK;
        }
        return foreign_fail(reader, BG_E_FORMAT, "'%.60s' follows the end of the game", part);
    }
    if (is_roll(part)) {
        const char *behind = part + 3 + strspn(part + 3, " \t");
        enum bg_status status = read_mat_roll(mat, seat, part);

        /* gnubg writes the result behind the winner's roll if it was not played */
        return status == BG_OK && begins_with(behind, "wins ") ? read_wins(mat, seat, behind)
                                                               : status;
    }
    return read_mat_word(mat, seat, part);
}

/* Replaces comments by blanks, up to the other column or the end, because their text can contain
 * colons. */
static void blank_comments(char *line)
{
    for (char *at = strchr(line, ';'); at != NULL; at = strchr(at, ';')) {
        for (; *at != '\0' && !(at[0] == ' ' && at[1] == ' ' && is_action(at + strspn(at, " ")));
             at++) {
            *at = ' ';
        }
    }
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';) {
        line[--length] = '\0';
    }
}

/* Whether only the line's number comes before the left column's place. */
static bool is_left_empty(const char *line)
{
    const char *bracket = memchr(line, ')', strnlen(line, 8));
    const char *at = bracket == NULL ? line : bracket + 1;

    return at + strspn(at, " ") - line >= 16;
}

/* Reads columns separated by tabs: before the first tab is the line's number, or the number and the
 * left part. */
static enum bg_status read_tabbed(struct mat *mat, char *left)
{
    char *right;
    enum bg_status status;

    if (left[strspn(left, " ")] == '\t') {
        left += strspn(left, " ") + 1;
    }
    right = strchr(left, '\t');
    if (right != NULL) {
        *right++ = '\0';
    }
    status = read_part(mat, 0, left);
    return status == BG_OK && right != NULL ? read_part(mat, 1, right) : status;
}

/* Finds the columns as GNU Backgammon does: the right one begins at the second roll, or else after
 * two blanks. */
static enum bg_status read_columns(struct mat *mat, char *line)
{
    char *bracket = memchr(line, ')', strnlen(line, 8)), *right = NULL;
    const char *colon, *second;
    enum bg_status status;

    blank_comments(line);
    colon = strchr(line, ':');
    second = colon == NULL ? NULL : strchr(colon + 1, ':');
    if (strchr(line, '\t') != NULL) {
        return read_tabbed(mat, bracket == NULL ? line : bracket + 1);
    }
    if (second != NULL && second - 3 > line) {
        right = line + (second - line) - 2;
    } else if (strlen(line) > 15) {
        right = strstr(line + 15, "  ");
        if (right == NULL && is_left_empty(line)) {
            right = line + 15;
        }
    }
    if (right != NULL) {
        /* A zero between the columns, where they may touch each other. */
        memmove(right + 1, right, strlen(right) + 1); /* there is room for it */
        *right++ = '\0';
    }
    status = read_part(mat, 0, bracket == NULL ? line : bracket + 1);
    return status == BG_OK && right != NULL ? read_part(mat, 1, right) : status;
}

/* ---- lines ---- */

/* Reads a line before the first match: some programs write free text there. */
static enum bg_status read_strange(struct mat *mat, const char *line)
{
    if (mat->strange == 0) {
        snprintf(mat->first, sizeof mat->first, "%.40s", line);
    }
    if (++mat->strange > STRANGE_MAX) {
        return foreign_fail(mat->reader, BG_E_FORMAT,
                            "not a .mat file: expected '7 point match' (0 for money), found '%s'",
                            mat->first);
    }
    return BG_OK;
}

static enum bg_status read_whole_line(struct mat *mat, char *line)
{
    const char *game = game_line(line);
    struct foreign_reader *reader = mat->reader;
    int64_t length;
    enum bg_status status;

    if (line[strspn(line, " \t\f\v")] == '\0') {
        return BG_OK;
    }
    status = settle_loss(mat);
    if (status != BG_OK) {
        return status;
    }
    if (line[0] == ';' || line[0] == '#') {
        mat_remark_read(&mat->remarks, mat->reader->event, line);
        return BG_OK;
    }
    if (!mat->expects_names && is_length(&length, line)) {
        return read_length(mat, length);
    }
    if (!mat->has_length) {
        return read_strange(mat, line);
    }
    if (mat->expects_names) {
        return read_names(mat, line);
    }
    if (game != NULL) {
        return read_game_line(mat, game);
    }
    return reader->number > 0 ? read_columns(mat, line)
                              : foreign_fail(reader, BG_E_FORMAT, "expected 'Game 1'");
}

/* Reads a line. The file can end within its last line: if that line is not understood, the game was
 * cut off, unless the line has the winner. */
static enum bg_status read_mat_line(struct mat *mat, char *line)
{
    struct foreign_reader *reader = mat->reader;
    bool may_be_cut = mat->is_last && strcasestr(line, "win") == NULL;
    enum bg_status status = read_whole_line(mat, line);

    if (!foreign_is_bad(status) || !may_be_cut || !reader->in_game) {
        return status;
    }
    /* The error was set for a line that is now known to be only cut off. */
    if (reader->err != NULL) {
        *reader->err = (struct bg_error){0};
    }
    return BG_OK;
}

/* Copies a line without its end; replaces non-breaking blanks (from web pages) by blanks. */
static void copy_line(char out[LINE_ROOM], const char *line, size_t length)
{
    size_t used = strnlen(line, length);

    memcpy(out, line, used);
    out[used] = '\0';
    out[strcspn(out, "\r\x1a")] = '\0'; /* DOS ends a file with 1a */
    for (char *at = out; (at = strstr(at, "\xc2\xa0")) != NULL;) {
        *at++ = ' ';
        *at++ = ' ';
    }
}

/* Returns the end of the line that begins at `at`: at LF, or at CR if no line ends in LF. */
static const char *line_end(const char *at, const char *end, char mark)
{
    const char *stop = memchr(at, mark, (size_t)(end - at));

    return stop == NULL ? end : stop;
}

/* ---- what is bad ---- */

/* Whether this line can begin a readable part: the next match, or the next game (a line with the
 * names counts too). */
static bool begins_anew(const struct mat *mat, const char *line)
{
    int64_t length;

    if (!mat->expects_names && is_length(&length, line)) {
        return true;
    }
    return mat->skips == SKIP_GAME && (mat->expects_names || game_line(line) != NULL);
}

/* Leaves out the open game, or, before its players are known, the match. Returns whether the line
 * with the error can begin the next match or game: it cannot if it is the first line of the bad
 * one. */
static bool leave_match(struct mat *mat, enum bg_status status)
{
    struct foreign_reader *reader = mat->reader;
    bool open = reader->match_out != NULL;

    foreign_leave_out(reader, status);
    mat->skips = open ? SKIP_GAME : SKIP_MATCH;
    mat->has_length = true;
    mat->loser = -1;
    if (!open) {
        mat->expects_names = false;
        reader->number = 0;
        mat->remarks = (struct mat_remarks){0};
    }
    return open;
}

static enum bg_status read_or_skip(struct mat *mat, const char *line)
{
    char copy[LINE_ROOM]; /* reading changes the line */

    if (mat->skips != SKIP_NOTHING && !begins_anew(mat, line)) {
        if (line[0] == ';' || line[0] == '#') {
            mat_remark_read(&mat->remarks, mat->reader->event, line);
        }
        return BG_OK;
    }
    mat->skips = SKIP_NOTHING;
    snprintf(copy, sizeof copy, "%s", line);
    return read_mat_line(mat, copy);
}

/* Reads a line after an error, in a file that is read to its end. */
static enum bg_status read_on(struct mat *mat, const char *line)
{
    int64_t length;
    enum bg_status status = read_or_skip(mat, line);

    if (!foreign_is_bad(status) || (!mat->has_length && !is_length(&length, line))) {
        return status;
    }
    if (leave_match(mat, status)) {
        status = read_or_skip(mat, line);
        if (!foreign_is_bad(status)) {
            return status;
        }
        leave_match(mat, status);
    }
    mat->expects_names = false;
    return BG_OK;
}

static enum bg_status read_end(struct mat *mat)
{
    enum bg_status status = settle_loss(mat);

    if (mat->try_->goes_on && foreign_is_bad(status)) {
        leave_match(mat, status);
        status = BG_OK;
    }
    return status == BG_OK ? foreign_game_end(mat->reader) : status;
}

enum bg_status mat_parse(struct foreign_reader *reader, struct foreign_try *try_, const char *text,
                         size_t size)
{
    const char *at = text, *end = text + size;
    struct mat mat = {.reader = reader, .try_ = try_, .loser = -1, .rest = end, .end = end};
    /* Old Macs end lines with CR alone. */
    char mark = memchr(text, '\n', size) == NULL ? '\r' : '\n';
    enum bg_status status = BG_OK;

    while (status == BG_OK && at < end) {
        const char *stop = line_end(at, end, mark);
        char line[LINE_ROOM];

        reader->line++;
        if (stop - at >= LINE_MAX_BYTES) {
            return foreign_fail(reader, BG_E_FORMAT, "a line of %td bytes; %d are allowed",
                                stop - at, LINE_MAX_BYTES - 1);
        }
        copy_line(line, at, (size_t)(stop - at));
        mat.is_last = stop == end;
        mat.rest = stop == end ? end : stop + 1;
        status = try_->goes_on ? read_on(&mat, line) : read_mat_line(&mat, line);
        at = stop == end ? end : stop + 1;
    }
    if (status == BG_OK && !mat.has_length) {
        return foreign_fail(
            reader, BG_E_FORMAT, "not a .mat file: no line like '7 point match'%s%s%s",
            mat.strange > 0 ? ", its first line is '" : "", mat.first, mat.strange > 0 ? "'" : "");
    }
    return status == BG_OK ? read_end(&mat) : status;
}
