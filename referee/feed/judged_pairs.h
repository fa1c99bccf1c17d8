/* judged_pairs.h - a duel's pairs with their games' judgements: which pairs are over and judged,
 * and their luck.
 *
 * Games and judgements come in any order; a game that is judged twice counts once. A pair is
 * returned once: when both legs are over and all their games are judged, or when a leg is never
 * played.
 */
#ifndef REFEREE_FEED_JUDGED_PAIRS_H
#define REFEREE_FEED_JUDGED_PAIRS_H

#include <stddef.h>

#include <bgref/error.h>

#include "pairs.h"

struct judged_leg;

struct judged_pairs {
    struct judged_leg *leg; /* owned; by pair and leg */
    size_t room;            /* pairs */
    int legs;               /* of every pair */
    uint64_t judged;        /* legs that are over and judged, or are never played */
};

void judged_pairs_init(struct judged_pairs *pairs, int legs);
void judged_pairs_deinit(struct judged_pairs *pairs); /* also of a zeroed one */

/* Notes that a leg is over, or is never played and therefore open. Call once for each leg. Returns
 * whether its pair is complete and judged, and is in *out with its legs' luck. */
bool judged_pairs_leg(struct pairs_cluster *out, struct judged_pairs *pairs,
                      const struct fixture *fixture, const struct pair_leg *leg);

/* Notes that game number `game` of the fixture is judged: A's luck minus B's luck. Returns
 * the same. */
bool judged_pairs_luck(struct pairs_cluster *out, struct judged_pairs *pairs,
                       const struct fixture *fixture, int game, double luck);

#endif
