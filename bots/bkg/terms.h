/* terms.h - what bkg sees in a position: one number for each idea.
 *
 * A term measures one thing for one side, larger for more of it. What it is worth stands in
 * weights.c. docs/bkg.md explains the terms in the words of players.
 */
#ifndef BOTS_BKG_TERMS_H
#define BOTS_BKG_TERMS_H

#include "facts.h"

enum {
    TERMS = 32,        /* for the chance to win */
    GAMMON_TERMS = 10, /* for the chances that a win is a gammon, and a gammon a backgammon */
};

/* Measures own's position against opponent. */
typedef double term_fn(const struct side *own, const struct side *opponent);

struct term {
    const char *name;
    term_fn *measure;
    int sign; /* 1: more of it never hurts its side, -1: never helps */
};

extern const struct term terms[TERMS];
extern const struct term gammon_terms[GAMMON_TERMS]; /* own is the side that wins */

#endif
