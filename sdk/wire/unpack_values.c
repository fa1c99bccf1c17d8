/* What comes from the wire is checked here once, so that every other part may rely on it: texts
 * are UTF-8 without control characters and end within their array, numbers are within what the
 * receiver can hold. */
#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rules/clean.h"

/* ---------------------------------------------------------------- text */

/* Returns whether every byte is a visible ASCII character or a space, eight at a time. Nearly all
 * texts are. */
static bool is_plain_ascii(const uint8_t *text, size_t length)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t wrong = 0;
    size_t at = 0;

    for (; length - at >= sizeof wrong; at += sizeof wrong) {
        uint64_t eight;

        memcpy(&eight, text + at, sizeof eight);
        /* A carry or borrow from a neighbour can only come from a byte that is wrong itself, so
         * the answer is right although the bytes are not separate. */
        wrong |= eight | (eight - 0x20 * ones) | (eight + ones); /* above 0x7f, below ' ', DEL */
    }
    for (; at < length; at++) {
        wrong |= text[at] < 0x20 || text[at] > 0x7e ? high : 0;
    }
    return (wrong & high) == 0;
}

enum bg_status unpack_text_lent(char *out, size_t size, const uint8_t *text, size_t length,
                                const char *what, struct bg_error *err)
{
    size_t at = 0;

    if (length < size && is_plain_ascii(text, length)) {
        at = length;
    }
    while (at < length) {
        uint32_t character;
        size_t bytes = clean_character(&character, (const char *)text + at, length - at);

        if (bytes == 0) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is not UTF-8", what, at);
        }
        if (character < 0x20 || (character >= 0x7f && character < 0xa0)) { /* C0, DEL, C1 */
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is a control character", what, at);
        }
        if (at + bytes >= size) {
            return bg_error_set(err, BG_E_FORMAT, "%s: longer than %zu bytes", what, size - 1);
        }
        at += bytes;
    }
    if (length > 0) {
        memcpy(out, text, length);
    }
    out[length] = '\0';
    return BG_OK;
}

/* A zero byte inside the text ends it. */
enum bg_status unpack_text(char *out, size_t size, const char *text, const char *what,
                           struct bg_error *err)
{
    return unpack_text_lent(out, size, (const uint8_t *)text, strlen(text), what, err);
}

/* Joins a list into out, with separators. Refuses an entry that contains the separator. */
enum bg_status unpack_list(char *out, size_t size, char *const *list, size_t count, char separator,
                           const char *what, struct bg_error *err)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        enum bg_status status;

        if (at > 0) {
            out[at++] = separator;
        }
        if (strlen(list[i]) >= size - at) {
            return bg_error_set(err, BG_E_FORMAT,
                                "%s: entry %zu has no room; all together may have %zu bytes", what,
                                i, size - 1);
        }
        status = unpack_text(out + at, size - at, list[i], what, err);
        if (status != BG_OK) {
            return status;
        }
        /* Joined and split again, the list has to be the same one. */
        if (strchr(out + at, separator) != NULL || out[at] == '\0') {
            return bg_error_set(err, BG_E_FORMAT, "%s: entry %zu is empty or has '%c'", what, i,
                                separator);
        }
        at += strlen(out + at);
        if (at + 1 >= size && i + 1 < count) {
            return bg_error_set(err, BG_E_FORMAT,
                                "%s: entry %zu has no room; all together may have %zu bytes", what,
                                i + 1, size - 1);
        }
    }
    return BG_OK;
}

/* ---------------------------------------------------------------- numbers */

enum bg_status unpack_ranges(const struct unpack_range *ranges, size_t count, struct bg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].value > ranges[i].max) {
            return bg_error_set(err, BG_E_FORMAT, "%s: %" PRIu64 " is above %" PRIu64,
                                ranges[i].what, ranges[i].value, ranges[i].max);
        }
    }
    return BG_OK;
}
