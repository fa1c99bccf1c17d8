#include "markup.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <rules/clean.h>

#define ELLIPSIS "\xE2\x80\xA6"

static void put(FILE *out, char c)
{
    switch (c) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    case '\'':
        fputs("&#39;", out);
        break;
    default:
        fputc(c, out);
        break;
    }
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* The first `most` characters of the cleaned text. */
static void put_first(FILE *out, const char *text, int most)
{
    size_t size = strlen(text);
    int count = 0;

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];

        clean_piece(piece, &used, text + at, size - at, CLEAN_TEXT);
        for (const char *c = piece; *c != '\0'; c++) {
            count += begins_character(*c);
            if (count > most) {
                return;
            }
            put(out, *c);
        }
    }
}

void markup_text(FILE *out, const char *text)
{
    put_first(out, text, INT_MAX);
}

int markup_length(const char *text)
{
    size_t size = strlen(text);
    int length = 0;

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];

        clean_piece(piece, &used, text + at, size - at, CLEAN_TEXT);
        for (const char *c = piece; *c != '\0'; c++) {
            length += begins_character(*c);
        }
    }
    return length;
}

void markup_cut(FILE *out, const char *text, int most)
{
    bool whole = markup_length(text) <= most;

    put_first(out, text, whole ? most : most - 1);
    if (!whole) {
        fputs(ELLIPSIS, out);
    }
}
