/* Numbers and slots are put and read without stdio: every step of every game passes here, and
 * printf would read a format and the locale for each. */
#include "record_line.h"

#include <string.h>

#include <bgref/board.h>
#include <rules/clean.h>

/* A CRC is linear: a byte's table entry is the sum of the entries of its bits. So eight numbers
 * define a table, and the compiler computes it. Table k has the effect of a byte followed by k
 * further bytes: eight tables process eight bytes at once, without waiting for each other. */
#define BIT(i, n, k) (((i) >> (n)&1) != 0 ? (k) : 0)
#define SUM(i, a, b, c, d, e, f, g, h)                                                             \
    (BIT(i, 0, a) ^ BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^     \
     BIT(i, 6, g) ^ BIT(i, 7, h))
#define ROW4(i, ...)                                                                               \
    SUM(i, __VA_ARGS__), SUM((i) + 1, __VA_ARGS__), SUM((i) + 2, __VA_ARGS__),                     \
        SUM((i) + 3, __VA_ARGS__)
#define ROW16(i, ...)                                                                              \
    ROW4(i, __VA_ARGS__), ROW4((i) + 4, __VA_ARGS__), ROW4((i) + 8, __VA_ARGS__),                  \
        ROW4((i) + 12, __VA_ARGS__)
#define ROW64(i, ...)                                                                              \
    ROW16(i, __VA_ARGS__), ROW16((i) + 16, __VA_ARGS__), ROW16((i) + 32, __VA_ARGS__),             \
        ROW16((i) + 48, __VA_ARGS__)
#define TABLE(...)                                                                                 \
    {                                                                                              \
        ROW64(0, __VA_ARGS__), ROW64(64, __VA_ARGS__), ROW64(128, __VA_ARGS__),                    \
            ROW64(192, __VA_ARGS__)                                                                \
    }

static const uint16_t check_table[8][256] = {
    TABLE(0x1189, 0x2312, 0x4624, 0x8c48, 0x1081, 0x2102, 0x4204, 0x8408),
    TABLE(0x19d8, 0x33b0, 0x6760, 0xcec0, 0x9591, 0x2333, 0x4666, 0x8ccc),
    TABLE(0x5adc, 0xb5b8, 0x6361, 0xc6c2, 0x8595, 0x033b, 0x0676, 0x0cec),
    TABLE(0x1cbb, 0x3976, 0x72ec, 0xe5d8, 0xc3a1, 0x8f53, 0x16b7, 0x2d6e),
    TABLE(0x0b44, 0x1688, 0x2d10, 0x5a20, 0xb440, 0x6091, 0xc122, 0x8a55),
    TABLE(0x042b, 0x0856, 0x10ac, 0x2158, 0x42b0, 0x8560, 0x02d1, 0x05a2),
    TABLE(0x9fd5, 0x37bb, 0x6f76, 0xdeec, 0xb5c9, 0x6383, 0xc706, 0x861d),
    TABLE(0x81bf, 0x0b6f, 0x16de, 0x2dbc, 0x5b78, 0xb6f0, 0x65f1, 0xcbe2),
};

uint16_t line_check(uint16_t check, const char *text, size_t size)
{
    const uint8_t *at = (const uint8_t *)text;

    for (; size >= 8; size -= 8, at += 8) {
        check =
            (uint16_t)(check_table[7][at[0] ^ (check & 0xff)] ^ check_table[6][at[1] ^ check >> 8] ^
                       check_table[5][at[2]] ^ check_table[4][at[3]] ^ check_table[3][at[4]] ^
                       check_table[2][at[5]] ^ check_table[1][at[6]] ^ check_table[0][at[7]]);
    }
    for (; size > 0; size--, at++) {
        check = (uint16_t)(check >> 8 ^ check_table[0][(check ^ *at) & 0xff]);
    }
    return check;
}

char *line_put(char *at, const char *text)
{
    return stpcpy(at, text);
}

/* Most numbers of a record are slots; times have nine or ten digits: two digits a division. */
char *line_put_int(char *at, int64_t value)
{
    char digits[20];
    char *first = digits + sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (value < 0) {
        *at++ = '-';
    }
    for (; left >= 100; left /= 100) {
        unsigned two = (unsigned)(left % 100);

        *--first = (char)('0' + two % 10);
        *--first = (char)('0' + two / 10);
    }
    if (left >= 10) {
        *at++ = (char)('0' + left / 10);
    }
    *at++ = (char)('0' + left % 10);
    while (first < digits + sizeof digits) {
        *at++ = *first++;
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
        slot -= slot >= BG_FAR ? 2 : 0; /* on the long board, points 25..36 follow bar and hand */
        if (slot >= 10) {
            *at++ = (char)('0' + slot / 10);
        }
        *at++ = (char)('0' + slot % 10);
        return at;
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
        if (++digits > 18) { /* 18 nines fit; a record has no larger numbers */
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
    /* A space at the end of the line would allow a second spelling. */
    if (at == scan->at || at + 1 == scan->end) {
        return false;
    }
    *word = scan->at;
    *size = (size_t)(at - scan->at);
    scan->at = at < scan->end ? at + 1 : at;
    return true;
}
