/* flood.h - counts a bot's messages that answer nothing, with a limit for each second. Pure. */
#ifndef REFEREE_SEAT_FLOOD_H
#define REFEREE_SEAT_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOD_MESSAGES = 1000, FLOOD_BYTES = 1 << 20 }; /* in a second; the Welcome names them */

/* Starts as {0}. */
struct flood {
    int64_t second_ns; /* when the second began */
    int messages;
    size_t bytes;
};

/* Counts a message; returns true if it is over the limit. */
bool flood_count(struct flood *flood, size_t bytes, int64_t now_ns);

#endif
