#include "foreign.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>
#include <rules/clean.h>

json_t *foreign_json(const char *text)
{
    char *clean = clean_copy(text, CLEAN_TEXT);
    json_t *value = clean == NULL ? json_null() : json_string(clean);

    free(clean);
    return value;
}

/* Whether the character is allowed in an unquoted path. */
static bool is_path(char c)
{
    return c != '\0' && strchr(" \t\r\n\"'`<>|;:,()[]{}=", c) == NULL;
}

/* A Position ID contains slashes too, and can begin with one. */
static bool is_position(const char *from, size_t size)
{
    char id[BG_POSITION_ID];
    struct bg_board board;

    if (size != sizeof id - 1) {
        return false;
    }
    memcpy(id, from, size);
    id[size] = '\0';
    return bg_position_id_read(&board, id, 0, NULL) == BG_OK;
}

/* Reports are published, and messages of bots have folder names of whoever ran them. */
char *foreign_public(const char *text)
{
    char *out = text == NULL ? NULL : malloc(strlen(text) + 1);
    char *to = out;

    if (out == NULL) {
        return NULL;
    }
    while (*text != '\0') {
        size_t size = 0;

        while (is_path(text[size])) {
            size++;
        }
        if (size == 0) {
            *to++ = *text++;
            continue;
        }
        if ((text[0] == '/' || strncmp(text, "~/", 2) == 0) && !is_position(text, size)) {
            size_t end = size, from;

            while (end > 1 && text[end - 1] == '/') {
                end--;
            }
            from = end;
            while (from > 0 && text[from - 1] != '/') {
                from--;
            }
            memcpy(to, text + from, end - from);
            to += end - from;
        } else {
            memcpy(to, text, size);
            to += size;
        }
        text += size;
    }
    *to = '\0';
    return out;
}
