/* side.h - where one side's checkers stand on points 1 to 24, as bits: bit s is its slot s. */
#ifndef BOTS_TD_SIDE_H
#define BOTS_TD_SIDE_H

#include <bgref/board.h>

#include <stdint.h>

struct side_points {
    const uint8_t *at; /* lent: checkers by slot */
    uint32_t men;      /* points with a checker */
    uint32_t made;     /* with two and more */
    uint32_t blots;    /* with one */
    int last;          /* the slot of the rearmost checker, 0: all are off */
    int pips;          /* to bring all off; the bar and the hand count 25 */
};

static inline void side_look(struct side_points *out, const uint8_t *at)
{
    uint32_t men = 0, made = 0;
    int last = BG_SLOTS - 1, pips = BG_BAR * (at[BG_BAR] + at[BG_HAND]);

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        men |= (uint32_t)(at[slot] > 0) << slot;
        made |= (uint32_t)(at[slot] > 1) << slot;
        pips += slot * at[slot];
    }
    while (last > 0 && at[last] == 0) {
        last--;
    }
    *out = (struct side_points){
        .at = at, .men = men, .made = made, .blots = men & ~made, .last = last, .pips = pips};
}

/* Returns the number of bits that are set. */
static inline int side_count(uint32_t bits)
{
    bits -= bits >> 1 & UINT32_C(0x55555555);
    bits = (bits & UINT32_C(0x33333333)) + (bits >> 2 & UINT32_C(0x33333333));
    bits = (bits + (bits >> 4)) & UINT32_C(0x0f0f0f0f);
    return (int)(bits * UINT32_C(0x01010101) >> 24);
}

/* Returns the length of the longest row of set bits. */
static inline int side_row(uint32_t bits)
{
    int longest = 0;

    for (; bits != 0; bits &= bits << 1) {
        longest++;
    }
    return longest;
}

/* Returns the bits seen from the other side: bit s becomes bit 25 - s. */
static inline uint32_t side_turned(uint32_t bits)
{
    bits = (bits >> 1 & UINT32_C(0x55555555)) | (bits & UINT32_C(0x55555555)) << 1;
    bits = (bits >> 2 & UINT32_C(0x33333333)) | (bits & UINT32_C(0x33333333)) << 2;
    bits = (bits >> 4 & UINT32_C(0x0f0f0f0f)) | (bits & UINT32_C(0x0f0f0f0f)) << 4;
    bits = (bits >> 8 & UINT32_C(0x00ff00ff)) | (bits & UINT32_C(0x00ff00ff)) << 8;
    bits = bits >> 16 | bits << 16;
    return bits >> 6;
}

#endif
