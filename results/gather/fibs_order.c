#include "fibs_order.h"

#include <stdlib.h>

enum bg_status fibs_order_add(struct fibs_order *order, const struct fibs_order_match *match,
                              struct bg_error *err)
{
    if (order->count == order->room) {
        size_t room = order->room == 0 ? 256 : 2 * order->room;
        struct fibs_order_match *more = realloc(order->match, room * sizeof *more);

        if (more == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "order of %zu matches", order->count);
        }
        order->match = more;
        order->room = room;
    }
    order->match[order->count++] = *match;
    return BG_OK;
}

static int compare(const void *x, const void *y)
{
    const struct fibs_order_match *one = x, *two = y;

    if (one->pair != two->pair) {
        return one->pair < two->pair ? -1 : 1;
    }
    if (one->a != two->a) {
        return one->a < two->a ? -1 : 1;
    }
    if (one->b != two->b) {
        return one->b < two->b ? -1 : 1;
    }
    return (one->leg > two->leg) - (one->leg < two->leg);
}

void fibs_order_rate(struct fibs_player *player, struct fibs_order *order)
{
    static const struct fibs_options options = FIBS_OPTIONS_INIT;

    if (order->count > 0) {
        qsort(order->match, order->count, sizeof *order->match, compare);
    }
    for (size_t k = 0; k < order->count; k++) {
        const struct fibs_order_match *m = &order->match[k];

        fibs_match(&player[m->winner], &player[m->loser], m->length_points, &options);
    }
}

void fibs_order_deinit(struct fibs_order *order)
{
    free(order->match);
    *order = (struct fibs_order){0};
}
