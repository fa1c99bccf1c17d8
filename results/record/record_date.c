/* The date is a line behind the record and outside of its hash: the same game, played again from
 * its seed, must have the same hash. Its own check binds it to this record. */
#include "record_date.h"

#include <string.h>

#include "record_line.h"
#include "base/utc.h"

#define WORD "at "

static uint16_t check_of(const char *hash, const char *line, size_t size)
{
    return line_check(line_check(LINE_CHECK_START, hash, RECORD_HASH - 1), line, size);
}

void record_date_write(char out[RECORD_DATE], const char *hash, int64_t at_s)
{
    char time[UTC_TEXT];
    char *at = out;

    utc_write(time, at_s);
    *at = '\0';
    if (time[0] != '\0') {
        at = line_put(line_put(at, WORD), time);
        at = line_put_check(at, check_of(hash, out, (size_t)(at - out)));
        line_put(at, "\n");
    }
}

/* Returns the beginning of the last line of text[0..size-1]. */
static size_t last_line(const char *text, size_t size)
{
    size_t at = size > 0 && text[size - 1] == '\n' ? size - 1 : size;

    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    return at;
}

/* Compares the line with the one that its time and its record give. */
static bool line_is_sound(const char *hash, const char *line, size_t size)
{
    char time[UTC_TEXT], right[RECORD_DATE];
    char *at = right;
    size_t word = strlen(WORD);

    if (size < word + UTC_TEXT) {
        return false;
    }
    memcpy(time, line + word, UTC_TEXT - 4);
    time[UTC_TEXT - 4] = '\0';
    at = line_put(line_put(at, WORD), time);
    at = line_put_check(at, check_of(hash, right, (size_t)(at - right)));
    at = line_put(at, "\n");
    /* Written again and compared, so that no second spelling of a line is accepted. */
    return utc_is_valid(time) && (size_t)(at - right) == size && memcmp(line, right, size) == 0;
}

size_t record_date_cut(const char *text, size_t size, bool *is_sound)
{
    size_t line = last_line(text, size), hash = last_line(text, line);

    *is_sound = true;
    if (line - hash != strlen("hash ") + RECORD_HASH || memcmp(text + hash, "hash ", 5) != 0) {
        return size; /* the last line is not behind a record */
    }
    *is_sound = line_is_sound(text + line - RECORD_HASH, text + line, size - line);
    return line;
}
