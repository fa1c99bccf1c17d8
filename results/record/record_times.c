#include "record_times.h"

#include <stdbool.h>
#include <string.h>

/* Reads " @1200450" before the check. Returns false if the step has no time. */
static bool time_of(int64_t *out, const char *line, size_t length)
{
    size_t at = length;

    while (at > 2 && line[at - 1] != '@') {
        at--;
    }
    if (at <= 2 || line[at - 2] != ' ') {
        return false;
    }
    *out = 0;
    for (; at < length && line[at] >= '0' && line[at] <= '9'; at++) {
        *out = *out * 10 + (line[at] - '0');
    }
    return true;
}

void move_times_of_record(struct move_times *out, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    bool steps = false;

    memset(out, 0, sizeof *out);
    while (at < end) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        size_t length = lf == NULL ? (size_t)(end - at) : (size_t)(lf - at);
        int64_t spent_ns;

        if (length > 5 && memcmp(at, "steps", 5) == 0) {
            steps = true;
        } else if (steps && length > 2 && (at[0] == '0' || at[0] == '1') && at[1] == ' ' &&
                   time_of(&spent_ns, at, length)) {
            out->spent_ns[at[0] - '0'] += spent_ns;
            out->decisions[at[0] - '0']++;
        }
        at += length + 1;
    }
}
