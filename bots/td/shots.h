/* shots.h - which throws land on lone checkers, and how many a checker can play in full. */
#ifndef BOTS_TD_SHOTS_H
#define BOTS_TD_SHOTS_H

#include <bgref/board.h>

#include <stdint.h>

/* A side seen by the other one, which is about to throw: bit s is the thrower's slot s. */
struct sight {
    uint32_t men;     /* the thrower's, without the bar */
    int bar;          /* the thrower's */
    uint32_t blots;   /* of the side that is seen */
    uint32_t blocked; /* points of that side */
};

/* Sets out to the share of throws that land on a blot; the mean of the pips that the costliest hit
 * loses, by 12; the share that can land on one of two blots. */
void shots_count(float out[3], const struct sight *sight);

enum { SHOTS_AHEAD = 12 /* points that a throw without a double can reach */ };

/* Share of throws that one checker can play in full, by the closed points of the 12 before it: bit
 * k is the point at distance 12 - k. */
extern float shots_way[1 << SHOTS_AHEAD];

/* Fills the table; again it does nothing. */
void shots_begin(void);

/* Returns the share of throws that bring a checker from this slot on in full, where these points
 * are closed to it. After shots_begin. */
static inline float shots_ways(uint32_t blocked, int slot)
{
    uint32_t mask =
        slot >= SHOTS_AHEAD ? blocked >> (slot - SHOTS_AHEAD) : blocked << (SHOTS_AHEAD - slot);

    return shots_way[mask & ((1U << SHOTS_AHEAD) - 1)];
}

#endif
