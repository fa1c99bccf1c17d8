/* words.h - decisions as UBGI commands, and the lines of an engine as answers. Pure text.
 *
 * UBGI (Universal Backgammon Interface) has two families that are in use: the older one asks with
 * `go role chequer` and sets options with `setoption`, the newer one asks with `go chequer` and has
 * keys; some engines mix them. The rest is common to both. Everything is as the deciding side
 * sees it: it is p0, its checkers are the second half of the Position ID, its score comes first.
 */
#ifndef BOTS_UBGI_WORDS_H
#define BOTS_UBGI_WORDS_H

#include <bgref/ask.h>
#include <bgref/notation.h>

enum {
    WORDS_LINE = 2048,   /* longest line that is read from an engine, with its terminator */
    WORDS_CONTEXT = 256, /* match, score, cube */
    WORDS_POSITION = 64,
    WORDS_SETTING = 512,
    WORDS_GO = 96
};

/* ---- commands; each ends in '\n' ---- */

/* Match, score and cube of ask: newsession, setscore, setcube, setturn. */
void words_context(char out[WORDS_CONTEXT], const struct bg_ask *ask);

/* Position and, for a play, dice. BG_E_ARGUMENT: numbers that two dice do not give. */
enum bg_status words_position(char out[WORDS_POSITION], const struct bg_ask *ask,
                              struct bg_error *err);

/* One setting, "NAME=VALUE" of the given length: `set` where the engine has keys (0.2), else
 * `setoption`. BG_E_ARGUMENT: not of that form, or too long. */
enum bg_status words_setting(char out[WORDS_SETTING], const char *text, size_t length,
                             bool has_keys, struct bg_error *err);

/* Writes the setting of the game, by the id of its set-up ("nackgammon"). */
void words_variant(char out[WORDS_SETTING], const char *variant, bool has_keys);

/* Writes a question: "chequer", "cube" or "take", in the newer form (`go cube`) or the older (`go
 * role cube`); limits " movetime 50" or "". */
void words_go(char out[WORDS_GO], const char *role, bool is_newer, const char *limits);

/* ---- the engine's lines ---- */

enum word_kind {
    WORD_TALK,   /* not an answer: info, id, option, value, an empty line */
    WORD_PROTO,  /* `proto 0.2`: the engine takes `set` */
    WORD_KEYS,   /* `key ...`: likewise, and speaks the newer form */
    WORD_HELLO,  /* ubgiok */
    WORD_READY,  /* readyok */
    WORD_PLAY,   /* bestmove, or the move of bestturn; no moves for `pass` and for nothing */
    WORD_RESULT, /* bestmoveid, or the moveid of bestturn: position */
    WORD_YES,    /* bestcube double, bestcube take */
    WORD_NO,     /* bestcube nodouble, bestcube pass */
    WORD_CANNOT, /* an error: the engine does not know such a command or feature */
    WORD_ERROR,  /* any other error */
    WORD_NONSENSE
};

struct word {
    enum word_kind kind;
    struct bg_play play;
    char position[BG_POSITION_ID];
};

/* Reads a line, with or without its end. A line that is not UBGI, or an unreadable answer, is
 * WORD_NONSENSE. Does not judge whether a play is legal. */
void words_read(struct word *out, const char *line);

/* Finds the play that leads to the position that the engine has named, as either side sees it.
 * BG_E_FORMAT: no legal play does. */
enum bg_status words_result(struct bg_board *out, const struct bg_ask *ask, const char *position,
                            struct bg_error *err);

#endif
