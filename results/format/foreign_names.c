/* A player has two names: what the file says, cleaned, and one that an id can have. The second
 * is made from the first by the same rule each time, so that a player of several files is one
 * bot. */
#include "foreign_names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

static size_t put_utf8(char out[4], uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

static bool is_utf8(const unsigned char *text, size_t length)
{
    uint32_t code;

    for (size_t at = 0, size; at < length; at += size) {
        size = clean_character(&code, (const char *)text + at, length - at);
        if (size == 0) {
            return false;
        }
    }
    return true;
}

/* Windows-1252 characters in place of Latin-1 controls; 0: none. Files that call themselves
 * Latin-1 come from Windows, which puts quotes and dashes where Latin-1 has control characters. */
static const uint16_t windows[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

/* "bob,1666", "bob," and "bob, ?" are bob: servers write a rating there, known or not. */
static size_t without_rating(const char *text, size_t length)
{
    const char *comma = memchr(text, ',', length);

    if (comma == NULL || comma == text) {
        return length;
    }
    for (const char *at = comma + 1; at < text + length; at++) {
        if (strchr("0123456789. ?-", *at) == NULL) {
            return atoi(comma + 1) > 0 ? (size_t)(comma - text) : length;
        }
    }
    return (size_t)(comma - text);
}

void foreign_display_name(char out[FOREIGN_NAME], bool *latin1, const char *text, size_t length)
{
    const unsigned char *bytes;
    bool plain;
    size_t used = 0;

    for (; length > 0 && isspace((unsigned char)*text); text++, length--) {
    }
    length = without_rating(text, length);
    for (; length > 0 && isspace((unsigned char)text[length - 1]); length--) {
    }
    bytes = (const unsigned char *)text;
    plain = is_utf8(bytes, length);
    *latin1 = *latin1 || !plain;
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t code = bytes[at];
        char put[4];

        size = plain ? clean_character(&code, (const char *)bytes + at, length - at) : 1;
        if (!plain && code >= 0x80 && code < 0xa0) {
            code = windows[code - 0x80];
        }
        if (clean_is_plain(code)) {
            size_t more = put_utf8(put, code);

            if (used + more >= FOREIGN_NAME) {
                break;
            }
            memcpy(out + used, put, more);
            used += more;
        }
    }
    out[used] = '\0';
}

/* Base letters of U+00C0 to U+017F; '-' if there is none. */
static const char base[] = "AAAAAAACEEEEIIIIDNOOOOO-OUUUUYTsaaaaaaaceeeeiiiidnooooo-ouuuuyty"
                           "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
                           "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

void foreign_bot_name(char out[65], const char *display)
{
    static const char allowed[] = ".-_+";
    const unsigned char *bytes = (const unsigned char *)display;
    size_t used = 0, length = strlen(display), letters = 0;

    for (size_t at = 0, size; at < length && used < 64; at += size) {
        uint32_t code = bytes[at];

        size = clean_character(&code, (const char *)bytes + at, length - at);
        size = size == 0 ? 1 : size;
        if (code < 0x80 && (isalnum((int)code) || strchr(allowed, (int)code) != NULL)) {
            out[used++] = (char)code;
        } else if (code >= 0xc0 && code < 0x180) {
            out[used++] = base[code - 0xc0];
        } else {
            out[used++] = '-';
        }
        letters += out[used - 1] != '-';
    }
    while (used > 0 && out[used - 1] == '-') {
        used--;
    }
    out[used] = '\0';
    if (letters == 0) {
        strcpy(out, "unknown");
    }
}

void foreign_part_names(char one[65], char other[65])
{
    if (strcmp(one, other) == 0) {
        one[62] = other[62] = '\0';
        strcat(one, "-1");
        strcat(other, "-2");
    }
}
