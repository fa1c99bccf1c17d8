/* All five characters, also in text where three would do: the same function writes attributes. */
#include "markup.h"

#include <string.h>

#include <rules/clean.h>

static void put_escaped(FILE *out, char c)
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

/* How many bytes stand for themselves: most of a page, which a long event has thousands of. */
static size_t plain_size(const char *text)
{
    size_t size = 0;

    while (text[size] >= ' ' && text[size] < 0x7F && text[size] != '&' && text[size] != '<' &&
           text[size] != '>' && text[size] != '"' && text[size] != '\'') {
        size++;
    }
    return size;
}

void markup_text(FILE *out, const char *text)
{
    size_t size = strlen(text);

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];

        used = plain_size(text + at);
        if (used > 0) {
            fwrite(text + at, 1, used, out);
            continue;
        }
        /* Cleaned first: names and messages of bots may have control characters or broken UTF-8,
         * which would spoil the page or hide text in it. */
        clean_piece(piece, &used, text + at, size - at, CLEAN_TEXT);
        for (const char *c = piece; *c != '\0'; c++) {
            put_escaped(out, *c);
        }
    }
}
