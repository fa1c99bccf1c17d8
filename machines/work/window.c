#include "window.h"

#include "work.h"

/* Older games than these count less: a bot may get slower while it plays. */
enum { PACE_UNITS = 1000 };

#define SECOND_NS 1e9

int window_items(uint64_t slots)
{
    const uint64_t most = 1 << 20;

    return slots > WINDOW_LEAST / 2 ? (int)(2 * (slots < most ? slots : most)) : WINDOW_LEAST;
}

void window_note(struct window_pace *pace, uint64_t units, int64_t busy_ns)
{
    uint64_t seen = pace->units + units;

    if (units > 0) {
        const double mean_ns = (double)busy_ns / (double)units;

        seen = seen > PACE_UNITS ? PACE_UNITS : seen;
        pace->unit_ns +=
            (mean_ns - pace->unit_ns) * (units < seen ? (double)units / (double)seen : 1);
        pace->units = seen;
    }
}

int window_units(const struct window_pace *pace, uint64_t left, uint64_t slots)
{
    double units = 1;

    if (pace->units > 0) {
        units = pace->unit_ns < 1 ? WORK_UNITS : WINDOW_ITEM_S * SECOND_NS / pace->unit_ns;
    }
    if (slots > 0 && units > (double)left / (double)(2 * slots)) {
        units = (double)left / (double)(2 * slots);
    }
    return units < 1 ? 1 : units > WORK_UNITS ? WORK_UNITS : (int)units;
}
