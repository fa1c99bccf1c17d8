/* complete.h - what a half-typed line can become: words that fit the question, and moves of the
 * legal plays, in any order. */
#ifndef BOTS_HUMAN_COMPLETE_H
#define BOTS_HUMAN_COMPLETE_H

#include <stddef.h>

#include "entry.h"

enum { COMPLETE_ADD = 64, COMPLETE_LIST = 1024 };

struct completion {
    size_t count;             /* ways in which the last word of the line can go on */
    char add[COMPLETE_ADD];   /* what all of them have in common after what is typed */
    char list[COMPLETE_LIST]; /* the ways, separated by two blanks; cut if they are too many */
};

/* line: the text before the cursor. */
void complete_line(struct completion *out, const struct entry *entry, const char *line);

#endif
