/* replacements.h - a key that two programs use at the same time: each takes the other's place.
 *
 * Without an end they would do so for ever, and lose games by it. After REPLACEMENTS_MOST times
 * within REPLACEMENTS_WITHIN_NS both are dropped, and the key has to wait REPLACEMENTS_WAIT_NS.
 * Pure: time is an argument.
 */
#ifndef HOST_DOOR_REPLACEMENTS_H
#define HOST_DOOR_REPLACEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#define REPLACEMENTS_WITHIN_NS INT64_C(60000000000)
#define REPLACEMENTS_WAIT_NS   INT64_C(300000000000)

enum { REPLACEMENTS_MOST = 3, REPLACEMENTS_PLACES = 8 /* as many connections as a bot may have */ };

/* Of one key. Starts as {0}. */
struct replacements {
    struct {
        int64_t at_ns[REPLACEMENTS_MOST]; /* the latest ones, in turn */
        uint64_t count;
    } places[REPLACEMENTS_PLACES];
    int64_t until_ns; /* the key waits until then */
};

/* A connection of another program has taken this place. Returns true if the key has to wait from
 * now on. Each place is counted for itself: a bot that joins several times at once and is started
 * again replaces all of them at the same time. */
bool replacements_note(struct replacements *of, int place, int64_t now_ns);

/* Returns how long the key has to wait; 0: it may come. */
int64_t replacements_wait_ns(const struct replacements *of, int64_t now_ns);

#endif
