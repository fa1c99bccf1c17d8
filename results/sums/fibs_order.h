/* fibs_order.h - incremental ratings in the order of the schedule: by pair, bots, leg. The order in
 * which games end depends on the concurrency; these ratings do not.
 */
#ifndef RESULTS_SUMS_FIBS_ORDER_H
#define RESULTS_SUMS_FIBS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <numbers/rating.h>

/* Small, because there may be millions. */
struct fibs_order_match {
    uint64_t pair;
    int a, b; /* indices in the event's order */
    int length_points;
    int8_t leg;
    bool a_won;
};

struct fibs_order {
    struct fibs_order_match *match; /* owned */
    size_t count, room;
};

void fibs_order_add(struct fibs_order *order, const struct fibs_order_match *match);

/* Rates all matches in schedule order; player[] by index, initialised as new players. */
void fibs_order_rate(struct fibs_player *player, struct fibs_order *order);
void fibs_order_deinit(struct fibs_order *order);

#endif
