/* Checkers on a slot are inputs 1, 2, 3 and "more" (Tesauro's), so one weight can mean a blot
 * and another a point. Inputs are lists of what is not 0: most are. For a row of plays from one
 * position only what changes is encoded (encode_change), since the first layer is a sum, to
 * which a difference can be added. */
#include "encode.h"

#include <assert.h>
#include <string.h>

enum {
    STEPS = 4,                     /* inputs of a slot: 1, 2, 3 checkers, and how many more */
    FAR_SLOTS = BG_SLOTS - BG_FAR, /* the points beyond 24 of a long board */
    PINS = BG_POINTS,
    COUNTS = ENCODE_COUNTS - BLOCKS_MOST, /* of a side in every game */
    THROWS = 36
};

static const uint32_t HOME_POINTS = 0x7e;

/* Games on a board with 36 points, where the far points have the same number for both sides. */
static bool is_long(const struct bg_variant *variant)
{
    return bg_variant_opponent_slot(variant, 1) == BG_POINTS &&
           bg_variant_opponent_slot(variant, BG_FAR) == BG_FAR;
}

static int counts_of(const struct encoding *encoding)
{
    return COUNTS + (encoding->expert ? EXPERT_COUNTS : encoding->blocks.count);
}

void encoding_begin(struct encoding *out, const struct bg_variant *variant)
{
    *out = (struct encoding){
        .variant = variant, .far = is_long(variant), .expert = expert_covers(variant)};
    out->earns = strcmp(bg_variant_id(variant), "dutch") == 0;
    blocks_begin(&out->blocks, variant);
    out->side = (ENCODE_SLOTS + (out->far ? FAR_SLOTS : 0)) * STEPS + PINS + counts_of(out);
    out->size = 2 * out->side;
    assert(out->size < ENCODE_MOST);
}

static void add_to(struct inputs *out, int index, float value)
{
    /* The bound is for boards that no game has. */
    if (value != 0.0F && out->count < ENCODE_MOST) {
        out->index[out->count] = (uint16_t)index;
        out->value[out->count++] = value;
    }
}

static void add_slot(struct inputs *out, int from, int checkers)
{
    if (checkers == 0) {
        return;
    }
    for (int step = 1; step < STEPS && step <= checkers; step++) {
        add_to(out, from + step - 1, 1.0F);
    }
    if (checkers >= STEPS) {
        add_to(out, from + STEPS - 1, (float)(checkers - STEPS + 1) / 2.0F);
    }
}

void encode_slot(struct inputs *out, const struct encoding *encoding, int side, int slot,
                 int checkers)
{
    add_slot(out, side * encoding->side + (slot - 1) * STEPS, checkers);
}

bool encode_is_slot(const struct encoding *encoding, int index)
{
    return index % encoding->side < ENCODE_SLOTS * STEPS;
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

                /* As bits, so that throws that reach several blots are counted once. */
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

static int pinned_of(const struct bg_board *board, int seat)
{
    int pinned = 0;

    for (int slot = 1; slot <= BG_POINTS && board->pinned[seat] != 0; slot++) {
        pinned += (board->pinned[seat] >> slot & 1) != 0;
    }
    return pinned;
}

static int sum_of(const uint8_t *at, int from, int to)
{
    int sum = 0;

    for (int slot = from; slot <= to; slot++) {
        sum += at[slot];
    }
    return sum;
}

static void count_side(float out[ENCODE_COUNTS], const struct encoding *encoding,
                       const struct bg_board *board, int seat, const struct side_points sides[2])
{
    const struct side_points *side = &sides[seat];
    const uint8_t *at = board->at[seat];
    const bool counted = encoding->expert || encoding->blocks.count > 0;

    out[0] = (float)at[BG_OFF] / 15.0F;
    out[1] =
        (float)(counted ? side->pips : bg_variant_pips(encoding->variant, board, seat)) / 150.0F;
    out[2] = (float)side_count(side->blots) / 5.0F;
    out[3] = (float)side_count(side->made) / 6.0F;
    out[4] = (float)side_row(side->made) / 6.0F;
    out[5] = (float)side_row(side->men) / 6.0F;
    out[6] = (float)side->last / 26.0F;
    out[7] = counted ? 0.0F : (float)exposure(encoding->variant, board, seat) / THROWS;
    out[8] = (float)pinned_of(board, seat) / 3.0F;
    out[9] = (float)board->may_hit[seat];
    out[10] = (float)board->turns[seat] / 3.0F;
    out[11] = (float)at[BG_BAR];
    out[12] = (float)side_count(side->made & HOME_POINTS) / 6.0F;
    out[13] = (float)sum_of(at, 19, BG_BAR) / 5.0F;
    out[14] = (float)sum_of(at, 1, 3) / 15.0F;
    out[15] = (float)(side->last + sides[1 - seat].last > BG_BAR);
}

/* Own, then the other side's. */
static void count_both(float out[2][ENCODE_COUNTS], const struct encoding *encoding,
                       const struct bg_board *board, int seat)
{
    float expert[2][EXPERT_COUNTS];
    struct side_points sides[2];

    side_look(&sides[0], board->at[0]);
    side_look(&sides[1], board->at[1]);
    if (encoding->expert) {
        expert_counts(expert, board, sides, encoding->earns);
        memcpy(out[0] + COUNTS, expert[seat], sizeof expert[seat]);
        memcpy(out[1] + COUNTS, expert[1 - seat], sizeof expert[1 - seat]);
    }
    if (encoding->blocks.count > 0) {
        float blocks[2][BLOCKS_MOST];

        blocks_counts(blocks, &encoding->blocks, board, sides);
        memcpy(out[0] + COUNTS, blocks[seat], sizeof blocks[seat]);
        memcpy(out[1] + COUNTS, blocks[1 - seat], sizeof blocks[1 - seat]);
    }
    count_side(out[0], encoding, board, seat, sides);
    count_side(out[1], encoding, board, 1 - seat, sides);
}

static void add_side(struct inputs *out, int from, const struct encoding *encoding,
                     const struct bg_board *board, int seat, const float counts[ENCODE_COUNTS])
{
    const uint8_t *at = board->at[seat];

    for (int slot = 1; slot <= ENCODE_SLOTS; slot++, from += STEPS) {
        add_slot(out, from, at[slot]);
    }
    for (int slot = BG_FAR; encoding->far && slot < BG_SLOTS; slot++, from += STEPS) {
        add_slot(out, from, at[slot]);
    }
    for (int slot = 1; slot <= BG_POINTS && board->pinned[seat] != 0; slot++) {
        add_to(out, from + slot - 1, (board->pinned[seat] >> slot & 1) != 0 ? 1.0F : 0.0F);
    }
    for (int i = 0; i < counts_of(encoding); i++) {
        add_to(out, from + PINS + i, counts[i]);
    }
}

void encode(struct inputs *out, const struct encoding *encoding, const struct bg_board *board,
            int seat)
{
    float counts[2][ENCODE_COUNTS];

    out->count = 0;
    count_both(counts, encoding, board, seat);
    add_side(out, 0, encoding, board, seat, counts[0]);
    add_side(out, encoding->side, encoding, board, 1 - seat, counts[1]);
}

/* ---- changes ---- */

void encode_base_begin(struct encode_base *out, const struct encoding *encoding,
                       const struct bg_board *board, int seat)
{
    out->board = *board;
    out->seat = seat;
    count_both(out->counts, encoding, board, seat);
}

static float step_value(int step, int checkers)
{
    if (step < STEPS) {
        return checkers >= step ? 1.0F : 0.0F;
    }
    return checkers >= STEPS ? (float)(checkers - STEPS + 1) / 2.0F : 0.0F;
}

/* As add_to, without a branch: whether an input changes cannot be foretold. */
static inline void add_change(struct inputs *out, int index, float value)
{
    out->index[out->count] = (uint16_t)index;
    out->value[out->count] = value;
    out->count += value != 0.0F;
}

static void change_slot(struct inputs *out, int from, int checkers, int before)
{
    for (int step = 1; step <= STEPS; step++) {
        add_change(out, from + step - 1, step_value(step, checkers) - step_value(step, before));
    }
}

/* Changes of so many slots, at most 64. */
static void change_slots(struct inputs *out, int from, const uint8_t *at, const uint8_t *before,
                         int count)
{
    uint64_t changed = 0;

    for (int slot = 0; slot < count; slot++) {
        changed |= (uint64_t)(at[slot] != before[slot]) << slot;
    }
    for (; changed != 0; changed &= changed - 1) {
        int slot = __builtin_ctzll(changed);

        change_slot(out, from + slot * STEPS, at[slot], before[slot]);
    }
}

static void change_side(struct inputs *out, int from, const struct encoding *encoding,
                        const struct encode_base *base, const struct bg_board *board, int side,
                        const float counts[ENCODE_COUNTS])
{
    const int seat = side == 0 ? base->seat : 1 - base->seat;
    const uint8_t *at = board->at[seat], *before = base->board.at[seat];
    const uint64_t pins = board->pinned[seat], pins_before = base->board.pinned[seat];

    change_slots(out, from, at + 1, before + 1, ENCODE_SLOTS);
    from += ENCODE_SLOTS * STEPS;
    if (encoding->far) {
        change_slots(out, from, at + BG_FAR, before + BG_FAR, FAR_SLOTS);
        from += FAR_SLOTS * STEPS;
    }
    for (int slot = 1; slot <= BG_POINTS && pins != pins_before; slot++) {
        add_to(out, from + slot - 1, (float)(pins >> slot & 1) - (float)(pins_before >> slot & 1));
    }
    for (int i = 0; i < counts_of(encoding); i++) {
        add_change(out, from + PINS + i, counts[i] - base->counts[side][i]);
    }
}

void encode_change(struct inputs *out, const struct encoding *encoding,
                   const struct encode_base *base, const struct bg_board *board)
{
    float counts[2][ENCODE_COUNTS];

    out->count = 0;
    count_both(counts, encoding, board, base->seat);
    change_side(out, 0, encoding, base, board, 0, counts[0]);
    change_side(out, encoding->side, encoding, base, board, 1, counts[1]);
}
