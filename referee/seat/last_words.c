#include "last_words.h"

#include <stdbool.h>
#include <string.h>

#include <rules/clean.h>

static bool is_blank(char c)
{
    return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

void last_words(char out[LAST_WORDS], const char *said)
{
    size_t end = strlen(said), from;

    while (end > 0 && is_blank(said[end - 1])) {
        end--;
    }
    from = end;
    while (from > 0 && said[from - 1] != '\n') {
        from--;
    }
    clean_write(out, LAST_WORDS, said + from, end - from, CLEAN_LINE);
}
