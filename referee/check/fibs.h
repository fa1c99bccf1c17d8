/* fibs.h - what gnubg asks of an external player (`set player 0 external HOST:PORT`), and answers.
 *
 * A question is one line, "board:" with two names and 50 numbers: position, score, cube and dice
 * in the form of FIBS. Pure text.
 */
#ifndef REFEREE_CHECK_FIBS_H
#define REFEREE_CHECK_FIBS_H

#include "ask_position.h"

enum {
    FIBS_LINE = 1024, /* the longest question that is read; gnubg's have less than 300 bytes */
    FIBS_ANSWER = 128
};

/* The meaning of a line. */
struct fibs {
    struct bg_match match; /* seat 0 owes a decision, unless must_pass */
    bool must_pass;        /* the dice cannot be played: the answer is an empty line */
    bool rolls_only; /* the line asks about a double that is not allowed: the answer is roll */
};

/* Reads a line. BG_E_FORMAT: not such a line; the message names the wrong part. */
enum bg_status fibs_read(struct fibs *out, const char *line, struct bg_error *err);

/* Writes the answer with its line end: a play, roll, double, take, drop, beaver, resign N. */
void fibs_answer(char out[FIBS_ANSWER], const struct bg_step *step, bool rolls);

#endif
