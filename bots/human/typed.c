/* One table of words, long forms first: completion offers those, and the short ones are for who
 * knows them. A line that begins with no word is read as a play. */
#include "typed.h"

#include <bgref/notation.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What may stand between two moves. */
#define BETWEEN " ,;."

enum { LINE = 256 };

/* ---- words ---- */

static const struct {
    const char *word;
    enum typed_kind kind;
    enum bg_answer_kind answer;
} words[] = {
    {"roll", TYPED_ANSWER, BG_ANSWER_ROLL},
    {"double", TYPED_ANSWER, BG_ANSWER_DOUBLE},
    {"redouble", TYPED_ANSWER, BG_ANSWER_DOUBLE},
    {"take", TYPED_ANSWER, BG_ANSWER_TAKE},
    {"drop", TYPED_ANSWER, BG_ANSWER_PASS},
    {"pass", TYPED_ANSWER, BG_ANSWER_PASS},
    {"beaver", TYPED_ANSWER, BG_ANSWER_RAISE},
    {"raccoon", TYPED_ANSWER, BG_ANSWER_RAISE},
    {"raise", TYPED_ANSWER, BG_ANSWER_RAISE},
    {"keep", TYPED_ANSWER, BG_ANSWER_KEEP},
    {"reroll", TYPED_ANSWER, BG_ANSWER_REROLL},
    {"accept", TYPED_ANSWER, BG_ANSWER_ACCEPT},
    {"refuse", TYPED_ANSWER, BG_ANSWER_REFUSE},
    {"reject", TYPED_ANSWER, BG_ANSWER_REFUSE},
    {"resign", TYPED_RESIGN, BG_ANSWER_RESIGN},
    {"plays", TYPED_PLAYS, BG_ANSWER_MOVES},
    {"undo", TYPED_UNDO, BG_ANSWER_NONE},
    {"board", TYPED_BOARD, BG_ANSWER_NONE},
    {"time", TYPED_TIME, BG_ANSWER_NONE},
    {"last", TYPED_LAST, BG_ANSWER_NONE},
    {"id", TYPED_ID, BG_ANSWER_NONE},
    {"help", TYPED_HELP, BG_ANSWER_NONE},
    {"quit", TYPED_QUIT, BG_ANSWER_NONE},
    /* Short and other forms, which completion does not offer. */
    {"r", TYPED_ANSWER, BG_ANSWER_ROLL},
    {"d", TYPED_ANSWER, BG_ANSWER_DOUBLE},
    {"cube", TYPED_ANSWER, BG_ANSWER_DOUBLE},
    {"t", TYPED_ANSWER, BG_ANSWER_TAKE},
    {"p", TYPED_ANSWER, BG_ANSWER_PASS},
    {"resigns", TYPED_RESIGN, BG_ANSWER_RESIGN},
    {"?", TYPED_PLAYS, BG_ANSWER_MOVES},
    {"moves", TYPED_PLAYS, BG_ANSWER_MOVES},
    {"y", TYPED_YES, BG_ANSWER_NONE},
    {"yes", TYPED_YES, BG_ANSWER_NONE},
    {"send", TYPED_YES, BG_ANSWER_NONE},
    {"u", TYPED_UNDO, BG_ANSWER_NONE},
    {"n", TYPED_UNDO, BG_ANSWER_NONE},
    {"no", TYPED_UNDO, BG_ANSWER_NONE},
    {"b", TYPED_BOARD, BG_ANSWER_NONE},
    {"clock", TYPED_TIME, BG_ANSWER_NONE},
    {"h", TYPED_HELP, BG_ANSWER_NONE},
    {"exit", TYPED_QUIT, BG_ANSWER_NONE},
};

enum { WORDS = sizeof words / sizeof words[0], OFFERED = 23 };

const char *typed_word(enum bg_answer_kind *answer, int i)
{
    if (i < 0 || i >= OFFERED) {
        return NULL;
    }
    *answer = words[i].answer;
    return words[i].word;
}

static const struct {
    const char *word;
    int level;
} levels[] = {{"", 1},           {"single", 1}, {"s", 1}, {"gammon", 2}, {"g", 2},
              {"backgammon", 3}, {"bg", 3},     {"b", 3}, {"normal", 1}, {"triple", 3}};

static bool read_level(int *out, const char *text)
{
    int used = 0;

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(text, levels[i].word) == 0) {
            *out = levels[i].level;
            return true;
        }
    }
    return sscanf(text, "%2d%n", out, &used) == 1 && text[used] == '\0';
}

/* Returns false if the line does not begin with a word of ours. */
static bool read_command(struct typed *out, const char *line)
{
    const size_t length = line[0] == '?' ? 1 : strcspn(line, " ");
    const char *rest = line + length + strspn(line + length, " ");

    for (int i = 0; i < WORDS; i++) {
        if (strlen(words[i].word) != length || strncmp(line, words[i].word, length) != 0) {
            continue;
        }
        out->kind = words[i].kind;
        out->answer = words[i].answer;
        if (out->kind == TYPED_PLAYS) {
            snprintf(out->part, sizeof out->part, "%s", rest);
            return true;
        }
        if (out->kind == TYPED_RESIGN) {
            return read_level(&out->value, rest);
        }
        return rest[0] == '\0';
    }
    return false;
}

/* ---- plays ---- */

struct typed_reader {
    const char *at, *group; /* where it reads; the beginning of this group */
    const struct bg_variant *variant;
    bool in_pairs; /* "8 5 6 5": blanks between the points too */
    struct typed *out;
    char *why;
};

static bool reject(const struct typed_reader *reader, const char *text)
{
    snprintf(reader->why, TYPED_WHY, "Not a play at \"%.*s\": %s.",
             (int)strcspn(reader->group, BETWEEN), reader->group, text);
    return false;
}

/* The library knows which numbers are points of this game's board. */
static int read_digits(struct typed_reader *reader)
{
    const size_t digits = strspn(reader->at, "0123456789");
    struct bg_play one;
    char text[16];

    if (digits == 1 && *reader->at == '0') {
        reader->at++;
        return BG_OFF;
    }
    snprintf(text, sizeof text, "%.*s/off", (int)(digits > 3 ? 3 : digits), reader->at);
    reader->at += digits;
    return bg_play_read_in(&one, reader->variant, text, NULL) == BG_OK ? one.move[0].from : -1;
}

/* Returns the slot that stands here, and goes past it; -1: none. */
static int read_slot(struct typed_reader *reader)
{
    static const struct {
        const char *name;
        int slot;
    } names[] = {{"bar", BG_BAR}, {"hand", BG_HAND}, {"off", BG_OFF},
                 {"b", BG_BAR},   {"h", BG_HAND},    {"o", BG_OFF}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i].name);

        if (strncmp(reader->at, names[i].name, length) == 0) {
            reader->at += length;
            return names[i].slot;
        }
    }
    return isdigit((unsigned char)*reader->at) ? read_digits(reader) : -1;
}

static bool is_between(char byte)
{
    return byte != '\0' && strchr(BETWEEN, byte) != NULL;
}

/* A `*` or an `x` that no number follows: a hit on this slot. */
static void read_hit(struct typed_reader *reader, int slot)
{
    if (*reader->at == '*' || (*reader->at == 'x' && !isdigit((unsigned char)reader->at[1]))) {
        reader->out->hits |= UINT64_C(1) << slot;
        reader->at++;
    }
}

/* Goes past the sign between two points of a move, if there is one. */
static bool read_sign(struct typed_reader *reader, bool is_first)
{
    if (*reader->at == '/' || *reader->at == '-') {
        reader->at++;
        reader->at += *reader->at == '>';
        return true;
    }
    if (reader->in_pairs && is_first && is_between(*reader->at)) {
        reader->at += strspn(reader->at, BETWEEN);
        return *reader->at != '\0';
    }
    return false;
}

/* "(2)" after a blank too, or "x2". Returns 1 if there is none, -1 if it is out of range. */
static int read_times(struct typed_reader *reader)
{
    const char *at = reader->at + strspn(reader->at, " ");
    int times;

    if (*at == '(') {
        times = at[1] - '0';
        if (at[1] == '\0' || at[2] != ')') {
            return -1;
        }
        reader->at = at + 3;
    } else if (*reader->at == 'x') {
        times = reader->at[1] - '0';
        reader->at += 2;
    } else {
        return 1;
    }
    return times >= 1 && times <= 4 ? times : -1;
}

static bool read_chain(struct typed_reader *reader)
{
    struct bg_play *play = &reader->out->play;
    int from = read_slot(reader);
    bool is_first = true;

    if (from < 0 || from == BG_OFF) {
        return reject(reader, "a move begins with a point, bar or hand");
    }
    read_hit(reader, from);
    while (read_sign(reader, is_first)) {
        const int to = read_slot(reader);

        if (to < 0 || to == BG_BAR || to == BG_HAND) {
            return reject(reader, "a move ends on a point or off");
        }
        if (from == BG_OFF) {
            return reject(reader, "nothing moves on after bearing off");
        }
        if (play->moves == BG_MOVES_MAX) {
            return reject(reader, "more than four moves");
        }
        play->move[play->moves++] = (struct bg_move){(uint8_t)from, (uint8_t)to};
        from = to;
        is_first = false;
        read_hit(reader, to);
    }
    return is_first ? reject(reader, "a move is written like 13/7") : true;
}

static bool read_group(struct typed_reader *reader)
{
    struct bg_play *play = &reader->out->play;
    const int first = play->moves;
    int times, chain;

    reader->group = reader->at;
    if (!read_chain(reader)) {
        return false;
    }
    chain = play->moves - first;
    times = read_times(reader);
    read_hit(reader, play->move[play->moves - 1].to);
    if (times < 0) {
        return reject(reader, "a repeat is written (2), (3) or (4)");
    }
    if (first + chain * times > BG_MOVES_MAX) {
        return reject(reader, "more than four moves");
    }
    for (int i = chain; i < chain * times; i++) {
        play->move[play->moves++] = play->move[first + i % chain];
    }
    return *reader->at == '\0' || is_between(*reader->at) || reject(reader, "a blank is missing");
}

/* Reads "31:", "3-1:" or "3x4:" before a play. */
static bool read_dice(struct typed *out, char why[TYPED_WHY], const struct bg_variant *variant,
                      const char *text, size_t size)
{
    char digits[8];
    size_t count = 0;

    for (size_t i = 0; i < size; i++) {
        if (text[i] != ' ' && text[i] != '-' && text[i] != ',' && count + 1 < sizeof digits) {
            size_t place = count++;

            /* The highest first, as a stage is written; "3x4" stays. */
            for (; place > 0 && digits[place - 1] < text[i] && text[i] != 'x' &&
                   digits[place - 1] != 'x';
                 place--) {
                digits[place] = digits[place - 1];
            }
            digits[place] = text[i];
        }
    }
    digits[count] = '\0';
    if (bg_stage_read(&out->stage, variant, digits, NULL) != BG_OK) {
        snprintf(why, TYPED_WHY, "Not dice: \"%.*s:\"; before a play they are written like 31:.",
                 (int)(size < 20 ? size : 20), text);
        return false;
    }
    return true;
}

static bool read_typed_play(struct typed *out, char why[TYPED_WHY],
                            const struct bg_variant *variant, const char *line)
{
    const char *colon = strchr(line, ':');
    struct typed_reader reader = {.variant = variant, .out = out, .why = why};

    if (colon != NULL) {
        if (!read_dice(out, why, variant, line, (size_t)(colon - line))) {
            return false;
        }
        line = colon + 1;
    }
    reader.at = line + strspn(line, BETWEEN);
    reader.in_pairs = strpbrk(line, "/-") == NULL;
    out->kind = TYPED_PLAY;
    while (*reader.at != '\0') {
        if (!read_group(&reader)) {
            return false;
        }
        reader.at += strspn(reader.at, BETWEEN);
    }
    if (out->play.moves == 0) {
        snprintf(why, TYPED_WHY, "No move was typed; a play is written like 13/7 8/7.");
        return false;
    }
    return true;
}

/* ---- lines ---- */

/* Returns how many bytes of the line stand for one byte of ours: text that was copied from a page
 * has dashes and blanks of its own. */
static size_t read_byte(char *out, const char *line)
{
    static const struct {
        const char *text;
        char byte;
    } others[] = {{"\xc2\xa0", ' '},     {"\xe2\x80\x89", ' '}, {"\xe2\x80\xaf", ' '},
                  {"\xe2\x80\x93", '-'}, {"\xe2\x88\x92", '-'}, {"\xe2\x80\x91", '-'}};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(line, others[i].text, strlen(others[i].text)) == 0) {
            *out = others[i].byte;
            return strlen(others[i].text);
        }
    }
    *out = isspace((unsigned char)*line) ? ' ' : *line;
    return 1;
}

/* Lower case, without blanks at both ends; other white space counts as a blank. */
static void tidy(char out[LINE], const char *line)
{
    size_t length = 0;

    while (*line != '\0' && length + 1 < LINE) {
        char byte;

        line += read_byte(&byte, line);
        if (byte != ' ' || length > 0) {
            out[length++] = (char)tolower((unsigned char)byte);
        }
    }
    while (length > 0 && out[length - 1] == ' ') {
        length--;
    }
    out[length] = '\0';
}

/* Goes past the word by which some programs begin a play. */
static const char *past_move(const char *line)
{
    const size_t length = strcspn(line, " ");

    return (length == 1 && line[0] == 'm') || (length == 4 && strncmp(line, "move", 4) == 0)
               ? line + length + strspn(line + length, " ")
               : line;
}

bool typed_read(struct typed *out, char why[TYPED_WHY], const struct bg_variant *variant,
                const char *line)
{
    char text[LINE];
    const char *play;

    *out = (struct typed){.kind = TYPED_EMPTY};
    why[0] = '\0';
    tidy(text, line);
    play = past_move(text);
    if (text[0] == '\0' || read_command(out, text)) {
        return true;
    }
    *out = (struct typed){.kind = TYPED_NUMBER};
    if (text[0] >= '1' && text[0] <= '6' && text[1] == '\0') {
        out->value = text[0] - '0';
        return true;
    }
    if (strpbrk(play, "0123456789/") == NULL) {
        snprintf(why, TYPED_WHY, "Not understood: \"%.40s\"; help says what can be typed.", text);
        return false;
    }
    return read_typed_play(out, why, variant, play);
}

static bool refuse_dice(char why[TYPED_WHY], int dice)
{
    static const char *const asked[] = {"", "One die is asked for, 1 to 6, like 5.",
                                        "Two dice are asked for, each 1 to 6, like 63 or 6-3.",
                                        "Three dice are asked for, each 1 to 6, like 631 or 6-3-1.",
                                        "Four dice are asked for, each 1 to 6, like 6311."};

    snprintf(why, TYPED_WHY, "%s", asked[dice]);
    return false;
}

bool typed_read_dice(struct typed *out, char why[TYPED_WHY], int dice, const char *line)
{
    char text[LINE];
    int count = 0;

    *out = (struct typed){.kind = TYPED_EMPTY};
    why[0] = '\0';
    tidy(text, line);
    if (text[0] == '\0' || read_command(out, text)) {
        return true;
    }
    *out = (struct typed){.kind = TYPED_DICE};
    for (const char *at = text; *at != '\0'; at++) {
        if (*at >= '1' && *at <= '6' && count < dice) {
            out->die[count++] = (uint8_t)(*at - '0');
        } else if (strchr(" -,/", *at) == NULL || at[1] == '\0') {
            return refuse_dice(why, dice);
        }
    }
    return count == dice || refuse_dice(why, dice);
}
