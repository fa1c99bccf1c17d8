/* said.h - the last lines that a bot wrote to standard error, prepared for display.
 *
 * The lines that explain an end: from the last Python traceback on where there is one, else the
 * last few. Also a remedy for causes that the text identifies. Pure but for said_print.
 */
#ifndef RESULTS_WORDS_SAID_H
#define RESULTS_WORDS_SAID_H

#include <stdbool.h>
#include <stdio.h>

enum { SAID_TEXT = 2048, SAID_LINES = 6, SAID_TRACE_LINES = 14, SAID_LINE = 200 };

struct said {
    char text[SAID_TEXT]; /* clean lines (rules/clean.h), each ended by a newline; "" none */
};

/* The lines of text that are shown. A traceback longer than SAID_TRACE_LINES keeps its first line
 * and its last ones, with "..." between. text may be NULL. */
void said_take(struct said *out, const char *text);

/* Prints each line behind `before`. */
void said_print(FILE *out, const char *before, const struct said *said);

/* What to do about a cause that the lines name, like a Python module that is missing; static. NULL:
 * no known cause. */
const char *said_remedy(const struct said *said);

#endif
