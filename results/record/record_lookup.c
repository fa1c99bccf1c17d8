/* Looks values up in the text without parsing the steps: lists and sums ask a few keys of every
 * game, and a parsed record is many times as large as what they need. */
#include "record_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "record_line.h"

static const char *line_end(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (size_t)(end - at));

    return feed == NULL ? end : feed;
}

void header_values(struct header_value *out, const char *const *keys, int count, const char *text,
                   size_t text_size)
{
    const char *end = text + text_size, *stop;
    int left = count;

    memset(out, 0, (size_t)count * sizeof *out);
    for (const char *at = text; at < end && left > 0; at = stop < end ? stop + 1 : end) {
        const char *space;
        size_t length;

        stop = line_end(at, end);
        space = memchr(at, ' ', (size_t)(stop - at));
        length = space == NULL ? 0 : (size_t)(space - at);
        /* Steps are foreign enough to begin like a key; the header ends before them. */
        if (text_begins(at, end, "steps ")) {
            break;
        }
        for (int i = 0; i < count && length > 0; i++) {
            if (out[i].at == NULL && strncmp(keys[i], at, length) == 0 && keys[i][length] == '\0' &&
                stop - space > LINE_CHECK_TEXT) {
                out[i].at = space + 1;
                out[i].size = (size_t)(stop - space) - 1 - LINE_CHECK_TEXT;
                left--;
            }
        }
    }
}

const char *header_lookup(size_t *size, const char *text, size_t text_size, const char *key)
{
    struct header_value value;

    header_values(&value, &key, 1, text, text_size);
    *size = value.size;
    return value.at;
}

/* Reads the number that ends at *stop, and moves *stop to its first digit. */
static bool number_before(int64_t *out, const char *at, const char **stop)
{
    const char *digit = *stop;
    int64_t value = 0, place = 1;

    /* A damaged line may have digits without end. */
    while (digit > at && digit[-1] >= '0' && digit[-1] <= '9' && place <= INT64_MAX / 100) {
        value += (*--digit - '0') * place;
        place *= 10;
    }
    *out = value;
    *stop = digit;
    return place > 1 && digit - at > 2;
}

/* Reads " @123" or " @123+45" at the end of a step, before its check. */
static bool time_of(int64_t *out, const char *at, const char *stop)
{
    const char *mark = stop - LINE_CHECK_TEXT;
    bool found = number_before(out, at, &mark);

    if (found && mark[-1] == '+') {
        mark--;
        found = number_before(out, at, &mark);
    }
    return found && mark[-1] == '@' && mark[-2] == ' ';
}

/* "0 roll 31" */
static bool is_roll(const char *at, const char *stop)
{
    return stop - at > 9 && memcmp(at + 1, " roll ", 6) == 0 && at[9] == ' ';
}

/* A roll of two dice without a time, every other line, is as long as all of them. */
static const char *roll_end(const char *at, const char *end)
{
    enum { ROLL = 9 + LINE_CHECK_TEXT };

    return end - at > ROLL && at[ROLL] == '\n' && is_roll(at, at + ROLL) && at[10] == '#'
               ? at + ROLL
               : NULL;
}

void record_lookup_steps(const char *text, size_t size, const struct record_lookup_steps *fns)
{
    const char *end = text + size, *stop;

    for (const char *at = text; at < end; at = stop < end ? stop + 1 : end) {
        bool has_seat = (at[0] == '0' || at[0] == '1') && end - at > 1 && at[1] == ' ';
        const char *roll = has_seat ? roll_end(at, end) : NULL;
        int64_t spent_ns;

        stop = roll != NULL ? roll : line_end(at, end);
        if (!has_seat) {
            continue;
        }
        if (fns->roll != NULL && (roll != NULL || is_roll(at, stop))) {
            fns->roll(fns->user, at[7] - '0', at[8] - '0');
        }
        if (fns->time != NULL && roll == NULL && stop - at > LINE_CHECK_TEXT &&
            time_of(&spent_ns, at, stop)) {
            fns->time(fns->user, at[0] - '0', spent_ns);
        }
    }
}

void record_lookup_chances(const char *text, size_t size,
                           void (*fn)(void *user, int seat, double win), void *user)
{
    const char *end = text + size, *stop;
    int seat = -1; /* of the line before */

    for (const char *at = text; at < end; at = stop < end ? stop + 1 : end) {
        stop = line_end(at, end);
        if (seat >= 0 && text_begins(at, stop, "thought win=")) {
            fn(user, seat, strtod(at + strlen("thought win="), NULL));
        }
        seat = stop - at > 1 && (at[0] == '0' || at[0] == '1') && at[1] == ' ' ? at[0] - '0' : -1;
    }
}

int record_lookup_starter(const char *text, size_t size)
{
    const char *end = text + size;
    bool opened = false;

    for (const char *at = text; at < end;) {
        const char *stop = line_end(at, end);

        if (text_begins(at, stop, "open ")) {
            opened = true;
        } else if (opened) { /* after a tie there is another opening roll */
            return stop - at > 2 && (at[0] == '0' || at[0] == '1') && at[1] == ' ' ? at[0] - '0'
                                                                                   : -1;
        }
        at = stop < end ? stop + 1 : end;
    }
    return -1;
}
