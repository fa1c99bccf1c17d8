/* Any bytes as the query of a page or the form that somebody sends to it. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "loop/web.h"

enum { MOST = 64 };

/* Whatever is written with an escape for each byte comes back, between other values too. */
static void try_round_trip(const char *text)
{
    char pairs[16 + 3 * MOST] = "a=1&name=", value[MOST];
    size_t at = strlen(pairs), size = strlen(text);

    for (size_t i = 0; i < size && i < MOST; i++, at += 3) {
        snprintf(pairs + at, 4, "%%%02X", (unsigned char)text[i]);
    }
    memcpy(pairs + at, "&b=2", 5);
    require(web_value(value, sizeof value, pairs, "name") == (size < MOST));
    require(strcmp(value, size < MOST ? text : "") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), value[8]; /* exactly as long, so that overruns are detected */

    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (!web_value(value, sizeof value, text, "name")) {
        require(value[0] == '\0');
    }
    require(strlen(value) < sizeof value);
    try_round_trip(text);
    free(text);
    return 0;
}
