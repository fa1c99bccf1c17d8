/* chance.h - random numbers that a seed repeats (SplitMix64; Steele, Lea and Flood, 2014). */
#ifndef BOTS_TD_CHANCE_H
#define BOTS_TD_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state;
};

static inline void chance_begin(struct chance *chance, uint64_t seed)
{
    chance->state = seed;
}

static inline uint64_t chance_bits(struct chance *chance)
{
    uint64_t x = chance->state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 to below 1 */
static inline double chance_real(struct chance *chance)
{
    return (double)(chance_bits(chance) >> 11) / 9007199254740992.0;
}

/* 0 to below most */
static inline int chance_below(struct chance *chance, int most)
{
    return (int)(chance_real(chance) * most);
}

#endif
