/* A traceback of Python ends with the line that names the exception, but a program may write
 * more after it (a warning of the interpreter at its exit). So the exception is looked for
 * first, and the last line that is not blank is taken only without one. */
#include "last_words.h"

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
