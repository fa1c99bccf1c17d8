#include "names.h"

#include <stdio.h>
#include <string.h>

/* Bytes of text up to most, without half a character of UTF-8. */
static size_t whole(const char *text, size_t most)
{
    size_t length = strlen(text);

    if (length <= most) {
        return length;
    }
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80) {
        most--;
    }
    return most;
}

static void cut(char out[FORMAT_NAME], const char *name, const char *end)
{
    size_t length = whole(name, FORMAT_NAME - 1 - strlen(end));

    memcpy(out, name, length);
    strcpy(out + length, end);
}

void format_names(char out[2][FORMAT_NAME], const char *const name[2])
{
    for (int i = 0; i < 2; i++) {
        cut(out[i], name[i][0] == '\0' ? "-" : name[i], "");
    }
    if (strcmp(out[0], out[1]) == 0 && strcmp(name[0], name[1]) != 0) {
        cut(out[0], name[0], "~1");
        cut(out[1], name[1], "~2");
    }
}
