#include "expert.h"

#include <stdint.h>
#include <string.h>

#include "processor.h"

enum {
    HOME = 6,
    AHEAD = 12, /* points that a throw without a double can reach */
    MASKS = 1 << AHEAD,
    LAST = 24,
    OPPOSITE = 25 /* own slot s is the other side's OPPOSITE - s */
};

/* A side seen by the other one, which is about to throw: bit s is the thrower's slot s. */
struct sight {
    uint32_t men;     /* the thrower's, without the bar */
    int bar;          /* the thrower's */
    uint32_t blots;   /* of the side that is seen */
    uint32_t blocked; /* points of that side */
};

static const uint32_t BOARD = ((UINT32_C(1) << LAST) - 1) << 1;
static const uint32_t HOME_POINTS = ((UINT32_C(1) << HOME) - 1) << 1;
static const uint32_t ENTRY = ((UINT32_C(1) << HOME) - 1) << (LAST - HOME + 1);
static const uint32_t ANCHORS = UINT32_C(3) << (OPPOSITE - 5); /* the good ones: 20 and 21 */

static uint32_t bit(int slot)
{
    return slot >= 1 && slot <= LAST ? UINT32_C(1) << slot : 0;
}

bool expert_covers(const struct bg_variant *variant)
{
    static const char *const games[] = {"backgammon", "nackgammon", "hypergammon", "short-nardi",
                                        "portes",     "tavla",      "old-english", "irish",
                                        "shuanglu",   "hoyle-1870"};
    const char *id = bg_variant_id(variant);
    size_t length = strcspn(id, ":");
    bool found = false;

    for (size_t i = 0; i < sizeof games / sizeof games[0] && !found; i++) {
        found = strlen(games[i]) == length && memcmp(games[i], id, length) == 0;
    }
    return found;
}

static void look(struct sight *out, const struct side_points *side,
                 const struct side_points *thrower)
{
    *out = (struct sight){.men = thrower->men,
                          .bar = thrower->at[BG_BAR],
                          .blots = side_turned(side->blots),
                          .blocked = side_turned(side->made)};
}

/* ---- shots ---- */

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

FOR_EVERY_PROCESSOR static void add_shots(float out[3], const struct sight *sight)
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

/* Share of throws that one checker can play in full, by the blocked points of the 12 before it: bit
 * k is the point at distance 12 - k. */
static float ways[MASKS];

static bool is_free(int mask, int distance)
{
    return distance > AHEAD || (mask >> (AHEAD - distance) & 1) == 0;
}

static void count_ways(void)
{
    for (int mask = 0; mask < MASKS; mask++) {
        int count = 0;

        for (int a = 1; a <= 6; a++) {
            for (int b = 1; b <= a; b++) {
                bool plays = is_free(mask, a + b) && (is_free(mask, a) || is_free(mask, b));

                count += plays ? (a == b ? 1 : 2) : 0;
            }
        }
        ways[mask] = (float)count / 36.0F;
    }
}

/* Returns the share of throws that bring a checker from this slot of the thrower on in full. */
static float ways_from(const struct sight *sight, int slot)
{
    uint32_t mask =
        slot >= AHEAD ? sight->blocked >> (slot - AHEAD) : sight->blocked << (AHEAD - slot);

    return ways[mask & (MASKS - 1)];
}

/* ---- a side ---- */

static int highest(uint32_t bits)
{
    return bits == 0 ? 0 : 31 - __builtin_clz(bits);
}

/* Returns the next slot below that has a checker, 0 none. */
static int next_below(const struct side_points *side, int slot)
{
    uint32_t below = slot > LAST ? side->men : side->men & (bit(slot) - 1);

    return highest(below);
}

static void add_ways(float out[6], const struct sight *against, const struct side_points *side)
{
    int last = side->last;
    int next = side->at[last] >= 2 ? last : next_below(side, last);
    float mobile = 0.0F, least = 1.0F, bar = ways_from(against, BG_BAR);

    for (int slot = HOME + 1; slot <= last; slot++) {
        if (side->at[slot] > 0) {
            mobile += (float)(side->at[slot] * (slot - HOME)) * ways_from(against, slot);
        }
    }
    for (int slot = BG_BAR; slot > LAST / 2; slot--) {
        float here = ways_from(against, slot);

        least = here < least ? here : least;
    }
    out[0] = last > HOME ? 1.0F - ways_from(against, last) : 0.0F;
    out[1] = next > HOME ? 1.0F - ways_from(against, next) : 0.0F;
    out[2] = mobile / 100.0F;
    out[3] = 1.0F - bar;
    out[4] = last > HOME ? 1.0F - least : 0.0F;
    out[5] = out[0] * out[0];
}

/* Returns the share of throws that bring no checker in from the bar. */
static float dances(const struct sight *against, const struct side_points *side)
{
    int closed = side_count(against->blocked & ENTRY);

    return side->at[BG_BAR] > 0 ? (float)(closed * closed) / 36.0F : 0.0F;
}

static void add_shape(float out[9], const struct side_points *side, int other_last)
{
    const uint8_t *at = side->at;
    const uint32_t passed = bit(OPPOSITE - other_last + 1) - 1; /* by the other's rearmost */
    int heaps = 0, zone = 0, spare = 0, save = 0;

    for (int slot = 1; slot <= side->last; slot++) {
        const int men = at[slot];

        heaps += men > 3 ? men - 3 : 0;
        zone += slot <= AHEAD ? men : 0;
        spare += slot > HOME && slot <= AHEAD + HOME && men > 2 ? (men - 2) * (slot - HOME) : 0;
        save += slot > HOME ? men * (slot - HOME) : 0;
    }
    out[0] = (float)heaps / 8.0F;
    out[1] = (float)zone / 15.0F;
    out[2] = (float)spare / 40.0F;
    out[3] = at[BG_OFF] > 0 ? 0.0F : (float)(save + 1) / 80.0F;
    out[4] = (float)side_count(side->blots & HOME_POINTS) / 3.0F;
    out[5] = (float)side_count(side->blots & ENTRY) / 3.0F;
    out[6] = (float)(HOME - side_count(side->men & HOME_POINTS)) / 6.0F;
    /* the longest row of points that the other side's rearmost checker has still to pass */
    out[7] = (float)side_row(side->made & ~passed) / 6.0F;
    out[8] = (float)at[BG_BAR] / 2.0F;
}

/* Returns the lead of a race as a share of what is left, from -1 to 1. */
static float lead(const struct bg_board *board, int seat)
{
    float own = (float)bg_board_pips(board, seat) + 4.0F;
    float others = (float)bg_board_pips(board, 1 - seat) + 4.0F;
    float share = 4.0F * (others - own) / (others + own);

    return share > 1.0F ? 1.0F : share < -1.0F ? -1.0F : share;
}

static void add_side(float out[EXPERT_COUNTS], const struct bg_board *board, int seat, int contact,
                     const struct side_points sides[2], const struct sight sight[2])
{
    const struct side_points *side = &sides[seat];

    memset(out, 0, EXPERT_COUNTS * sizeof *out);
    if (contact > 0) {
        add_shots(out, &sight[seat]);
        add_ways(out + 3, &sight[1 - seat], side);
        out[9] = dances(&sight[1 - seat], side);
        out[20] = (float)contact / 25.0F;
    } else {
        out[21] = lead(board, seat);
        out[22] = (float)(15 - side->at[BG_OFF]) / 15.0F;
        out[23] = (float)bg_board_pips(board, seat) / 60.0F;
    }
    add_shape(out + 10, side, sides[1 - seat].last);
    out[19] = (side->made & ANCHORS) != 0 ? 1.0F : 0.0F;
}

void expert_counts(float out[2][EXPERT_COUNTS], const struct bg_board *board,
                   const struct side_points sides[2])
{
    int contact = sides[0].last + sides[1].last - OPPOSITE;
    struct sight sight[2] = {{.bar = 0}};

    if (ways[0] == 0.0F) {
        count_ways();
    }
    for (int seat = 0; seat < 2 && contact > 0; seat++) {
        look(&sight[seat], &sides[seat], &sides[1 - seat]);
    }
    for (int seat = 0; seat < 2; seat++) {
        add_side(out[seat], board, seat, contact, sides, sight);
    }
}
