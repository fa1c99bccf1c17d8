/* typed.h - one line that a person typed: a play in any usual notation, an answer in words, or a
 * command of the console.
 *
 * Plays are read as people and programs write them: "13/7 8/7", "8-7 13-7", "bar/22*", "b/22x",
 * "25/22", "6/off", "6/0", "6/o", "13/7(2)", "13/7x2", "24/18/13", "8 5 6 5", "31: 8/5 6/5", with
 * blanks or commas between them. Reading knows nothing of the position: entry.h judges.
 */
#ifndef BOTS_HUMAN_TYPED_H
#define BOTS_HUMAN_TYPED_H

#include <bgref/ask.h>

#include <stdbool.h>

enum { TYPED_WHY = 160, TYPED_PART = 32 };

enum typed_kind {
    TYPED_EMPTY,
    TYPED_PLAY,   /* play, hits, stage */
    TYPED_ANSWER, /* answer */
    TYPED_RESIGN, /* value: level, as typed */
    TYPED_NUMBER, /* value: 1..6 */
    TYPED_DICE,   /* die, as many as were asked for */
    TYPED_PLAYS,  /* part: lists the legal plays that contain it */
    TYPED_YES,
    TYPED_UNDO,
    TYPED_BOARD,
    TYPED_TIME,
    TYPED_LAST,
    TYPED_ID,
    TYPED_HELP,
    TYPED_QUIT
};

struct typed {
    enum typed_kind kind;
    enum bg_answer_kind answer;
    int value;
    uint8_t die[4];
    struct bg_play play;   /* as typed: merged moves stay merged */
    uint64_t hits;         /* bit n: a hit is marked on slot n */
    struct bg_stage stage; /* the dice before the play, "31:"; parts 0: none were given */
    char part[TYPED_PART];
};

/* Reads one line, in upper or lower case, for a game. Returns false if it is not understood: why
 * then says what and where. */
bool typed_read(struct typed *out, char why[TYPED_WHY], const struct bg_variant *variant,
                const char *line);

/* The same where so many dice are asked for, which are read as 63, 6-3, 6 3 or 3,6. */
bool typed_read_dice(struct typed *out, char why[TYPED_WHY], int dice, const char *line);

/* Returns word number i that answers a decision or commands the console, and in *answer what it
 * answers (NONE: it is for any time). NULL: i is past the last. For completion. */
const char *typed_word(enum bg_answer_kind *answer, int i);

#endif
