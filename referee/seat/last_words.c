/* A traceback of Python ends with the line that names the exception, but a program may write
 * more after it (a warning of the interpreter at its exit). So the exception is looked for
 * first, and the last line that is not blank is taken only without one.
 *
 * More of it is printed on standard error beside the log, since these lines are for whoever wrote
 * the bot, as it wrote them. The remedy of a known cause stands before the ways to more text: it is
 * what most readers need. */
#include "last_words.h"

#include <stdio.h>
#include <string.h>

#include <rules/clean.h>

#include "base/plain.h"
#include "base/said.h"

void last_words(char out[LAST_WORDS], const char *said)
{
    const char *exception = said_exception(said);
    size_t end =
        exception == NULL ? strlen(said) : (size_t)(exception - said) + strcspn(exception, "\n");
    size_t from;

    while (end > 0 && plain_is_blank(said[end - 1])) {
        end--;
    }
    from = end;
    while (from > 0 && said[from - 1] != '\n') {
        from--;
    }
    clean_write(out, LAST_WORDS, said + from, end - from, CLEAN_LINE);
}

void last_words_print(const struct competitor *bot, const char *said, const char *results)
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
