/* pairs.h - puts legs together to clusters for the statistics: two legs of a duplicate pair, or
 * a single leg with plain dice. */
#ifndef REFEREE_FEED_PAIRS_H
#define REFEREE_FEED_PAIRS_H

#include <bgref/error.h>

#include "fixtures/fixture.h"
#include "store/pair.h"

struct pairs_cluster {
    struct fixture fixture; /* leg is 0 */
    struct pair pair;
    double luck; /* A's minus B's over its legs, from judged_pairs.h; else 0 */
    int legs;    /* 2 duplicate pair, 1 plain */
};

/* Pairs with one leg over. */
struct pairs {
    struct pairs_cluster *open; /* owned */
    int count;
    size_t room;
    int legs; /* of every pair */
};

void pairs_init(struct pairs *pairs, int legs);
void pairs_deinit(struct pairs *pairs); /* also of a zeroed one */

/* Notes that a leg is over, or is never played and therefore open. Call once for each leg. Returns
 * whether it completes its pair, which is then in *out. */
bool pairs_put(struct pairs_cluster *out, struct pairs *pairs, const struct fixture *fixture,
               const struct pair_leg *leg);

/* No leg of the fixture's pair is over any more. */
void pairs_forget(struct pairs *pairs, const struct fixture *fixture);

/* Returns whether a leg of a complete cluster is never played; then the cluster does not count. */
bool pairs_is_broken(const struct pairs_cluster *cluster);

#endif
