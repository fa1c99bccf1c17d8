/* window.h - how much work waits in the queue, and how large an item is. Pure.
 *
 * Never the whole schedule: 64 items, or twice the slots of all workers. An item is as many pairs
 * of one pairing as take about a minute at a table, by what its games took so far.
 */
#ifndef MACHINES_WORK_WINDOW_H
#define MACHINES_WORK_WINDOW_H

#include <stdint.h>

enum { WINDOW_LEAST = 64, WINDOW_ITEM_S = 60 };

/* How many items may be out: waiting or being played. slots: of all workers seen. */
int window_items(uint64_t slots);

/* How long units of a pairing take, as far as known: a mean that follows changes. */
struct window_pace {
    uint64_t units; /* seen, most 1,000: older ones count less */
    double unit_ns;
};

void window_note(struct window_pace *pace, uint64_t units, int64_t busy_ns);
/* How many units an item gets, 1 to WORK_UNITS; left: units that are left of the pairing, so that
 * the last ones go to all slots. */
int window_units(const struct window_pace *pace, uint64_t left, uint64_t slots);

#endif
