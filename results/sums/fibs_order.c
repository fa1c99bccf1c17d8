/* FIBS ratings depend on the order of the matches, so they are rated by the schedule and not as
 * they came in: hosts that play in parallel finish in another order every time. */
#include "fibs_order.h"

#include <stdlib.h>

#include <base/memory.h>

void fibs_order_add(struct fibs_order *order, const struct fibs_order_match *match)
{
    order->match = memory_list(order->match, &order->room, order->count + 1, sizeof *order->match);
    order->match[order->count++] = *match;
}

static int compare_matches(const void *x, const void *y)
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

/* Matches of two bots that were added in order. */
struct fibs_order_stretch {
    const struct fibs_order_match *match;
    size_t count;
};

static int compare_bots(const void *x, const void *y)
{
    const struct fibs_order_match *one = ((const struct fibs_order_stretch *)x)->match;
    const struct fibs_order_match *two = ((const struct fibs_order_stretch *)y)->match;

    return one->a != two->a ? (one->a > two->a) - (one->a < two->a)
                            : (one->b > two->b) - (one->b < two->b);
}

/* Finds the stretches, ordered by their bots. Returns how many; 0: there are too many, or two of
 * the same bots, or pairs far apart. *pairs: one more than the largest pair. */
static size_t find_stretches(struct fibs_order_stretch **out, uint64_t *pairs,
                             const struct fibs_order *order)
{
    size_t count = 0, room = order->count / 8;

    *pairs = 0;
    *out = memory_zeroed(room, sizeof **out);
    for (size_t k = 0; k < order->count; k++) {
        const struct fibs_order_match *m = &order->match[k];
        bool same = k > 0 && m->a == m[-1].a && m->b == m[-1].b && compare_matches(m - 1, m) < 0;

        /* Numbers far apart would need more counters than there are matches. */
        if ((!same && count == room) || m->pair / 2 >= order->count) {
            return 0;
        }
        if (!same) {
            (*out)[count++].match = m;
        }
        (*out)[count - 1].count++;
        *pairs = m->pair >= *pairs ? m->pair + 1 : *pairs;
    }
    if (count > 0) {
        qsort(*out, count, sizeof **out, compare_bots);
    }
    for (size_t i = 1; i < count; i++) {
        if (compare_bots(&(*out)[i - 1], &(*out)[i]) == 0) {
            return 0;
        }
    }
    return count;
}

/* The matches in schedule order, by counting the matches of each pair: a report of millions, which
 * come by bots, needs no comparisons. NULL: that is impossible. The caller frees it. */
static const struct fibs_order_match **count_out(const struct fibs_order *order)
{
    struct fibs_order_stretch *stretch = NULL;
    uint64_t pairs;
    size_t count = find_stretches(&stretch, &pairs, order), *first;
    const struct fibs_order_match **out;

    if (count == 0) {
        free(stretch);
        return NULL;
    }
    first = memory_zeroed((size_t)pairs + 1, sizeof *first);
    out = memory_zeroed(order->count, sizeof *out);
    for (size_t k = 0; k < order->count; k++) {
        first[order->match[k].pair + 1]++;
    }
    for (uint64_t pair = 0; pair < pairs; pair++) {
        first[pair + 1] += first[pair];
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < stretch[i].count; k++) {
            out[first[stretch[i].match[k].pair]++] = &stretch[i].match[k];
        }
    }
    free(stretch);
    free(first);
    return out;
}

void fibs_order_rate(struct fibs_player *player, struct fibs_order *order)
{
    static const struct fibs_options options = FIBS_OPTIONS_INIT;
    const struct fibs_order_match **counted = count_out(order);

    if (counted == NULL && order->count > 0) {
        qsort(order->match, order->count, sizeof *order->match, compare_matches);
    }
    for (size_t k = 0; k < order->count; k++) {
        const struct fibs_order_match *m = counted == NULL ? &order->match[k] : counted[k];

        fibs_match(&player[m->a_won ? m->a : m->b], &player[m->a_won ? m->b : m->a],
                   m->length_points, &options);
    }
    free((void *)counted);
}

void fibs_order_deinit(struct fibs_order *order)
{
    free(order->match);
    *order = (struct fibs_order){0};
}
