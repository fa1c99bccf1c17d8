/* flood.h - counts what a bot says that answers nothing: so much a second is too much. Pure. */
#ifndef REFEREE_SEAT_FLOOD_H
#define REFEREE_SEAT_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOD_MESSAGES = 1000, FLOOD_BYTES = 1 << 20 }; /* in a second; told in the Welcome */

/* Starts as {0}. */
struct flood {
    int64_t second_ns; /* when the second began */
    int messages;
    size_t bytes;
};

/* Counts a message; true when it is one too many. */
bool flood_count(struct flood *flood, size_t bytes, int64_t now_ns);

#endif
