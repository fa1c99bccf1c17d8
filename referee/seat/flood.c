/* Counts from the first message of a second on, not in a sliding window, which would have to
 * keep the time of every message. A burst over the border of two seconds so gets at most twice
 * the limit. The counts are multiplied rather than the limits divided, so that nothing is
 * rounded. */
#include "flood.h"

#define SECOND_NS INT64_C(1000000000)
#define MS_NS     INT64_C(1000000)

bool flood_count(struct flood *flood, size_t bytes, int64_t now_ns, int64_t stalled_ns)
{
    int64_t piled_ns, allowed_ms;

    if (now_ns - flood->second_ns >= SECOND_NS) {
        *flood = (struct flood){.second_ns = now_ns, .stalled_ns = flood->seen_ns};
    }
    flood->seen_ns = stalled_ns;
    flood->messages++;
    flood->bytes += bytes;
    piled_ns = stalled_ns - flood->stalled_ns;
    allowed_ms = (SECOND_NS + (piled_ns < FLOOD_STALL_NS ? piled_ns : FLOOD_STALL_NS)) / MS_NS;
    return flood->messages * INT64_C(1000) > FLOOD_MESSAGES * allowed_ms ||
           (int64_t)flood->bytes * 1000 > FLOOD_BYTES * allowed_ms;
}
