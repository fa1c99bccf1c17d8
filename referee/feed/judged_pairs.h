/* judged_pairs.h - the pairs of a duel with the judgements of their games: which of them are over
 * and judged, and how much luck was in them.
 *
 * Games and judgements come in any order; a game that is judged twice counts once. A pair is handed
 * out once, when both legs are over and every game of them is judged, or when a leg is never
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

/* A leg is over, or is never played and therefore open. *whole: its pair is complete and judged,
 * and is *out, with the luck of its legs. Each leg once. BG_E_MEMORY. */
enum bg_status judged_pairs_leg(struct pairs_cluster *out, bool *whole, struct judged_pairs *pairs,
                                const struct fixture *fixture, const struct pair_leg *leg,
                                struct bg_error *err);

/* Game number `game` of the fixture is judged: luck of A minus luck of B. *whole as above. */
enum bg_status judged_pairs_luck(struct pairs_cluster *out, bool *whole, struct judged_pairs *pairs,
                                 const struct fixture *fixture, int game, double luck,
                                 struct bg_error *err);

#endif
