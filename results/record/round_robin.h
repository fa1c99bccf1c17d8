/* round_robin.h - the number of games when every bot meets every other equally often.
 *
 * A pairing is two bots. It has as many pairs as the event's setting; a pair has two legs, or one
 * with plain dice. A leg is a match, or one money game. season/circle.h decides when
 * each leg is played.
 */
#ifndef RESULTS_RECORD_ROUND_ROBIN_H
#define RESULTS_RECORD_ROUND_ROBIN_H

#include <stdbool.h>
#include <stdint.h>

/* Legs per pair. */
static inline int round_robin_legs(bool duplicate)
{
    return duplicate ? 2 : 1;
}

static inline uint64_t round_robin_pairings(uint64_t bots)
{
    return bots < 2 ? 0 : bots * (bots - 1) / 2;
}

/* Legs of each pairing, of one bot against all others, and of the whole event. */
static inline uint64_t round_robin_of_pairing(uint64_t pairs, bool duplicate)
{
    return pairs * (uint64_t)round_robin_legs(duplicate);
}

static inline uint64_t round_robin_of_bot(uint64_t bots, uint64_t legs_of_pairing)
{
    return bots < 2 ? 0 : legs_of_pairing * (bots - 1);
}

static inline uint64_t round_robin_fixtures(uint64_t bots, uint64_t pairs, bool duplicate)
{
    return round_robin_pairings(bots) * round_robin_of_pairing(pairs, duplicate);
}

#endif
