/* The moves of backgammon and of the games that share them: contrary way, blots are hit.
 *
 * Checkers are bit masks in the mover's numbering (bit s: slot s), so "who can move by n" is a
 * shift and an and. No play is met twice, so nothing has to be looked up:
 *  - a double is a multiset of starting slots. Made from the highest slot down it is playable
 *    whenever any order is, and the result determines the multiset;
 *  - two numbers a > b are a pair (slot that a leaves, slot that b leaves), in either order. Two
 *    pairs give one result in two cases only, see is_twin().
 */
#include <assert.h>
#include <string.h>

#include "games.h"

enum { HOME = 6 };

#define BIT(slot)   (UINT32_C(1) << (slot))
#define POINTS_MASK UINT32_C(0x1fffffe) /* slots 1..24 */
#define BEYOND_HOME UINT32_C(0x3ffff80) /* slots 7..25 */
#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The position as the mover sees it. */
struct play_hit_view {
    uint32_t own;   /* slots 1..25 with own checkers */
    uint32_t lone;  /* of own, those with exactly one checker */
    uint32_t open;  /* points 1..24 with fewer than two enemies */
    uint32_t blots; /* points with exactly one enemy */
};

static int highest(uint32_t mask)
{
    return 31 - __builtin_clz(mask);
}

static int lowest(uint32_t mask)
{
    return __builtin_ctz(mask);
}

/* Returns eight slots as one word's bytes; compilers make one load of it on little-endian
 * machines. */
static uint64_t eight_slots(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* Returns bit s for every slot s < 32 with at least `least` checkers. Counts are below 128, so a
 * sum sets its byte's top bit exactly then; the product gathers the eight top bits. */
static uint32_t slots_with(const uint8_t at[BG_SLOTS], uint8_t least)
{
    uint32_t mask = 0;

    for (int i = 0; i < 4; i++) {
        const uint64_t top =
            (eight_slots(at + 8 * i) + EIGHT((uint64_t)0x80 - least)) & EIGHT(0x80);

        mask |= (uint32_t)(((top >> 7) * UINT64_C(0x0102040810204080)) >> 56) << (8 * i);
    }
    return mask;
}

/* Returns the opponent's slots 1..24 in own numbering: bit s becomes bit 25 - s. */
static uint32_t mirrored(uint32_t mask)
{
    uint32_t out = mask & POINTS_MASK;

    out = (out & 0x55555555) << 1 | (out >> 1 & 0x55555555);
    out = (out & 0x33333333) << 2 | (out >> 2 & 0x33333333);
    out = (out & 0x0f0f0f0f) << 4 | (out >> 4 & 0x0f0f0f0f);
    out = __builtin_bswap32(out); /* bit s is now bit 31 - s */
    return out >> 6;
}

static struct play_hit_view view_of(const struct bg_board *board, int seat)
{
    const uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];
    const uint32_t slots = POINTS_MASK | BIT(BG_BAR);
    const uint32_t any = slots_with(own, 1) & slots;
    const uint32_t closed = mirrored(slots_with(opponent, 2));

    return (struct play_hit_view){
        .own = any,
        .lone = any & ~slots_with(own, 2),
        .open = POINTS_MASK & ~closed,
        .blots = mirrored(slots_with(opponent, 1)) & ~closed,
    };
}

/* Returns the slots from which number can be played when own checkers stand on the slots in own
 * (G2-G4). */
static uint32_t movable(uint32_t own, uint32_t open, int number)
{
    uint32_t from = own & (open << number);

    if ((own & BIT(BG_BAR)) != 0) {
        return from & BIT(BG_BAR); /* G3 */
    }
    if ((own & BEYOND_HOME) == 0 && own != 0) { /* G4 */
        const int top = highest(own);

        from |= own & BIT(number);
        if (top < number) {
            from |= BIT(top);
        }
    }
    return from;
}

static int landing(int from, int number)
{
    return from > number ? from - number : BG_OFF;
}

/* Returns the slots held after one checker has moved. */
static uint32_t own_after(const struct play_hit_view *view, int from, int number)
{
    const uint32_t left = view->own & ~(view->lone & BIT(from));

    return from > number ? left | BIT(from - number) : left;
}

static void add_two(struct bg_play_list *out, int first, int first_number, int second,
                    int second_number)
{
    out->play[out->count++] = (struct bg_play){
        .moves = 2,
        .move = {{(uint8_t)first, (uint8_t)landing(first, first_number)},
                 {(uint8_t)second, (uint8_t)landing(second, second_number)}},
    };
}

static void add_single(struct bg_play_list *out, uint32_t from, int number)
{
    for (; from != 0; from &= from - 1) {
        const int slot = lowest(from);

        out->play[out->count++] = (struct bg_play){
            .moves = 1,
            .move = {{(uint8_t)slot, (uint8_t)landing(slot, number)}},
        };
    }
}

/* True when the pair (a leaves x, b leaves y) has a twin in pairs that stands for it:
 *  - one checker going both ways: (g, g-a) and (g-b, g) end alike unless a blot is hit on the way;
 *  - two checkers borne off, each by either number: (x, y) and (y, x). */
static bool is_twin(const struct play_hit_view *view, const uint32_t pairs[BG_BAR + 1], int x,
                    int y, int a, int b)
{
    if (y - b == x && y > a) {
        const uint32_t stops = BIT(y - a) | BIT(x);

        return (pairs[y] & BIT(y - a)) != 0 && (view->blots & stops) == 0;
    }
    /* y <= b < a: y can be borne off with either number; then x < y can too. */
    return x < y && y <= b && (pairs[y] & BIT(x)) != 0;
}

/* G5, G6 for two different numbers a > b. */
static void list_pair(struct bg_play_list *out, const struct play_hit_view *view, int a, int b)
{
    uint32_t pairs[BG_BAR + 1] = {0}; /* pairs[x] bit y: a leaves x, b leaves y, legal */
    uint32_t late[BG_BAR + 1] = {0};  /* those of them that need b played first */
    const uint32_t a_first = movable(view->own, view->open, a);
    const uint32_t b_first = movable(view->own, view->open, b);
    uint32_t starts = 0; /* slots x that have pairs */

    for (uint32_t rest = a_first; rest != 0; rest &= rest - 1) {
        const int x = lowest(rest);

        pairs[x] = movable(own_after(view, x, a), view->open, b);
        starts |= pairs[x] != 0 ? BIT(x) : 0;
    }
    for (uint32_t rest = b_first; rest != 0; rest &= rest - 1) {
        const int y = lowest(rest);
        uint32_t then = movable(own_after(view, y, b), view->open, a);

        for (starts |= then; then != 0; then &= then - 1) {
            const int x = lowest(then);

            late[x] |= BIT(y) & ~pairs[x];
        }
    }
    if (starts == 0) { /* G6.2 */
        add_single(out, a_first != 0 ? a_first : b_first, a_first != 0 ? a : b);
        return;
    }
    for (uint32_t rest = starts; rest != 0; rest &= rest - 1) {
        pairs[lowest(rest)] |= late[lowest(rest)];
    }
    for (; starts != 0; starts &= starts - 1) {
        const int x = lowest(starts);

        for (uint32_t rest = pairs[x]; rest != 0; rest &= rest - 1) {
            const int y = lowest(rest);

            if (is_twin(view, pairs, x, y, a, b)) {
                continue;
            }
            if ((late[x] & BIT(y)) != 0) {
                add_two(out, y, b, x, a);
            } else {
                add_two(out, x, a, y, b);
            }
        }
    }
}

/* One number, played up to `times` times, from the highest slot down. */
struct play_hit_walk {
    struct bg_play_list *out;
    uint32_t open;
    int number, times;
    int best; /* most numbers played so far */
    struct bg_play play;
    uint8_t at[BG_BAR + 1];
};

static void walk_down(struct play_hit_walk *walk, uint32_t own, uint32_t allowed)
{
    uint32_t from =
        walk->play.moves < walk->times ? movable(own, walk->open, walk->number) & allowed : 0;

    if (from == 0) {
        if (walk->play.moves > walk->best) { /* G6.1: the plays found so far are too short */
            walk->best = walk->play.moves;
            walk->out->count = 0;
        }
        if (walk->play.moves == walk->best && walk->best > 0) {
            walk->out->play[walk->out->count++] = walk->play;
        }
        return;
    }
    for (; from != 0; from &= from - 1) {
        const int slot = lowest(from), to = landing(slot, walk->number);
        uint32_t next = own;

        if (--walk->at[slot] == 0) {
            next &= ~BIT(slot);
        }
        walk->at[to]++;
        next |= to != BG_OFF ? BIT(to) : 0;
        walk->play.move[walk->play.moves++] = (struct bg_move){(uint8_t)slot, (uint8_t)to};
        walk_down(walk, next, BIT(slot + 1) - 1);
        walk->play.moves--;
        walk->at[to]--;
        walk->at[slot]++;
    }
}

static void list_hit(struct bg_play_list *out, const struct bg_variant *variant,
                     const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    const struct play_hit_view view = view_of(board, seat);

    (void)variant;
    out->count = 0;
    if (stage->parts == 2) {
        assert(stage->part[0].times == 1 && stage->part[1].times == 1);
        list_pair(out, &view, stage->part[0].number, stage->part[1].number);
    } else {
        struct play_hit_walk walk = {.out = out,
                                     .open = view.open,
                                     .number = stage->part[0].number,
                                     .times = stage->part[0].times};

        assert(stage->parts == 1 && walk.times <= BG_MOVES_MAX);
        memcpy(walk.at, board->at[seat], sizeof walk.at);
        walk_down(&walk, view.own, UINT32_MAX);
    }
}

static bool exists_hit(const struct bg_variant *variant, const struct bg_board *board, int seat,
                       const struct bg_stage *stage)
{
    const uint32_t own = slots_with(board->at[seat], 1) & (POINTS_MASK | BIT(BG_BAR));
    const uint32_t open = POINTS_MASK & ~mirrored(slots_with(board->at[1 - seat], 2));
    uint32_t from = 0;

    (void)variant;
    for (int i = 0; i < stage->parts; i++) {
        from |= movable(own, open, stage->part[i].number);
    }
    return from != 0;
}

/* G4: returns the rule against bearing off from `from` by number, which is at least as large. */
static enum bg_rule may_bear_off(const uint8_t own[BG_SLOTS], int from, int number)
{
    for (int slot = HOME + 1; slot <= BG_BAR; slot++) {
        if (own[slot] > 0) {
            return BG_RULE_BEAR_EARLY;
        }
    }
    for (int slot = from + 1; slot <= HOME && from < number; slot++) {
        if (own[slot] > 0) {
            return BG_RULE_BEAR_HIGHER;
        }
    }
    return BG_RULE_NONE;
}

static enum bg_rule may_hit(int *to, const struct course *course, const struct bg_board *board,
                            int from, int number)
{
    const int seat = course->seat;
    const uint8_t *own = board->at[seat];

    if (own[from] == 0) {
        return BG_RULE_NO_CHECKER;
    }
    if (own[BG_BAR] > 0 && from != BG_BAR) {
        return BG_RULE_BAR_FIRST;
    }
    *to = landing(from, number);
    if (*to != BG_OFF) {
        const int point = bg_variant_opponent_slot(course->variant, *to);

        return board->at[1 - seat][point] > 1 ? BG_RULE_BLOCKED : BG_RULE_NONE;
    }
    return may_bear_off(own, from, number);
}

static void move_hit(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                     int to)
{
    uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];

    assert(own[from] > 0);
    own[from]--;
    own[to]++;
    if (to != BG_OFF) {
        const int point = bg_variant_opponent_slot(variant, to);

        if (opponent[point] > 0) {
            opponent[point]--;
            opponent[BG_BAR]++;
        }
    }
}

/* Makes one move of written_hit; left[n]: number of times that n can still be used. */
static bool make_written(uint8_t own[BG_SLOTS], uint8_t opponent[BG_SLOTS], uint8_t left[7],
                         struct bg_move move)
{
    const int from = move.from, to = move.to, point = 25 - to;
    int number = from - to;

    if (from < 1 || from > BG_BAR || own[from] == 0 || (own[BG_BAR] > 0 && from != BG_BAR)) {
        return false;
    }
    while (to == BG_OFF && number < 6 && left[number] == 0) {
        number++; /* a larger number may also bear off */
    }
    if (number < 1 || number > 6 || left[number] == 0) {
        return false;
    }
    if (to == BG_OFF ? may_bear_off(own, from, number) != BG_RULE_NONE : opponent[point] > 1) {
        return false;
    }
    left[number]--;
    own[from]--;
    own[to]++;
    if (to != BG_OFF && opponent[point] == 1) {
        opponent[point] = 0;
        opponent[BG_BAR]++;
    }
    return true;
}

static bool written_hit(struct bg_board *result, const struct bg_board *board, int seat,
                        const struct bg_stage *stage, const struct bg_play *play)
{
    struct bg_board now = *board;
    uint8_t left[7] = {0};
    int numbers = 0;

    for (int i = 0; i < stage->parts; i++) {
        left[stage->part[i].number] = stage->part[i].times;
        numbers += stage->part[i].times;
    }
    if (play->moves != numbers) {
        return false;
    }
    for (int i = 0; i < numbers; i++) {
        if (!make_written(now.at[seat], now.at[1 - seat], left, play->move[i])) {
            return false;
        }
    }
    *result = now;
    return true;
}

const struct mover mover_hit = {
    .list = list_hit,
    .exists = exists_hit,
    .may = may_hit,
    .move = move_hit,
    .written = written_hit,
};
