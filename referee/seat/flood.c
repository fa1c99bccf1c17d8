#include "flood.h"

#define SECOND_NS INT64_C(1000000000)

bool flood_count(struct flood *flood, size_t bytes, int64_t now_ns)
{
    if (now_ns - flood->second_ns >= SECOND_NS) {
        *flood = (struct flood){.second_ns = now_ns};
    }
    flood->messages++;
    flood->bytes += bytes;
    return flood->messages > FLOOD_MESSAGES || flood->bytes > FLOOD_BYTES;
}
