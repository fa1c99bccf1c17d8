/* Suggests a name only where a person would: a third of the letters may be wrong, a swap of
 * neighbours counts once, and '_' is '-'. Too ready a suggestion is worse than none, because it
 * is taken. */
#include "closest.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

/* Edit distance that also counts swaps of neighbours; needs only three rows. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    int width = (int)strlen(b);

    for (int j = 0; j <= width; j++) {
        last[j] = j;
    }
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int *spare = before;

        now[0] = i;
        for (int j = 1; j <= width; j++) {
            int same = lower(a[i - 1]) == lower(b[j - 1]);

            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        before = last;
        last = now;
        now = spare;
    }
    return last[width];
}

const char *closest_name(const char *text, const char *const *names, int count)
{
    size_t length = strlen(text);
    const char *best = NULL;
    int best_distance = 0;

    /* The rows have a fixed size: the text may be anything from a command line. */
    if (length == 0 || length > LONGEST) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        int apart, near;

        if (strlen(names[i]) > LONGEST) {
            continue;
        }
        apart = distance(text, names[i]);
        near = 1 + (int)length / 3;
        /* A prefix of a name is near, however short. */
        if (length >= 3 && strncmp(text, names[i], length) == 0) {
            apart = least(apart, near);
        }
        if (apart <= near && apart < (int)strlen(names[i]) &&
            (best == NULL || apart < best_distance)) {
            best = names[i];
            best_distance = apart;
        }
    }
    return best;
}

struct closest_text closest_hint(const char *near)
{
    struct closest_text hint = {""};

    if (near != NULL) {
        snprintf(hint.text, sizeof hint.text, " (perhaps %s?)", near);
    }
    return hint;
}

struct closest_text closest_perhaps(const char *text, const char *const *names, int count)
{
    return closest_hint(closest_name(text, names, count));
}
