/* Own tables, because wcwidth depends on the locale of the reader's machine and the same report
 * must have the same lines everywhere. They are short: what they do not list is one column wide,
 * which is right for most text. */
#include "width.h"

#include <string.h>

#include <rules/clean.h>

struct range {
    uint32_t first, last;
};

/* Unicode's East_Asian_Width W and F, with the gaps between neighbours closed. */
static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23F3},   {0x25FD, 0x25FE}, {0x2614, 0x27BF},
    {0x2B1B, 0x2B55},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97C}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6},
    {0x16FE0, 0x1B2FF}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFD},
};

/* Combining marks of the most common scripts. */
static const struct range none[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

static int is_in(const struct range *ranges, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return 1;
        }
    }
    return 0;
}

double width_column(uint32_t character)
{
    return character < none[0].first                              ? 1
           : is_in(none, sizeof none / sizeof none[0], character) ? 0
           : is_in(wide, sizeof wide / sizeof wide[0], character) ? 2
                                                                  : 1;
}

static size_t next(uint32_t *character, const char *clean, size_t left)
{
    size_t bytes = clean_character(character, clean, left);

    return bytes == 0 ? 1 : bytes;
}

static double width_of_clean(const char *clean, size_t size, width_fn measure)
{
    double width = 0;

    for (size_t at = 0; at < size;) {
        uint32_t character = 0;

        at += next(&character, clean + at, size - at);
        width += measure(character);
    }
    return width;
}

double width_of(const char *text, width_fn measure)
{
    size_t size = strlen(text);
    double width = 0;

    for (size_t at = 0, used; at < size; at += used) {
        char piece[CLEAN_PIECE];
        size_t length = clean_piece(piece, &used, text + at, size - at, CLEAN_TEXT);

        width += width_of_clean(piece, length, measure);
    }
    return width;
}

int width_columns(const char *text)
{
    return (int)width_of(text, width_column);
}

static size_t bytes_in(const char *clean, size_t size, double most, width_fn measure)
{
    size_t at = 0;

    while (at < size) {
        uint32_t character = 0;
        size_t bytes = next(&character, clean + at, size - at);

        most -= measure(character);
        if (most < 0) {
            break;
        }
        at += bytes;
    }
    return at;
}

size_t width_bytes(const char *clean, double most, width_fn measure)
{
    size_t size = strlen(clean), bytes = bytes_in(clean, size, most, measure);
    uint32_t character;

    /* At least one character, or a caller that cuts a text into lines would never end. */
    return bytes > 0 || size == 0 ? bytes : next(&character, clean, size);
}

void width_fit(char out[WIDTH_FIT], const char *text, double most, double front, const char *mark,
               width_fn measure)
{
    char clean[4 * WIDTH_FIT];
    size_t size = clean_write(clean, sizeof clean, text, strlen(text), CLEAN_TEXT);
    double room = most - width_of_clean(mark, strlen(mark), measure);
    size_t head, tail = size;

    for (char *c = strchr(clean, '\n'); c != NULL; c = strchr(c, '\n')) {
        *c = ' ';
    }
    if (size < WIDTH_FIT && width_of_clean(clean, size, measure) <= most) {
        memcpy(out, clean, size + 1);
        return;
    }
    head = bytes_in(clean, size < WIDTH_FIT / 2 ? size : WIDTH_FIT / 2, front * room, measure);
    room -= width_of_clean(clean, head, measure);
    while (front < 1 && tail > head) {
        size_t before = tail - 1;

        while (before > head && ((unsigned char)clean[before] & 0xC0) == 0x80) {
            before--;
        }
        if (width_of_clean(clean + before, size - before, measure) > room ||
            size - before > WIDTH_FIT / 4) {
            break;
        }
        tail = before;
    }
    memcpy(out, clean, head);
    strcpy(out + head, mark);
    strcat(out, clean + tail);
}
