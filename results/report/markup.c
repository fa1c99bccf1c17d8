#include "markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"
#define ELLIPSIS    "\xE2\x80\xA6"

/* The bytes of the character that begins here; 0: no UTF-8 (overlong, surrogate, cut short). */
static size_t character(uint32_t *out, const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80             ? 1
                  : (byte[0] & 0xE0) == 0xC0 ? 2
                  : (byte[0] & 0xF0) == 0xE0 ? 3
                  : (byte[0] & 0xF8) == 0xF0 ? 4
                                             : 0;
    uint32_t code = size == 1 ? byte[0] : byte[0] & (0x7FU >> size);

    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte[i] & 0x3F);
    }
    *out = code;
    return size > 0 && (size == 1 || code >= least[size]) && code <= 0x10FFFF &&
                   (code < 0xD800 || code > 0xDFFF)
               ? size
               : 0;
}

static bool is_allowed(uint32_t code)
{
    return (code >= 0x20 && code < 0x7F) || code == '\n' || code == '\t' ||
           (code >= 0xA0 && (code & 0xFFFE) != 0xFFFE);
}

static void put(FILE *out, const char *text, size_t size, uint32_t code)
{
    switch (code) {
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
        fwrite(text, 1, size, out);
        break;
    }
}

/* One character; returns what is left. */
static const char *put_next(FILE *out, const char *text)
{
    uint32_t code = 0;
    size_t size = character(&code, text);

    if (size > 0 && is_allowed(code)) {
        put(out, text, size, code);
    } else {
        fputs(REPLACEMENT, out);
    }
    return text + (size > 0 ? size : 1);
}

void markup_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        text = put_next(out, text);
    }
}

int markup_length(const char *text)
{
    uint32_t code;
    int length = 0;

    for (; *text != '\0'; length++) {
        size_t size = character(&code, text);

        text += size > 0 ? size : 1;
    }
    return length;
}

void markup_cut(FILE *out, const char *text, int most)
{
    bool whole = markup_length(text) <= most;

    for (int i = 0; *text != '\0' && (whole || i < most - 1); i++) {
        text = put_next(out, text);
    }
    if (!whole) {
        fputs(ELLIPSIS, out);
    }
}
