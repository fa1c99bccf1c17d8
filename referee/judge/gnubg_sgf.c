/* Reads what gnubg writes, not SGF in general: one game without variations. Properties that are
 * not needed are skipped by their form, so that another version may add some; a value of a
 * needed one that has another form is an error, because a wrong number would look like a
 * judgement. */
#include "gnubg_sgf.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

enum {
    NAME = 8,          /* letters of a property's name */
    CUBE_NUMBERS = 14, /* no double and take: each five chances, cubeless and cubeful equity */
    CUBEFUL = 6,
    LUCK_NUMBERS = 14, /* ten counts, then normalised and raw luck of player 0 and of player 1 */
    RAW_LUCK = 11,
    PLAY_EQUITY = 5 /* after the five chances */
};

struct gnubg_sgf_reader {
    const char *text, *at;
    struct analysed *out;
    size_t room;
    struct analysed_node *node; /* the present node; NULL before the first action */
};

static enum bg_status wrong(const struct gnubg_sgf_reader *reader, const char *what,
                            struct bg_error *err)
{
    return bg_error_set(err, BG_E_FORMAT, "analysed game, byte %zu: %s",
                        (size_t)(reader->at - reader->text), what);
}

static void skip_space(struct gnubg_sgf_reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* --- values ---------------------------------------------------------------------------------- */

/* Reads numbers separated by blanks, from `at` to the value's end. Returns false if one is not
 * finite or there are fewer. */
static bool read_numbers(const char *at, const char *end, double *out, int count)
{
    for (int i = 0; i < count; i++) {
        char *behind;

        out[i] = strtod(at, &behind);
        if (behind == at || behind > end || !isfinite(out[i])) {
            return false;
        }
        at = behind;
    }
    return true;
}

/* Skips `count` words separated by blanks; returns NULL if there are fewer. */
static const char *skip_words(const char *at, const char *end, int count)
{
    for (int i = 0; i < count; i++) {
        while (at < end && *at == ' ') {
            at++;
        }
        if (at == end) {
            return NULL;
        }
        while (at < end && *at != ' ') {
            at++;
        }
    }
    return at;
}

/* Points are letters, counted as White counts: a is White's ace point, y the bar, z off. */
static bool read_slot(int *out, int player, char letter)
{
    if (letter < 'a' || letter > 'z') {
        return false;
    }
    if (letter == 'y') {
        *out = BG_BAR;
    } else if (letter == 'z') {
        *out = BG_OFF;
    } else {
        *out = player == 0 ? letter - 'a' + 1 : 'x' - letter + 1;
    }
    return true;
}

/* "mhxt" up to a blank or the end. */
static bool read_moves(struct analysed_play *out, int player, const char *at, const char *end)
{
    out->moves = 0;
    while (at < end && *at != ' ') {
        if (out->moves == ANALYSED_MOVES_MAX || at + 1 == end ||
            !read_slot(&out->from[out->moves], player, at[0]) ||
            !read_slot(&out->to[out->moves], player, at[1])) {
            return false;
        }
        out->moves++;
        at += 2;
    }
    return true;
}

/* An analysis may begin with "E ver 3" or "R 3 ..."; only evaluations of version 3 are read. */
static const char *skip_evaluation_mark(const char *at, const char *end)
{
    static const char mark[] = "E ver 3 ";

    return (size_t)(end - at) > sizeof mark - 1 && strncmp(at, mark, sizeof mark - 1) == 0
               ? at + sizeof mark - 1
               : NULL;
}

/* "mhxt E ver 3 CHANCES EQUITY ..." */
static bool read_analysed(struct analysed_play *moves, double *equity, int player, const char *at,
                          const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    double numbers[PLAY_EQUITY + 1];

    if (blank == NULL || !read_moves(moves, player, at, end)) {
        return false;
    }
    at = skip_evaluation_mark(blank + 1, end);
    if (at == NULL || !read_numbers(at, end, numbers, PLAY_EQUITY + 1)) {
        return false;
    }
    *equity = numbers[PLAY_EQUITY];
    return true;
}

/* "E ver 3 PLIES DETERMINISTIC NOISE PRUNE" and fourteen numbers. */
static bool read_cube(struct analysed_node *node, const char *at, const char *end)
{
    double numbers[CUBE_NUMBERS];

    at = skip_evaluation_mark(at, end);
    at = at == NULL ? NULL : skip_words(at, end, 4);
    if (at == NULL || !read_numbers(at, end, numbers, CUBE_NUMBERS)) {
        return false;
    }
    node->has_cube = true;
    node->no_double = numbers[CUBEFUL];
    node->take = numbers[CUBE_NUMBERS / 2 + CUBEFUL];
    return true;
}

static bool read_action(struct analysed_node *node, int player, const char *at, const char *end)
{
    static const struct {
        const char *word;
        enum analysed_kind kind;
    } words[] = {{"double", ANALYSED_DOUBLE}, {"take", ANALYSED_TAKE}, {"drop", ANALYSED_DROP}};
    struct analysed_play played;

    node->player = player;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((size_t)(end - at) == strlen(words[i].word) &&
            strncmp(at, words[i].word, (size_t)(end - at)) == 0) {
            node->kind = words[i].kind;
            return true;
        }
    }
    node->kind = ANALYSED_ROLL;
    if (end - at < 2 || at[0] < '1' || at[0] > '6' || at[1] < '1' || at[1] > '6') {
        return false;
    }
    node->die[0] = at[0] - '0';
    node->die[1] = at[1] - '0';
    return read_moves(&played, player, at + 2, end);
}

/* --- properties ------------------------------------------------------------------------------ */

/* Finds the next "[...]", with escapes: at and end without the brackets. False: there is none. */
static bool next_value(const char **at, const char **end, struct gnubg_sgf_reader *reader)
{
    const char *from;

    skip_space(reader);
    if (*reader->at != '[') {
        return false;
    }
    for (from = reader->at + 1; *from != ']'; from++) {
        if (*from == '\\' && from[1] != '\0') {
            from++;
        }
        if (*from == '\0') {
            return false;
        }
    }
    *at = reader->at + 1;
    *end = from;
    reader->at = from + 1;
    return true;
}

static bool skip_values(struct gnubg_sgf_reader *reader)
{
    const char *at, *end;

    while (next_value(&at, &end, reader)) {
    }
    return *reader->at != '[';
}

/* A[played][play][play]...: the best play comes first. Dice that were never played (a resignation,
 * a forfeit) have a play number after the last. */
static bool read_plays(struct gnubg_sgf_reader *reader)
{
    struct analysed_node *node = reader->node;
    const char *at, *end;
    double played;
    struct analysed_play moves;

    if (!next_value(&at, &end, reader) || !read_numbers(at, end, &played, 1) || played < 0 ||
        played > INT_MAX) {
        return false;
    }
    while (next_value(&at, &end, reader)) {
        double equity;

        if (!read_analysed(&moves, &equity, node->player, at, end)) {
            return false;
        }
        if (node->plays == 0) {
            node->best = moves;
            node->best_equity = equity;
        }
        if (node->plays == (int)played) {
            node->equity = equity;
            node->has_play = true;
        }
        node->plays++;
    }
    return true;
}

/* GS[D:...] among the sums of the whole game. */
static bool read_sums(struct gnubg_sgf_reader *reader)
{
    const char *at, *end;

    while (next_value(&at, &end, reader)) {
        double numbers[LUCK_NUMBERS];

        if (end - at < 2 || at[0] != 'D' || at[1] != ':') {
            continue;
        }
        if (!read_numbers(at + 2, end, numbers, LUCK_NUMBERS)) {
            return false;
        }
        reader->out->has_luck_sums = true;
        reader->out->luck[0] = numbers[RAW_LUCK];
        reader->out->luck[1] = numbers[RAW_LUCK + 2];
    }
    return true;
}

static void add_node(struct gnubg_sgf_reader *reader)
{
    struct analysed *out = reader->out;

    out->node = memory_list(out->node, &reader->room, out->nodes + 1, sizeof *out->node);
    reader->node = &out->node[out->nodes++];
    *reader->node = (struct analysed_node){0};
}

/* A node's action is its first property. */
static enum bg_status read_player(struct gnubg_sgf_reader *reader, int player, struct bg_error *err)
{
    const char *at, *end;

    if (reader->node != NULL) {
        return wrong(reader, "two actions in one node", err);
    }
    add_node(reader);
    if (!next_value(&at, &end, reader) || !read_action(reader->node, player, at, end)) {
        return wrong(reader, "unknown action", err);
    }
    return BG_OK;
}

static bool read_luck(struct gnubg_sgf_reader *reader)
{
    const char *at, *end;

    reader->node->has_luck =
        next_value(&at, &end, reader) && read_numbers(at, end, &reader->node->luck, 1);
    return reader->node->has_luck;
}

static bool read_double(struct gnubg_sgf_reader *reader)
{
    const char *at, *end;

    return next_value(&at, &end, reader) && read_cube(reader->node, at, end);
}

static enum bg_status read_property(struct gnubg_sgf_reader *reader, const char *name,
                                    struct bg_error *err)
{
    bool good = true;

    if (strcmp(name, "W") == 0 || strcmp(name, "B") == 0) {
        return read_player(reader, name[0] == 'B', err);
    }
    if (strcmp(name, "GS") == 0) {
        good = read_sums(reader);
    } else if (reader->node == NULL) {
        good = skip_values(reader);
    } else if (strcmp(name, "A") == 0) {
        good = read_plays(reader);
    } else if (strcmp(name, "DA") == 0) {
        good = read_double(reader);
    } else if (strcmp(name, "LU") == 0) {
        good = read_luck(reader);
    }
    if (!good || !skip_values(reader)) {
        return wrong(reader, "invalid property", err);
    }
    return BG_OK;
}

static bool read_name(char out[NAME], struct gnubg_sgf_reader *reader)
{
    size_t length = strspn(reader->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (length == 0 || length >= NAME) {
        return false;
    }
    memcpy(out, reader->at, length);
    out[length] = '\0';
    reader->at += length;
    return true;
}

static enum bg_status read_node(struct gnubg_sgf_reader *reader, struct bg_error *err)
{
    reader->at++; /* the semicolon */
    reader->node = NULL;
    skip_space(reader);
    while (*reader->at != ';' && *reader->at != ')') {
        char name[NAME];
        enum bg_status status;

        if (!read_name(name, reader)) {
            return wrong(reader, "expected a property", err);
        }
        status = read_property(reader, name, err);
        if (status != BG_OK) {
            return status;
        }
        skip_space(reader);
    }
    return BG_OK;
}

void analysed_deinit(struct analysed *analysed)
{
    free(analysed->node);
    *analysed = (struct analysed){0};
}

enum bg_status analysed_read(struct analysed *out, const char *text, struct bg_error *err)
{
    struct gnubg_sgf_reader reader = {.text = text, .at = text, .out = out};
    enum bg_status status = BG_OK;

    *out = (struct analysed){0};
    skip_space(&reader);
    if (*reader.at != '(') {
        return wrong(&reader, "expected a game", err);
    }
    reader.at++;
    skip_space(&reader);
    while (status == BG_OK && *reader.at == ';') {
        status = read_node(&reader, err);
    }
    if (status == BG_OK && *reader.at != ')') {
        status = wrong(&reader, "expected a node or the end of the game", err);
    }
    if (status == BG_OK) {
        reader.at++;
        skip_space(&reader);
        if (*reader.at != '\0') {
            status = wrong(&reader, "more than one game", err);
        }
    }
    if (status != BG_OK) {
        analysed_deinit(out);
    }
    return status;
}
