/* entry.h - the answer to one decision while it is typed: judged line by line, and corrected,
 * before anything is sent. No input or output.
 *
 * A play may be typed in several lines. What is typed is judged as the referee would judge it.
 */
#ifndef BOTS_HUMAN_ENTRY_H
#define BOTS_HUMAN_ENTRY_H

#include <bgref/ask.h>

#include "typed.h"

enum { ENTRY_TEXT = 320 };

struct entry {
    struct bg_ask ask;           /* its results and played are not kept */
    struct bg_play play;         /* typed so far */
    struct bg_board after;       /* by play, when it is complete */
    uint8_t lines[BG_MOVES_MAX]; /* moves in each typed line */
    uint64_t hits[BG_MOVES_MAX]; /* and the hits that are marked in it (typed.h) */
    int line_count;
    enum bg_answer_kind answer; /* understood, and waits to be sent; NONE: not yet */
    int value;                  /* NAME: number; RESIGN: level */
    uint8_t die[4];             /* DICE */
};

enum entry_news {
    ENTRY_REFUSED, /* text says why; moves typed so far stay, an answer that waited does not */
    ENTRY_PART,    /* text: the moves so far; the play needs more */
    ENTRY_WHOLE    /* text: the answer as it was understood */
};

void entry_begin(struct entry *entry, const struct bg_ask *ask);

/* Forgets all that was typed. */
void entry_forget(struct entry *entry);

/* Reads a line as the open decision needs it (typed.h). */
bool entry_read(struct typed *out, char why[TYPED_WHY], const struct entry *entry,
                const char *line);

/* Takes a play, an answer, a resignation, a number, dice, "yes" (which confirms the dice of the
 * other operator) or an empty line (which rolls). A new answer replaces one that waits to be
 * sent. */
enum entry_news entry_type(struct entry *entry, const struct typed *typed, char text[ENTRY_TEXT]);

/* Writes the first count dice: "6-3". */
enum { ENTRY_DICE = 8 };
void entry_dice_write(char out[ENTRY_DICE], const uint8_t *die, int count);

/* Takes the last line back. Returns false if there is none. text: the moves that are left. */
bool entry_undo(struct entry *entry, char text[ENTRY_TEXT]);

#endif
