/* replay.h - one recorded game turn by turn: its steps in words, and printed with the boards. */
#ifndef RESULTS_TABLES_REPLAY_H
#define RESULTS_TABLES_REPLAY_H

#include <stdio.h>

#include <record/record.h>

/* One step; all is lent. */
struct replay_step {
    const struct bg_match *before; /* the match that the step changes */
    const struct bg_match *after;  /* the match after it; as before, if the step breaks a rule */
    const struct bg_step *step;
    const char *name[2];              /* of the bots on seats 0 and 1 */
    const char *words;                /* "anna plays 13/8 6/5", "bert doubles to 2" */
    int turn;                         /* from 1 */
    int64_t spent_ns;                 /* -1: not measured */
    const struct bg_thought *thought; /* of the bot that acted; NULL: it told nothing */
};

/* Makes a step, and returns what it is in words, which the caller frees. *broken: the rule that
 * refuses it. name: of the bots on seats 0 and 1. */
char *replay_make(struct bg_match *match, enum bg_rule *broken, const char *const name[2],
                  const struct bg_step *step);

typedef void (*replay_fn)(void *user, const struct replay_step *step);

/* Calls fn for every step; *end: the match after the last one. Errors as replay_write. */
enum bg_status replay_each(struct bg_match *end, const struct record_view *view, replay_fn fn,
                           void *user, struct bg_error *err);

/* Draws the position before every play and prints every step; seat 0 is O at the bottom.
 * BG_E_MISMATCH: a step breaks a rule, the message names it; BG_E_FORMAT: the starting position
 * cannot be read. */
enum bg_status replay_write(FILE *out, const struct record_view *view, struct bg_error *err);

#endif
