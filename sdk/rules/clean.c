/* Everything foreign that reaches a terminal, a log or a page goes through here: a bot's name,
 * its last words, a record. What is hidden, or turns the order of letters, is shown as its
 * number, so that no text can pass for another one. UTF-8 is read strictly (Unicode's table
 * 3-7), as lenient readers disagree about what the same bytes are. */
#include "clean.h"

#include <inttypes.h>
#include <string.h>

size_t clean_character(uint32_t *out, const char *text, size_t left)
{
    const uint8_t *in = (const uint8_t *)text;
    uint8_t low = 0x80, high = 0xbf;
    size_t length;

    if (in[0] < 0x80) {
        *out = in[0];
        return 1;
    }
    if (in[0] >= 0xc2 && in[0] <= 0xdf) {
        /* c0 and c1 begin overlong forms of ASCII: a second way to write '/'. */
        length = 2;
    } else if (in[0] >= 0xe0 && in[0] <= 0xef) {
        length = 3;
        low = in[0] == 0xe0 ? 0xa0 : low;   /* overlong */
        high = in[0] == 0xed ? 0x9f : high; /* surrogates */
    } else if (in[0] >= 0xf0 && in[0] <= 0xf4) {
        length = 4;
        low = in[0] == 0xf0 ? 0x90 : low;
        high = in[0] == 0xf4 ? 0x8f : high; /* past U+10FFFF */
    } else {
        return 0;
    }
    if (left < length || in[1] < low || in[1] > high) {
        return 0;
    }
    *out = in[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if (in[i] < 0x80 || in[i] > 0xbf) {
            return 0;
        }
        *out = *out << 6 | (in[i] & 0x3f);
    }
    return length;
}

/* Controls; Unicode's default ignorables (DerivedCoreProperties.txt); direction marks, line and
 * paragraph separators and annotations between them; two blanks that are invisible; and
 * U+FDD0..U+FDEF, which are not characters. In ascending order. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x0000, 0x001f},   /* C0 */
    {0x007f, 0x009f},   /* DEL, C1 */
    {0x00ad, 0x00ad},   /* soft hyphen */
    {0x034f, 0x034f},   /* combining grapheme joiner */
    {0x061c, 0x061c},   /* Arabic letter mark */
    {0x115f, 0x1160},   /* Hangul fillers */
    {0x17b4, 0x17b5},   /* Khmer inherent vowels */
    {0x180b, 0x180f},   /* Mongolian selectors and vowel separator */
    {0x200b, 0x200f},   /* zero width space and joiners, direction marks */
    {0x2028, 0x202e},   /* line, paragraph, directions */
    {0x2060, 0x206f},   /* word joiner, invisible operators, isolates */
    {0x2800, 0x2800},   /* Braille blank */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xfdd0, 0xfdef},   /* not characters */
    {0xfe00, 0xfe0f},   /* variation selectors */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xffa0, 0xffa0},   /* half-width Hangul filler */
    {0xfff0, 0xfffb},   /* unassigned ignorables, annotations */
    {0x13430, 0x1345f}, /* Egyptian format controls */
    {0x1bca0, 0x1bca3}, /* shorthand format controls */
    {0x1d173, 0x1d17a}, /* musical format controls */
    {0xe0000, 0xe0fff}, /* tags, variation selectors */
};

bool clean_is_plain(uint32_t character)
{
    if (character >= 0x20 && character < 0x7f) {
        return true;
    }
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0] && hidden[i].first <= character; i++) {
        if (character <= hidden[i].last) {
            return false;
        }
    }
    /* The last two of each plane are not characters. */
    return (character & 0xfffe) != 0xfffe;
}

static bool stays(uint32_t character, enum clean_kind kind)
{
    return clean_is_plain(character) || (kind == CLEAN_TEXT && character == '\n');
}

size_t clean_piece(char piece[CLEAN_PIECE], size_t *used, const char *text, size_t left,
                   enum clean_kind kind)
{
    uint32_t character = (unsigned char)text[0];
    size_t length = clean_character(&character, text, left);

    *used = length == 0 ? 1 : length;
    if (length > 0 && stays(character, kind)) {
        memcpy(piece, text, length);
        piece[length] = '\0';
        return length;
    }
    /* A tab is honest, but moves what stands behind it. */
    if (length == 1 && character == '\t') {
        strcpy(piece, " ");
    } else if (length <= 1) {
        snprintf(piece, CLEAN_PIECE, "\\x%02x", (unsigned)(unsigned char)text[0]);
    } else {
        snprintf(piece, CLEAN_PIECE, "<U+%04" PRIX32 ">", character);
    }
    return strlen(piece);
}

size_t clean_find(const char *text, size_t size, enum clean_kind kind)
{
    size_t at = 0;

    while (at < size) {
        uint32_t character;
        size_t length = clean_character(&character, text + at, size - at);

        if (length == 0 || !stays(character, kind)) {
            break;
        }
        at += length;
    }
    return at;
}

/* Number of bytes at the beginning that are printable ASCII: they are printed unchanged, whatever
 * follows. */
static size_t plain_run(const char *text, size_t size)
{
    size_t at = 0;

    while (at < size && text[at] >= 0x20 && text[at] < 0x7f) {
        at++;
    }
    return at;
}

size_t clean_write(char *out, size_t room, const char *text, size_t size, enum clean_kind kind)
{
    size_t length = 0;

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];
        size_t more;

        used = plain_run(text + at, size - at);
        if (used > 0) {
            more = length + used < room ? used : room - length - 1;
            memcpy(out + length, text + at, more);
            length += more;
            continue;
        }
        more = clean_piece(piece, &used, text + at, size - at, kind);
        /* A piece is written whole or not: half an escape, or half a character, would be foreign
         * again. */
        if (length + more >= room) {
            break;
        }
        memcpy(out + length, piece, more);
        length += more;
    }
    out[length] = '\0';
    return length;
}
