#include "encode.h"

#include <stdbool.h>

enum {
    STEPS = 4,                     /* inputs of a slot: 1, 2, 3 checkers, and how many more */
    NEAR_SLOTS = BG_HAND,          /* slots 1..26 */
    FAR_SLOTS = BG_SLOTS - BG_FAR, /* the points beyond 24 of a long board */
    PINS = BG_POINTS,
    COUNTS = 16, /* of a side */
    THROWS = 36
};

/* Games on a board with 36 points, where the far points have the same number for both sides. */
static bool is_long(const struct bg_variant *variant)
{
    return bg_variant_opponent_slot(variant, 1) == BG_POINTS &&
           bg_variant_opponent_slot(variant, BG_FAR) == BG_FAR;
}

static int side_size(bool far)
{
    return (NEAR_SLOTS + (far ? FAR_SLOTS : 0)) * STEPS + PINS + COUNTS;
}

int encode_size(const struct bg_variant *variant)
{
    return 2 * side_size(is_long(variant));
}

static void add(struct inputs *out, int index, float value)
{
    if (value != 0.0F && out->count < ENCODE_MOST) {
        out->index[out->count] = (uint16_t)index;
        out->value[out->count++] = value;
    }
}

static void add_slot(struct inputs *out, int from, int checkers)
{
    for (int step = 1; step < STEPS && step <= checkers; step++) {
        add(out, from + step - 1, 1.0F);
    }
    if (checkers >= STEPS) {
        add(out, from + STEPS - 1, (float)(checkers - STEPS + 1) / 2.0F);
    }
}

/* The throws that can move one checker this far if nothing is in its way, as bits. */
static uint64_t throws_for(int distance)
{
    static uint64_t table[BG_POINTS + 2];

    if (table[1] == 0) {
        for (int d = 1; d <= BG_POINTS; d++) {
            for (int throw = 0; throw < THROWS; throw ++) {
                int a = throw / 6 + 1, b = throw % 6 + 1;
                bool reaches =
                    a == d || b == d || a + b == d || (a == b && (3 * a == d || 4 * a == d));

                table[d] |= reaches ? UINT64_C(1) << throw : 0;
            }
        }
    }
    return distance >= 1 && distance <= BG_POINTS ? table[distance] : 0;
}

/* Returns how many throws of the other side reach a single checker of this seat. */
static int exposure(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    const uint8_t *other = board->at[1 - seat];
    uint64_t throws = 0;
    int count = 0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        int there = bg_variant_opponent_slot(variant, slot);

        for (int from = there + 1; board->at[seat][slot] == 1 && from <= BG_BAR; from++) {
            throws |= other[from] > 0 ? throws_for(from - there) : 0;
        }
    }
    for (; throws != 0; throws &= throws - 1) {
        count++;
    }
    return count;
}

/* Returns the longest row of points with at least this many checkers. */
static int longest_row(const uint8_t *at, int least)
{
    int longest = 0, row = 0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        row = at[slot] >= least ? row + 1 : 0;
        longest = row > longest ? row : longest;
    }
    return longest;
}

static int sum_of(const uint8_t *at, int from, int to)
{
    int sum = 0;

    for (int slot = from; slot <= to; slot++) {
        sum += at[slot];
    }
    return sum;
}

static int farthest(const uint8_t *at)
{
    int slot = BG_SLOTS - 1;

    while (slot > 0 && at[slot] == 0) {
        slot--;
    }
    return slot;
}

static void add_counts(struct inputs *out, int from, const struct bg_variant *variant,
                       const struct bg_board *board, int seat)
{
    const uint8_t *at = board->at[seat];
    int blots = 0, made = 0, home = 0, pinned = 0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        blots += at[slot] == 1;
        made += at[slot] >= 2;
        home += slot <= 6 && at[slot] >= 2;
        pinned += (board->pinned[seat] >> slot & 1) != 0;
    }
    add(out, from, (float)at[BG_OFF] / 15.0F);
    add(out, from + 1, (float)bg_variant_pips(variant, board, seat) / 150.0F);
    add(out, from + 2, (float)blots / 5.0F);
    add(out, from + 3, (float)made / 6.0F);
    add(out, from + 4, (float)longest_row(at, 2) / 6.0F);
    add(out, from + 5, (float)longest_row(at, 1) / 6.0F);
    add(out, from + 6, (float)farthest(at) / 26.0F);
    add(out, from + 7, (float)exposure(variant, board, seat) / THROWS);
    add(out, from + 8, (float)pinned / 3.0F);
    add(out, from + 9, (float)board->may_hit[seat]);
    add(out, from + 10, (float)board->turns[seat] / 3.0F);
    add(out, from + 11, (float)at[BG_BAR]);
    add(out, from + 12, (float)home / 6.0F);
    add(out, from + 13, (float)sum_of(at, 19, BG_BAR) / 5.0F);
    add(out, from + 14, (float)sum_of(at, 1, 3) / 15.0F);
    add(out, from + 15, (float)(farthest(at) + farthest(board->at[1 - seat]) > BG_BAR));
}

static void add_side(struct inputs *out, int from, const struct bg_variant *variant,
                     const struct bg_board *board, int seat, bool far)
{
    const uint8_t *at = board->at[seat];

    for (int slot = 1; slot <= NEAR_SLOTS; slot++, from += STEPS) {
        add_slot(out, from, at[slot]);
    }
    for (int slot = BG_FAR; far && slot < BG_SLOTS; slot++, from += STEPS) {
        add_slot(out, from, at[slot]);
    }
    for (int slot = 1; slot <= BG_POINTS; slot++, from++) {
        add(out, from, (board->pinned[seat] >> slot & 1) != 0 ? 1.0F : 0.0F);
    }
    add_counts(out, from, variant, board, seat);
}

void encode(struct inputs *out, const struct bg_variant *variant, const struct bg_board *board,
            int seat)
{
    bool far = is_long(variant);

    out->count = 0;
    add_side(out, 0, variant, board, seat, far);
    add_side(out, side_size(far), variant, board, 1 - seat, far);
}
