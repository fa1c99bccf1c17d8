#include "record_peek.h"

#include <string.h>

#include "record_line.h"

static const char *line_end(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (size_t)(end - at));

    return feed == NULL ? end : feed;
}

static bool begins(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

const char *peek_value(size_t *size, const char *text, size_t text_size, const char *key)
{
    const char *end = text + text_size;

    for (const char *at = text; at < end && !begins(at, end, "steps ");) {
        const char *stop = line_end(at, end);
        size_t length = strlen(key);

        if (begins(at, stop, key) && at + length < stop && at[length] == ' ' &&
            stop - at >= (ptrdiff_t)(length + 1 + LINE_CHECK_TEXT)) {
            *size = (size_t)(stop - at) - length - 1 - LINE_CHECK_TEXT;
            return at + length + 1;
        }
        at = stop < end ? stop + 1 : end;
    }
    *size = 0;
    return NULL;
}

/* Reads " @123" at the end of a step, before its check. */
static bool time_of(int64_t *out, const char *at, const char *stop)
{
    const char *digit = stop - LINE_CHECK_TEXT;
    int64_t value = 0, place = 1;

    while (digit > at && digit[-1] >= '0' && digit[-1] <= '9' && place <= INT64_MAX / 100) {
        value += (*--digit - '0') * place;
        place *= 10;
    }
    *out = value;
    return place > 1 && digit - at > 2 && digit[-1] == '@' && digit[-2] == ' ';
}

void peek_times(const char *text, size_t size, void (*fn)(void *user, int seat, int64_t spent_ns),
                void *user)
{
    const char *end = text + size;

    for (const char *at = text; at < end;) {
        const char *stop = line_end(at, end);
        int64_t spent_ns;

        if (stop - at > LINE_CHECK_TEXT && (at[0] == '0' || at[0] == '1') && at[1] == ' ' &&
            time_of(&spent_ns, at, stop)) {
            fn(user, at[0] - '0', spent_ns);
        }
        at = stop < end ? stop + 1 : end;
    }
}

void peek_rolls(const char *text, size_t size, void (*fn)(void *user, int die, int other),
                void *user)
{
    const char *end = text + size;

    for (const char *at = text; at < end;) {
        const char *stop = line_end(at, end);

        if (stop - at > 9 && (at[0] == '0' || at[0] == '1') && begins(at + 1, stop, " roll ") &&
            at[9] == ' ') {
            fn(user, at[7] - '0', at[8] - '0');
        }
        at = stop < end ? stop + 1 : end;
    }
}

int peek_starter(const char *text, size_t size)
{
    const char *end = text + size;
    bool opened = false;

    for (const char *at = text; at < end;) {
        const char *stop = line_end(at, end);

        if (begins(at, stop, "open ")) {
            opened = true;
        } else if (opened) { /* after a tie there is another opening roll */
            return stop - at > 2 && (at[0] == '0' || at[0] == '1') && at[1] == ' ' ? at[0] - '0'
                                                                                   : -1;
        }
        at = stop < end ? stop + 1 : end;
    }
    return -1;
}
