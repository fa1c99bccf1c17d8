/* knowledge.h - what is known of a position of hypergammon, in the terms of a bot's asks.
 *
 * Money play is exact, with the cube, Jacoby's rule or neither; beavers are not. In a match the
 * chances to win and of gammons are, each for the play that is best for it alone; what they are
 * worth at a score and with a cube is an approximation (bkg/cube.h).
 */
#ifndef BOTS_EXACT_KNOWLEDGE_H
#define BOTS_EXACT_KNOWLEDGE_H

#include <bgref/evaluate.h>

#include "hyper.h"
#include "hyper_file.h"

struct knowledge {
    struct hyper sides; /* without plays */
    struct hyper_file file;
};

/* Opens the file at the usual path. As hyper_file_open; the text of an error names the path. */
enum bg_status knowledge_open(struct knowledge *out, struct bg_error *err);
void knowledge_close(struct knowledge *knowledge);

/* Returns own's value of board after its play, as bg_value_fn; user: the knowledge. */
double knowledge_after(void *user, const struct bg_ask *ask, const struct bg_board *board);

/* Returns whether own should double. */
bool knowledge_doubles(const struct knowledge *knowledge, const struct bg_ask *ask);

/* Returns the answer to a double or a raise. */
enum bg_answer_kind knowledge_takes(const struct knowledge *knowledge, const struct bg_ask *ask);

/* Answers ask, of one of the kinds BG_VALUE_... */
void knowledge_value(struct bg_value *out, const struct knowledge *knowledge,
                     const struct bg_ask *ask);

#endif
