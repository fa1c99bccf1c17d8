#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rules/clean.h"

/* ---------------------------------------------------------------- text */

/* Copies checked text into out[0..size-1]. Text with a zero byte inside ends there. */
enum bg_status unpack_text(char *out, size_t size, const char *text, const char *what,
                           struct bg_error *err)
{
    const size_t whole = strlen(text);
    size_t at = 0;

    while (at < whole) {
        uint32_t character;
        size_t length = clean_character(&character, text + at, whole - at);

        if (length == 0) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is not UTF-8", what, at);
        }
        if (character < 0x20 || (character >= 0x7f && character < 0xa0)) { /* C0, DEL, C1 */
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
        if (strlen(list[i]) >= size - at) {
            return bg_error_set(err, BG_E_FORMAT,
                                "%s: entry %zu has no room; all together may have %zu bytes", what,
                                i, size - 1);
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
