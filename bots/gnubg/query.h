/* query.h - decisions as questions to gnubg's external server, and its answers as decisions.
 *
 * Text in, text out, without a process. A question is one line in the "FIBS board" format, at most
 * 255 bytes, complete in itself; so the answer depends only on the decision.
 *
 *     query_write(line, &ask, &strength, &err);
 *     ...send line, receive reply...
 *     query_read(&answer, &ask, reply, &err);
 */
#ifndef BOTS_GNUBG_QUERY_H
#define BOTS_GNUBG_QUERY_H

#include <bgref/evaluate.h>

enum {
    QUERY_LINE = 256,     /* the server drops a client that sends more than 255 bytes in a line */
    QUERY_LENGTH_MAX = 64 /* gnubg's match equity tables end here; it reads beyond them unasked */
};

/* gnubg's strength, for questions that must contain it (see query_write, RAISE). */
struct query_strength {
    int plies;    /* 0..3 */
    double noise; /* standard deviation of the noise on the equity, 0 none; always repeatable */
};

/* Writes the question, without line end. BG_E_ARGUMENT: a decision gnubg cannot be asked (another
 * game, a match longer than QUERY_LENGTH_MAX, KEEP, NAME); the message says which.
 *
 * RAISE (the opponent beavered our double, or went on raising) has no question of its own; gnubg is
 * asked for the equity of accepting, and query_read decides by it: pass, accept or raccoon. */
enum bg_status query_write(char out[QUERY_LINE], const struct bg_ask *ask,
                           const struct query_strength *strength, struct bg_error *err);

/* Reads the reply (with or without line end) into out->kind and, for a play, out->play; decision
 * is copied from ask. BG_E_FORMAT: not an answer to this question. Whether a play is legal is not
 * judged here. A beaver counts as a take unless ask->may_raise. */
enum bg_status query_read(struct bg_answer *out, const struct bg_ask *ask, const char *reply,
                          struct bg_error *err);

/* Writes the question for the value of ask->board when own (seat 0) or the opponent is about to
 * roll, with the cube as in ask. BG_E_ARGUMENT as above. */
enum bg_status query_write_value(char out[QUERY_LINE], const struct bg_ask *ask, bool own_rolls,
                                 const struct query_strength *strength, struct bg_error *err);

/* Reads the reply: chances and equity of the side that is about to roll; money: points for each
 * point of the cube, match: its chance to win the match. BG_E_FORMAT as above. */
enum bg_status query_read_value(struct bg_chances *out, const char *reply, struct bg_error *err);

#endif
