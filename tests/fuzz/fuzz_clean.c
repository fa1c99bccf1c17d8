/* fuzz_clean - foreign bytes through the cleaner: the result is clean, UTF-8 and bounded, cleaning
 * it again changes nothing, and a shortened result is a prefix of the complete one. */
#include <string.h>

#include <rules/clean.h>

#include "fuzz.h"

static void check(const char *text, size_t size, enum clean_kind kind)
{
    size_t room = CLEAN_GROWTH * size + 1;
    char *out = malloc(room), *again = malloc(room);
    size_t length, cut = size / 2 + 1;

    require(out != NULL && again != NULL);
    length = clean_write(out, room, text, size, kind);
    require(length < room && strlen(out) == length);
    require(clean_find(out, length, kind) == length);
    for (size_t i = 0; i < length; i++) { /* no control byte, even if the tables allow it */
        require((uint8_t)out[i] >= ' ' || (kind == CLEAN_TEXT && out[i] == '\n'));
        require(out[i] != 0x7f);
    }
    require(clean_write(again, room, out, length, kind) == length && strcmp(again, out) == 0);
    if (clean_find(text, size, kind) == size) {
        require(length == size && memcmp(out, text, size) == 0);
    }
    require(clean_write(again, cut, text, size, kind) < cut);
    require(strncmp(again, out, strlen(again)) == 0);
    free(out);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 4096) {
        return 0;
    }
    check((const char *)data, size, CLEAN_LINE);
    check((const char *)data, size, CLEAN_TEXT);
    return 0;
}
