/* men.h - numbers for the ways in which one side's checkers can stand.
 *
 * A way puts at most `count` like checkers on the places 1..places; the rest is off, on place 0.
 * There are C(places + count, count) ways, numbered from 0 (all off). A checker that moves to a
 * lower place always gives a lower number.
 */
#ifndef BOTS_EXACT_MEN_H
#define BOTS_EXACT_MEN_H

#include <stdint.h>

enum { MEN_PLACES_MAX = 25, MEN_COUNT_MAX = 15 };

struct men {
    int places, count;
    int ways;
    uint32_t choose[MEN_COUNT_MAX + 1][MEN_PLACES_MAX + 1]; /* [m][p]: C(m + p, p) */
};

/* places 1..25, count 1..15, and together at most 2^31 ways: 25 places for 3, 10 for 15. */
void men_init(struct men *out, int places, int count);

/* Returns the number of the way with at[p] checkers on place p, 1..places. at[0] is not read; not
 * more than `count` checkers are on the others. */
int men_number(const struct men *men, const uint8_t *at);

/* Sets at[0..places] to the way with this number, 0..ways-1. */
void men_place(uint8_t *at, const struct men *men, int number);

#endif
