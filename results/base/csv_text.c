#include "csv_text.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

void csv_text(char *out, size_t room, const char *text)
{
    /* a sign alone, our word for "none", is computed by no spreadsheet */
    const bool computed =
        text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL && strcmp(text, "-") != 0;
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    char *at = out;

    assert(room >= 4);
    if (quoted) {
        *at++ = '"';
    }
    if (computed) {
        *at++ = '\'';
    }
    for (; *text != '\0' && (size_t)(at - out) + 4 <= room; text++) {
        if (*text == '"') {
            *at++ = '"';
        }
        *at++ = *text;
    }
    if (quoted) {
        *at++ = '"';
    }
    *at = '\0';
}
