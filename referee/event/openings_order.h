/* openings_order.h - the starting position of each pair, if the event has a file of positions.
 *
 * Pair k begins from number (start + k) modulo the count, in the order of the file, or in an order
 * that follows from the event's key: positions sorted by BLAKE2b-256(key, "bgref-openings-1|I") of
 * their index I in the file, from 0. So the order is the same in every run, and anyone who has the
 * published key can compute it.
 */
#ifndef REFEREE_EVENT_OPENINGS_ORDER_H
#define REFEREE_EVENT_OPENINGS_ORDER_H

#include <bgref/dice.h>

#include "../config/openings.h"

struct openings_order {
    const struct openings *openings; /* lent; NULL: games begin from the set-up */
    uint64_t first;
    uint32_t *place; /* owned; NULL: the file's order */
};

/* event is lent, with its openings read. */
void openings_order_init(struct openings_order *out, const struct config_event *event,
                         const struct bg_dice_key *key);
void openings_order_deinit(struct openings_order *order); /* also of a zeroed one */

/* Returns the starting position of a pair's legs, lent; NULL: the usual set-up. */
const struct bg_start *openings_order_of_pair(const struct openings_order *order, uint64_t pair);

#endif
