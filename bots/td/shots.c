/* Shots for nets, where they are counted for every play: all 21 throws side by side in vector
 * lanes, each with its own dice, on bits of points. bkg/shots.c, which is asked less often, goes
 * throw by throw. */
#include "shots.h"

#include <stdbool.h>

#include "processor.h"

enum {
    MASKS = 1 << SHOTS_AHEAD,
    OPPOSITE = 25 /* own slot s is the other side's OPPOSITE - s */
};

static const uint32_t BOARD = ((UINT32_C(1) << BG_POINTS) - 1) << 1;

/* Eight throws side by side; each lane works on the points of one. The fifteen throws of two
 * different dice take two rows, the six doubles one; lanes with dice of 31 do not count. */
typedef uint32_t lanes8 __attribute__((vector_size(8 * sizeof(uint32_t))));
typedef int32_t signed8 __attribute__((vector_size(8 * sizeof(int32_t))));
typedef float floats8 __attribute__((vector_size(8 * sizeof(float))));

static const lanes8 FIRST[2] = {{2, 3, 3, 4, 4, 4, 5, 5}, {5, 5, 6, 6, 6, 6, 6, 31}};
static const lanes8 SECOND[2] = {{1, 1, 2, 1, 2, 3, 1, 2}, {3, 4, 1, 2, 3, 4, 5, 31}};
static const lanes8 DOUBLE = {1, 2, 3, 4, 5, 6, 31, 31};

/* The same value in each lane: a vector operated with a scalar takes it in all lanes. */
#define ALL(value) ((value) + (lanes8){0})

/* Where men land that all move by the dice of their lanes. open: points that may be landed on. */
#define MOVED(men, dice, open) ((men) >> (dice) & (open))
/* Where a checker enters from the bar with a die of 31 it does not. */
#define ENTERED(dice, open) (ALL(UINT32_C(1) << OPPOSITE) >> (dice) & (open))

/* Sets where men land with one die and then the other, for a row of throws. */
static inline void land(lanes8 *out, const struct sight *sight, uint32_t open, int row)
{
    const lanes8 first = FIRST[row], second = SECOND[row];
    const lanes8 men = ALL(sight->men);

    if (sight->bar == 0) {
        const lanes8 one = MOVED(men, first, open), other = MOVED(men, second, open);

        *out = one | other | MOVED(one, second, open) | MOVED(other, first, open);
    } else {
        const lanes8 one = ENTERED(first, open), other = ENTERED(second, open);
        lanes8 after_one = other, after_other = one; /* more checkers are on the bar */

        if (sight->bar == 1) {
            after_one = MOVED(men | one, second, open);
            after_other = MOVED(men | other, first, open);
        }
        *out = ((one | after_one) & (lanes8)(one != 0)) |
               ((other | after_other) & (lanes8)(other != 0));
    }
}

/* The same with doubles. */
static inline void land_doubles(lanes8 *out, const struct sight *sight, uint32_t open)
{
    lanes8 men = ALL(sight->men), landed = {0}, may = ALL(UINT32_MAX);

    if (sight->bar > 0) {
        landed = ENTERED(DOUBLE, open);
        men |= landed;
        may = (lanes8)(landed != 0);
    }
    for (int moves = 4 - sight->bar; moves > 0; moves--) {
        men = MOVED(men, DOUBLE, open);
        landed |= men;
    }
    *out = landed & may;
}

struct shots {
    int throws, pips, twice;
};

/* Adds throws that hit these points. A checker hit on the thrower's slot s loses the s pips that it
 * has come; where several are hit, the one that loses most is counted. */
static inline void add_hits(struct shots *shots, const lanes8 *hits, int weight)
{
    /* Bits 1 to 24: 24 digits, which a float keeps; its exponent is the highest one. */
    const floats8 size = __builtin_convertvector((signed8)*hits, floats8);
    const signed8 any = *hits != 0, highest = (((signed8)size >> 23) - 127) & any;
    const signed8 twice = (*hits & (*hits - 1)) != 0;

    for (int i = 0; i < 8; i++) {
        shots->throws -= weight * any[i];
        shots->pips += weight * highest[i];
        shots->twice -= weight * twice[i];
    }
}

FOR_EVERY_PROCESSOR void shots_count(float out[3], const struct sight *sight)
{
    const uint32_t open = BOARD & ~sight->blocked;
    struct shots shots = {0};
    lanes8 landed;

    if (sight->blots != 0) {
        for (int row = 0; row < 2; row++) {
            land(&landed, sight, open, row);
            landed &= sight->blots;
            add_hits(&shots, &landed, 2);
        }
        land_doubles(&landed, sight, open);
        landed &= sight->blots;
        add_hits(&shots, &landed, 1);
    }
    out[0] = (float)shots.throws / 36.0F;
    out[1] = (float)shots.pips / (36.0F * 12.0F);
    out[2] = (float)shots.twice / 36.0F;
}

/* ---- ways out ---- */

float shots_way[MASKS];

static bool is_free(int mask, int distance)
{
    return distance > SHOTS_AHEAD || (mask >> (SHOTS_AHEAD - distance) & 1) == 0;
}

void shots_begin(void)
{
    /* mask 0 comes last, and tells that all are there */
    for (int mask = MASKS - 1; mask >= 0 && shots_way[0] == 0.0F; mask--) {
        int count = 0;

        for (int a = 1; a <= 6; a++) {
            for (int b = 1; b <= a; b++) {
                bool plays = is_free(mask, a + b) && (is_free(mask, a) || is_free(mask, b));

                count += plays ? (a == b ? 1 : 2) : 0;
            }
        }
        shots_way[mask] = (float)count / 36.0F;
    }
}
