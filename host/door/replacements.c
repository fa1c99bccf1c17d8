/* The times of the last replacements, in a ring for each place of a joiner. Only when the oldest
 * of REPLACEMENTS_MOST lies within the window is it two programs: a single author on a bad line
 * replaces its own connection now and then, too. */
#include "replacements.h"

#include <assert.h>

bool replacements_note(struct replacements *of, int place, int64_t now_ns)
{
    int64_t *at_ns;
    int next;
    bool is_full;

    assert(place >= 0 && place < REPLACEMENTS_PLACES);
    at_ns = of->places[place].at_ns;
    next = (int)(of->places[place].count++ % REPLACEMENTS_MOST);
    at_ns[next] = now_ns;
    /* All places begin anew: the wait is that of the key. */
    next = (next + 1) % REPLACEMENTS_MOST; /* the oldest one */
    is_full = of->places[place].count >= REPLACEMENTS_MOST &&
              now_ns - at_ns[next] <= REPLACEMENTS_WITHIN_NS;
    if (is_full) {
        *of = (struct replacements){.until_ns = now_ns + REPLACEMENTS_WAIT_NS};
    }
    return is_full;
}

int64_t replacements_wait_ns(const struct replacements *of, int64_t now_ns)
{
    return of->until_ns > now_ns ? of->until_ns - now_ns : 0;
}
