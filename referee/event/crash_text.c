/* Printed on standard error beside the log, since these lines are for whoever wrote the bot, as
 * it wrote them. The remedy of a known cause stands before the ways to more text: it is what
 * most readers need. */
#include "crash_text.h"

#include <stdio.h>

#include "base/said.h"

void crash_text_print(const struct competitor *bot, const char *said, const char *results)
{
    struct said last;
    const char *remedy;

    said_take(&last, said);
    if (last.text[0] == '\0') {
        return;
    }
    fprintf(stderr, "%s wrote last:\n", bot->name);
    said_print(stderr, "    ", &last);
    remedy = said_remedy(&last);
    if (remedy != NULL) {
        fprintf(stderr, "  what to do: %s\n", remedy);
    }
    if (bot->stderr_file[0] != '\0') {
        fprintf(stderr, "  all of it: %s\n", bot->stderr_file);
    } else if (results != NULL) {
        fprintf(stderr, "  more of it: bgref faults %s %s; stderr=FILE keeps all\n", results,
                bot->name);
    } else {
        fprintf(stderr, "  stderr=FILE keeps all of it\n");
    }
}
