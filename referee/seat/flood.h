/* flood.h - counts a bot's messages that answer nothing, with a limit for each second. Pure.
 *
 * While the referee is held up (loop_stalled), messages pile up in front of it and are then read at
 * once: that time counts as seconds in which they may have been sent, up to FLOOD_STALL_NS.
 */
#ifndef REFEREE_SEAT_FLOOD_H
#define REFEREE_SEAT_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOD_MESSAGES = 1000, FLOOD_BYTES = 1 << 20 }; /* in a second; the Welcome names them */

/* At most this much of a stall. */
#define FLOOD_STALL_NS INT64_C(10000000000)

/* Starts as {0}. */
struct flood {
    int64_t second_ns;  /* when the second began */
    int64_t stalled_ns; /* the sum of all stalls, at the last message before it */
    int64_t seen_ns;    /* the same, at the last message */
    int messages;
    size_t bytes;
};

/* Counts a message; returns true if it is over the limit. stalled_ns: how long the referee was held
 * up in total until now. */
bool flood_count(struct flood *flood, size_t bytes, int64_t now_ns, int64_t stalled_ns);

#endif
