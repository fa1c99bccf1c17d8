/* What a strong player counts in backgammon and the games like it: shots, ways out, the shape,
 * the race. From places alone a net would have to learn in its hidden units what a look at the
 * next throw shows. */
#include "expert.h"

#include <stdint.h>
#include <string.h>

#include "shots.h"

enum {
    HOME = 6,
    OUTER = 12,
    LAST = 24,
    OPPOSITE = 25 /* own slot s is the other side's OPPOSITE - s */
};

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
                                        "shuanglu",   "hoyle-1870", "dutch"};
    const char *id = bg_variant_id(variant);
    size_t length = strcspn(id, ":");
    bool found = false;

    for (size_t i = 0; i < sizeof games / sizeof games[0] && !found; i++) {
        found = strlen(games[i]) == length && memcmp(games[i], id, length) == 0;
    }
    return found;
}

/* may_hit: dutch; a blot is closed to a side that may not hit. */
static void see(struct sight *out, const struct side_points *side,
                const struct side_points *thrower, bool may_hit)
{
    const uint32_t blocked = may_hit ? side->made : side->men;
    const uint32_t hand =
        thrower->at[BG_HAND] > 0 ? UINT32_C(1) << BG_BAR : 0; /* it enters there */

    *out = (struct sight){.men = thrower->men | hand,
                          .bar = thrower->at[BG_BAR],
                          .blots = side_turned(side->blots),
                          .blocked = side_turned(blocked)};
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
    float mobile = 0.0F, least = 1.0F, bar = shots_ways(against->blocked, BG_BAR);

    for (int slot = HOME + 1; slot <= last; slot++) {
        if (side->at[slot] > 0) {
            mobile += (float)(side->at[slot] * (slot - HOME)) * shots_ways(against->blocked, slot);
        }
    }
    for (int slot = BG_BAR; slot > LAST / 2; slot--) {
        float here = shots_ways(against->blocked, slot);

        least = here < least ? here : least;
    }
    out[0] = last > HOME ? 1.0F - shots_ways(against->blocked, last) : 0.0F;
    out[1] = next > HOME ? 1.0F - shots_ways(against->blocked, next) : 0.0F;
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
        zone += slot <= OUTER ? men : 0;
        spare += slot > HOME && slot <= OUTER + HOME && men > 2 ? (men - 2) * (slot - HOME) : 0;
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
        shots_count(out, &sight[seat]);
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
                   const struct side_points sides[2], bool earns)
{
    int contact = sides[0].last + sides[1].last - OPPOSITE;
    struct sight sight[2] = {{.bar = 0}};

    shots_begin();
    for (int seat = 0; seat < 2 && contact > 0; seat++) {
        see(&sight[seat], &sides[seat], &sides[1 - seat], !earns || board->may_hit[1 - seat] > 0);
    }
    for (int seat = 0; seat < 2; seat++) {
        add_side(out[seat], board, seat, contact, sides, sight);
    }
}
