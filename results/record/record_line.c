#include "record_line.h"

#include <string.h>

#include <bgref/board.h>
#include <rules/clean.h>

/* A CRC is linear: the entry for a byte is the sum of the entries of its bits. So eight numbers
 * make a table, and the compiler writes it out. */
#define BIT(i, n, k) (((i) >> (n)&1) != 0 ? (k) : 0)
#define LOW(i)                                                                                     \
    (BIT(i, 0, 0x1189) ^ BIT(i, 1, 0x2312) ^ BIT(i, 2, 0x4624) ^ BIT(i, 3, 0x8c48) ^               \
     BIT(i, 4, 0x1081) ^ BIT(i, 5, 0x2102) ^ BIT(i, 6, 0x4204) ^ BIT(i, 7, 0x8408))
#define ROW4(i)  LOW(i), LOW((i) + 1), LOW((i) + 2), LOW((i) + 3)
#define ROW16(i) ROW4(i), ROW4((i) + 4), ROW4((i) + 8), ROW4((i) + 12)
#define ROW64(i) ROW16(i), ROW16((i) + 16), ROW16((i) + 32), ROW16((i) + 48)

static const uint16_t check_table[256] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};

uint16_t line_check(uint16_t check, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        check = (uint16_t)(check >> 8 ^ check_table[(check ^ (uint8_t)text[i]) & 0xff]);
    }
    return check;
}

char *line_put(char *at, const char *text)
{
    return stpcpy(at, text);
}

char *line_put_int(char *at, int64_t value)
{
    char digits[20];
    int count = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (value < 0) {
        *at++ = '-';
    }
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

char *line_put_check(char *at, uint16_t check)
{
    static const char hex[] = "0123456789abcdef";

    at[0] = ' ';
    at[1] = '#';
    at[2] = hex[check >> 12];
    at[3] = hex[check >> 8 & 15];
    at[4] = hex[check >> 4 & 15];
    at[5] = hex[check & 15];
    return at + LINE_CHECK_TEXT;
}

char *line_put_value(char *at, const char *text)
{
    size_t size = strlen(text);

    return at + clean_write(at, CLEAN_GROWTH * size + 1, text, size, CLEAN_LINE);
}

char *line_put_slot(char *at, int slot)
{
    switch (slot) {
    case BG_OFF:
        return line_put(at, "off");
    case BG_BAR:
        return line_put(at, "bar");
    case BG_HAND:
        return line_put(at, "hand");
    default:
        /* Points 25..36 of the long board lie behind bar and hand. */
        return line_put_int(at, slot >= BG_FAR ? slot - 2 : slot);
    }
}

bool scan_text(struct scan *scan, const char *text)
{
    size_t size = strlen(text);

    if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, text, size) != 0) {
        return false;
    }
    scan->at += size;
    return true;
}

bool scan_int(struct scan *scan, int64_t low, int64_t high, int64_t *out)
{
    const char *at = scan->at;
    bool negative = at < scan->end && *at == '-';
    uint64_t value = 0;
    int digits = 0;

    at += negative;
    for (; at < scan->end && *at >= '0' && *at <= '9'; at++) {
        if (++digits > 18) { /* 18 nines fit; nothing in a record is larger */
            return false;
        }
        value = value * 10 + (uint64_t)(*at - '0');
    }
    /* Each number has one spelling: no leading zeros, no minus zero. */
    if (digits == 0 || (at[-digits] == '0' && (digits > 1 || negative))) {
        return false;
    }

    int64_t sum = negative ? -(int64_t)value : (int64_t)value;

    if (sum < low || sum > high) {
        return false;
    }
    *out = sum;
    scan->at = at;
    return true;
}

bool scan_slot(struct scan *scan, int *slot)
{
    int64_t point;

    if (scan_text(scan, "off")) {
        *slot = BG_OFF;
    } else if (scan_text(scan, "bar")) {
        *slot = BG_BAR;
    } else if (scan_text(scan, "hand")) {
        *slot = BG_HAND;
    } else if (scan_int(scan, 1, 36, &point)) {
        *slot = (int)(point > BG_POINTS ? point + 2 : point);
    } else {
        return false;
    }
    return true;
}

bool scan_is_done(const struct scan *scan)
{
    return scan->at == scan->end;
}

bool scan_word(struct scan *scan, const char **word, size_t *size)
{
    const char *at = scan->at;

    while (at < scan->end && *at != ' ') {
        at++;
    }
    /* A space that ends the line would be a second way to write it. */
    if (at == scan->at || at + 1 == scan->end) {
        return false;
    }
    *word = scan->at;
    *size = (size_t)(at - scan->at);
    scan->at = at < scan->end ? at + 1 : at;
    return true;
}
