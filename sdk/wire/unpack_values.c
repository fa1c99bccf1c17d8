#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- text */

/* Length of the well-formed UTF-8 character at text (Unicode table 3-7), 0 when there is none. */
static size_t character_length(const uint8_t *text)
{
    uint8_t low = 0x80, high = 0xbf;
    size_t length;

    if (text[0] < 0x80) {
        return 1;
    }
    if (text[0] >= 0xc2 && text[0] <= 0xdf) {
        length = 2;
    } else if (text[0] >= 0xe0 && text[0] <= 0xef) {
        length = 3;
        low = text[0] == 0xe0 ? 0xa0 : low;   /* overlong */
        high = text[0] == 0xed ? 0x9f : high; /* surrogates */
    } else if (text[0] >= 0xf0 && text[0] <= 0xf4) {
        length = 4;
        low = text[0] == 0xf0 ? 0x90 : low;
        high = text[0] == 0xf4 ? 0x8f : high; /* past U+10FFFF */
    } else {
        return 0;
    }
    if (text[1] < low || text[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf) {
            return 0;
        }
    }
    return length;
}

/* True for C0 controls, DEL and C1 controls: what could steer a terminal. */
static bool is_control(const uint8_t *text)
{
    return text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0);
}

/* Copies checked text into out[0..size-1]. Text with a zero byte inside ends there. */
enum bg_status unpack_text(char *out, size_t size, const char *text, const char *what,
                           struct bg_error *err)
{
    const uint8_t *in = (const uint8_t *)text;
    size_t at = 0;

    while (in[at] != 0) {
        size_t length = character_length(in + at);

        if (length == 0) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is not UTF-8", what, at);
        }
        if (is_control(in + at)) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is a control character", what, at);
        }
        if (at + length >= size) {
            return bg_error_set(err, BG_E_FORMAT, "%s: longer than %zu bytes", what, size - 1);
        }
        at += length;
    }
    memcpy(out, text, at);
    out[at] = '\0';
    return BG_OK;
}

/* Joins a list into out, separated; a separator inside an entry would change the list. */
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
        status = unpack_text(out + at, size - at, list[i], what, err);
        if (status != BG_OK) {
            return status;
        }
        if (strchr(out + at, separator) != NULL || out[at] == '\0') {
            return bg_error_set(err, BG_E_FORMAT, "%s: entry %zu is empty or has '%c'", what, i,
                                separator);
        }
        at += strlen(out + at);
        if (at + 1 >= size && i + 1 < count) {
            return bg_error_set(err, BG_E_FORMAT, "%s: longer than %zu bytes", what, size - 1);
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
