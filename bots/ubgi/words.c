/* Pure text to values and back, so that everything engines say is testable without one. What
 * engines write differs in small things (slashes, case, blanks); the reader takes all forms that
 * are meant alike, and refuses only what could mean two plays. */
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../common/stage.h"

/* ---- commands ---- */

/* No command marks the Crawford game: an engine has to find it from the score. So the rule is
 * switched off after that game, which lets an engine tell the two apart. */
void words_context(char out[WORDS_CONTEXT], const struct bg_ask *ask)
{
    static const char *const owners[] = {"p0", "p1"};
    const struct bg_rules *rules = &ask->rules;
    int used;

    if (rules->length_points > 0) {
        used =
            snprintf(out, WORDS_CONTEXT, "newsession type match length %d crawford %s\n",
                     rules->length_points, rules->crawford && !ask->post_crawford ? "on" : "off");
    } else {
        used = snprintf(out, WORDS_CONTEXT, "newsession type money jacoby %s\n",
                        rules->jacoby && rules->cube ? "on" : "off");
    }
    snprintf(out + used, WORDS_CONTEXT - (size_t)used,
             "setscore %lld %lld\nsetcube value %lld owner %s\nsetturn p0\n",
             rules->length_points > 0 ? (long long)ask->score[0] : 0,
             rules->length_points > 0 ? (long long)ask->score[1] : 0, 1LL << ask->cube_log2,
             ask->cube_owner == BG_CENTRED ? "center" : owners[ask->cube_owner]);
}

enum bg_status words_position(char out[WORDS_POSITION], const struct bg_ask *ask,
                              struct bg_error *err)
{
    char id[BG_POSITION_ID];
    int dice[2];

    bg_position_id_write(id, &ask->board, 0);
    if (ask->kind != BG_DECIDE_PLAY) {
        snprintf(out, WORDS_POSITION, "position gnubgid %s\n", id);
        return BG_OK;
    }
    if (!dice_of_stage(dice, &ask->stage)) {
        return bg_error_set(err, BG_E_ARGUMENT, "numbers to play that two dice do not give");
    }
    snprintf(out, WORDS_POSITION, "position gnubgid %s\ndice %d %d\n", id, dice[0], dice[1]);
    return BG_OK;
}

enum bg_status words_setting(char out[WORDS_SETTING], const char *text, size_t length,
                             bool has_keys, struct bg_error *err)
{
    const char *equals = memchr(text, '=', length);
    int name = equals == NULL ? 0 : (int)(equals - text);
    int value = (int)length - name - 1;

    if (name < 1 || value < 1 || memchr(text, '\n', length) != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "Set: '%.*s' is not NAME=VALUE; several are separated by ';'",
                            (int)length, text);
    }
    if (snprintf(out, WORDS_SETTING,
                 has_keys ? "set %.*s %.*s\n" : "setoption name %.*s value %.*s\n", name, text,
                 value, equals + 1) >= WORDS_SETTING) {
        return bg_error_set(err, BG_E_ARGUMENT, "Set: longer than %d bytes", WORDS_SETTING);
    }
    return BG_OK;
}

void words_variant(char out[WORDS_SETTING], const char *variant, bool has_keys)
{
    snprintf(out, WORDS_SETTING,
             has_keys ? "set game.variant %s\n" : "setoption name Variant value %s\n", variant);
}

void words_go(char out[WORDS_GO], const char *role, bool is_newer, const char *limits)
{
    snprintf(out, WORDS_GO, "go %s%s%s\n", is_newer ? "" : "role ", role, limits);
}

/* ---- the engine's lines ---- */

/* Returns the text after word if text begins with word, else NULL. */
static const char *behind(const char *text, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(text, word, length) != 0 || (text[length] != ' ' && text[length] != '\0')) {
        return NULL;
    }
    return text + length + strspn(text + length, " ");
}

/* Engines also write Bar/20 and 6/OFF. Points may be separated by '/', '-' or a blank; '-'
 * and such a blank become '/'. */
static void slashes(char *text)
{
    bool blanks = strpbrk(text, "/-") == NULL;
    int number = 0;

    for (char *at = text; *at != '\0'; at++) {
        *at = (char)tolower((unsigned char)*at);
        if (*at == '-' || (blanks && *at == ' ' && number++ % 2 == 0)) {
            *at = '/';
        }
    }
}

static enum word_kind read_reply_play(struct bg_play *out, const char *text)
{
    char play[WORDS_LINE];

    out->moves = 0;
    if (text[0] == '\0' || strcmp(text, "pass") == 0) {
        return WORD_PLAY;
    }
    snprintf(play, sizeof play, "%s", text);
    slashes(play);
    return bg_play_read(out, play, NULL) == BG_OK && out->moves > 0 ? WORD_PLAY : WORD_NONSENSE;
}

static enum word_kind read_result(char out[BG_POSITION_ID], const char *text)
{
    struct bg_board board;

    if (strlen(text) != BG_POSITION_ID - 1 || bg_position_id_read(&board, text, 0, NULL) != BG_OK) {
        return WORD_NONSENSE;
    }
    memcpy(out, text, BG_POSITION_ID);
    return WORD_RESULT;
}

static const struct {
    const char *text;
    enum word_kind kind;
} answers[] = {
    {"double", WORD_YES}, {"take", WORD_YES}, {"nodouble", WORD_NO},
    {"roll", WORD_NO},    {"pass", WORD_NO},  {"drop", WORD_NO},
};

static enum word_kind read_cube(const char *text)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (strcmp(answers[i].text, text) == 0) {
            return answers[i].kind;
        }
    }
    return WORD_NONSENSE;
}

static enum word_kind read_error(const char *text)
{
    static const char *const cannot[] = {"unknown_command", "unsupported_feature", "unsupported",
                                         "bad_argument",    "bad_command",         "bad_value"};

    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++) {
        if (behind(text, cannot[i]) != NULL) {
            return WORD_CANNOT;
        }
    }
    return WORD_ERROR;
}

/* Reads words that are complete by themselves. */
static enum word_kind read_plain(const char *text)
{
    static const char *const talk[] = {"id", "info", "option", "value", "eval"};

    if (text[0] == '\0') {
        return WORD_TALK;
    }
    if (strcmp(text, "ubgiok") == 0) {
        return WORD_HELLO;
    }
    if (strcmp(text, "readyok") == 0) {
        return WORD_READY;
    }
    if (strcmp(text, "sorry") == 0) {
        return WORD_CANNOT;
    }
    if (behind(text, "proto") != NULL) {
        return strcmp(text, "proto 0.1") == 0 ? WORD_TALK : WORD_PROTO;
    }
    if (behind(text, "key") != NULL) {
        return WORD_KEYS;
    }
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++) {
        if (behind(text, talk[i]) != NULL) {
            return WORD_TALK;
        }
    }
    return WORD_NONSENSE;
}

/* Reads "cube=nodouble move=8/5 6/5", "moveid=...": the play if there is one, else the cube. */
static enum word_kind read_turn(struct word *out, const char *text)
{
    const char *move = strstr(text, "move="), *id = strstr(text, "moveid=");
    const char *cube = strstr(text, "cube=");
    char word[32];

    if (move != NULL) {
        return read_reply_play(&out->play, move + strlen("move="));
    }
    if (id != NULL) {
        return read_result(out->position, id + strlen("moveid="));
    }
    if (cube == NULL) {
        return WORD_NONSENSE;
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(cube + 5, " "), cube + 5);
    return read_cube(word);
}

void words_read(struct word *out, const char *line)
{
    char text[WORDS_LINE];
    size_t length = strcspn(line, "\r\n");
    const char *rest;

    memset(out, 0, sizeof *out);
    while (length > 0 && line[length - 1] == ' ') {
        length--;
    }
    if (length >= sizeof text) {
        out->kind = WORD_NONSENSE;
        return;
    }
    memcpy(text, line, length);
    text[length] = '\0';
    if ((rest = behind(text, "bestmove")) != NULL) {
        out->kind = read_reply_play(&out->play, rest);
    } else if ((rest = behind(text, "bestmoveid")) != NULL) {
        out->kind = read_result(out->position, rest);
    } else if ((rest = behind(text, "bestcube")) != NULL) {
        out->kind = read_cube(rest);
    } else if ((rest = behind(text, "bestturn")) != NULL) {
        out->kind = read_turn(out, rest);
    } else if ((rest = behind(text, "error")) != NULL) {
        out->kind = read_error(rest);
    } else {
        out->kind = read_plain(text);
    }
}

/* Sets the number of checkers off: an ID does not contain it, and assumes fifteen checkers a side.
 * Returns false if there are more than in the game. */
static bool set_off(struct bg_board *out, const struct bg_board *before)
{
    for (int seat = 0; seat < 2; seat++) {
        int all = bg_board_count(before, seat), there = 0;

        for (int slot = 1; slot < BG_SLOTS; slot++) {
            there += out->at[seat][slot];
        }
        if (there > all) {
            return false;
        }
        out->at[seat][BG_OFF] = (uint8_t)(all - there);
    }
    return true;
}

/* The drafts do not specify whose turn the named position shows, so both are tried; a position that
 * is legal both ways counts as the mover's. */
enum bg_status words_result(struct bg_board *out, const struct bg_ask *ask, const char *position,
                            struct bg_error *err)
{
    for (int on_roll = 0; on_roll < 2; on_roll++) {
        if (bg_position_id_read(out, position, on_roll, err) == BG_OK &&
            set_off(out, &ask->board) &&
            bg_play_check_result(NULL, ask->rules.variant, &ask->board, 0, &ask->stage, out) ==
                BG_RULE_NONE) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_FORMAT, "no legal play leads to position %s", position);
}
