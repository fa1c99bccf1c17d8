/* said.h - the last lines that a bot wrote to standard error, prepared for display.
 *
 * Takes the lines that explain the end of the process: from the last Python traceback on if there
 * is one, else the last few. Also suggests a remedy for known causes. Pure except said_print.
 */
#ifndef RESULTS_BASE_SAID_H
#define RESULTS_BASE_SAID_H

#include <stdbool.h>
#include <stdio.h>

enum { SAID_TEXT = 2048, SAID_LINES = 6, SAID_TRACE_LINES = 14, SAID_LINE = 200 };

struct said {
    char text[SAID_TEXT]; /* clean lines (rules/clean.h), each ended by a newline; "" none */
};

/* Takes the lines of text to show. Of a traceback longer than SAID_TRACE_LINES it keeps the first
 * line and the last ones, with "..." between. text may be NULL. */
void said_take(struct said *out, const char *text);

/* Returns the line of the last Python traceback that names the exception; inside text. NULL: there
 * is none. */
const char *said_exception(const char *text);

/* Prints each line after the prefix `before`. */
void said_print(FILE *out, const char *before, const struct said *said);

/* Returns what to do about a cause found in the lines, like a missing Python module; static. NULL:
 * no known cause. */
const char *said_remedy(const struct said *said);

#endif
