/* The parts of the cleaner that print and allocate; sources in rules/ do neither. */
#include "rules/clean.h"

#include <stdlib.h>
#include <string.h>

void clean_print(FILE *out, const char *text, enum clean_kind kind)
{
    size_t size = text == NULL ? 0 : strlen(text);

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];
        size_t length = clean_piece(piece, &used, text + at, size - at, kind);

        fwrite(piece, 1, length, out);
    }
}

char *clean_copy(const char *text, enum clean_kind kind)
{
    size_t size = text == NULL ? 0 : strlen(text);
    bool whole = text != NULL && clean_find(text, size, kind) == size;
    size_t room = whole ? size + 1 : CLEAN_GROWTH * size + 1;
    char *out = text == NULL ? NULL : malloc(room);

    if (out != NULL) {
        clean_write(out, room, text, size, kind);
    }
    return out;
}
