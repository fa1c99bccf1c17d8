/* For games without hits or with pins, where backgammon's terms say nothing: how freely a side
 * moves next turn, what its rear checkers have still to pass, and rows of closed points.
 * Everything is bits of points and counted for both sides at once; a net gets the counts as
 * inputs beside the places of checkers. */
#include "blocks.h"

#include <string.h>

#include "shots.h"

enum { HOME = 6, OUTER = 12, HEAD = 24, DICE = 6, PRIME = 6, DOUBLE_MOVES = 4 };

static const uint32_t BOARD = ((UINT32_C(1) << BG_POINTS) - 1) << 1;
static const uint32_t HOME_POINTS = ((UINT32_C(1) << HOME) - 1) << 1;

/* A side that throws. Bit s is its slot s. */
struct blocks_mover {
    const uint8_t *at; /* lent */
    uint32_t men;      /* points with a checker that may move */
    uint32_t open;     /* points on which it may land */
    uint32_t closed;   /* the others */
    int last;          /* where its rearmost checker stands */
    int head;          /* checkers that may leave the start */
    bool bears;        /* it may bear off */
};

static uint32_t bit(int slot)
{
    return UINT32_C(1) << slot;
}

static bool is_game(const struct bg_variant *variant, const char *name)
{
    const char *id = bg_variant_id(variant);
    size_t length = strcspn(id, ":");

    return strlen(name) == length && memcmp(name, id, length) == 0;
}

void blocks_begin(struct blocks *out, const struct bg_variant *variant)
{
    static const char *const games[] = {"long-nardi", "fevga",   "moultezim",
                                        "nard",       "plakoto", "tapa"};
    enum { GAMES = sizeof games / sizeof games[0], PINNING = 4 };
    int game = 0;

    while (game < GAMES && !is_game(variant, games[game])) {
        game++;
    }
    *out = (struct blocks){.parallel = bg_variant_opponent_slot(variant, 1) == 1 + OUTER,
                           .pins = game >= PINNING && game < GAMES,
                           .head = game == 0};
    out->count = game == GAMES ? 0 : out->pins ? BLOCKS_MOST : BLOCKS_PINS;
}

/* Returns the points seen from the other side. */
static uint32_t turned(const struct blocks *blocks, uint32_t points)
{
    return blocks->parallel ? ((points >> OUTER) | (points << OUTER)) & BOARD : side_turned(points);
}

static void look_at_mover(struct blocks_mover *out, const struct blocks *blocks,
                          const struct bg_board *board, int seat, const struct side_points sides[2])
{
    const struct side_points *own = &sides[seat], *other = &sides[1 - seat];
    const uint32_t pinned = (uint32_t)board->pinned[seat];
    const uint32_t closed = blocks->pins ? other->made : other->men;
    const int start = own->at[HEAD];

    *out = (struct blocks_mover){.at = own->at,
                                 .men = own->men & ~pinned,
                                 .closed = turned(blocks, closed) | pinned,
                                 .last = own->last,
                                 .head = blocks->head && start > 1 ? 1 : start,
                                 .bears = own->last <= HOME && pinned == 0};
    out->open = BOARD & ~out->closed;
}

/* ---- moves ---- */

/* Returns the points of these from which a checker can move with this number. */
static uint32_t sources(const struct blocks_mover *mover, uint32_t men, int number)
{
    uint32_t found = men & (mover->open << number);

    if (mover->bears && men != 0) {
        found |= men & bit(number);
        found |= mover->last < number ? bit(mover->last) : 0;
    }
    return found;
}

/* Returns whether a checker that has moved from one of these points can move on. */
static bool goes_on(const struct blocks_mover *mover, uint32_t from, int one, int other)
{
    return ((from >> one) & BOARD & (mover->open << other)) != 0;
}

static int men_on(const struct blocks_mover *mover, uint32_t points)
{
    return (points & (points - 1)) != 0 ? 2
           : points == bit(HEAD)        ? mover->head
                                        : mover->at[31 - __builtin_clz(points)];
}

/* Returns whether both numbers can be played, by two checkers or by one. */
static bool plays_both(const struct blocks_mover *mover, uint32_t a, uint32_t b, int high, int low)
{
    bool two = a != 0 && b != 0 && men_on(mover, a | b) > 1;

    return two || goes_on(mover, a, high, low) || goes_on(mover, b, low, high);
}

/* Returns how many moves of this number can be made, at most four. */
static int moves_of_double(const struct blocks_mover *mover, int number)
{
    int moves = 0;
    uint32_t men = sources(mover, mover->men, number);

    for (; men != 0 && moves < DOUBLE_MOVES; men &= men - 1) {
        const int from = __builtin_ctz(men);
        const int many = from == HEAD ? mover->head : mover->at[from];
        int steps = 0;

        for (int at = from; at > 0 && steps < DOUBLE_MOVES; at -= number) {
            if ((sources(mover, bit(at), number) & bit(at)) == 0) {
                break;
            }
            steps++;
        }
        moves += many * steps;
    }
    return moves < DOUBLE_MOVES ? moves : DOUBLE_MOVES;
}

static void add_moves(float out[], const struct blocks_mover *mover)
{
    uint32_t from[DICE + 1];
    int whole = 0, nothing = 0, wasted = 0;

    for (int a = 1; a <= DICE; a++) {
        int moves = moves_of_double(mover, a), points;

        from[a] = sources(mover, mover->men, a);
        points = side_count(from[a]);
        out[BLOCKS_SOURCES + a - 1] = (float)points / 5.0F;
        whole += moves == DOUBLE_MOVES;
        nothing += moves == 0;
        wasted += a * (DOUBLE_MOVES - moves);
        for (int b = 1; b < a; b++) {
            if (plays_both(mover, from[a], from[b], a, b)) {
                whole += 2;
            } else {
                nothing += from[a] == 0 && from[b] == 0 ? 2 : 0;
                wasted += 2 * (from[a] != 0 ? b : from[b] != 0 ? a : a + b);
            }
        }
    }
    out[BLOCKS_WHOLE] = (float)whole / 36.0F;
    out[BLOCKS_NOTHING] = (float)nothing / 36.0F;
    out[BLOCKS_WASTED] = (float)wasted / (36.0F * 8.0F);
}

/* ---- ways ---- */

static void add_ways(float out[5], const struct blocks_mover *mover)
{
    int last = mover->last, next = 0;
    float stuck = 0.0F, mobile = 0.0F, least = 1.0F;

    for (int slot = HOME + 1; slot <= BG_POINTS; slot++) {
        if ((mover->men >> slot & 1) != 0) {
            const float here = shots_ways(mover->closed, slot);

            stuck += (float)mover->at[slot] * (1.0F - here);
            mobile += (float)(mover->at[slot] * (slot - HOME)) * here;
            next = slot < last ? slot : next;
        }
        if (slot > OUTER && slot <= last) {
            const float here = shots_ways(mover->closed, slot);

            least = here < least ? here : least;
        }
    }
    out[0] = last > HOME ? 1.0F - shots_ways(mover->closed, last) : 0.0F;
    out[1] = next > HOME ? 1.0F - shots_ways(mover->closed, next) : 0.0F;
    out[2] = stuck / 15.0F;
    out[3] = mobile / 150.0F;
    out[4] = 1.0F - least;
}

/* Rows of closed points that checkers of the mover have still to pass. */
static void add_rows(float out[4], const struct blocks_mover *mover)
{
    const uint32_t way = mover->last > 0 ? (bit(mover->last) - 1) & mover->closed & BOARD : 0;
    int behind = 0, held = 0, length = 0, window = 0;

    for (int slot = BG_POINTS; slot >= 1; slot--) {
        const int closed = side_count(way >> slot & ((1U << PRIME) - 1));

        window = closed > window ? closed : window;
        if ((way >> slot & 1) != 0) {
            length++;
            held += length > 2 ? (length - 2) * behind : 0;
        } else {
            length = 0;
        }
        behind += mover->at[slot];
    }
    out[0] = (float)side_row(way) / 6.0F;
    out[1] = (float)held / 60.0F;
    out[2] = (float)window / 6.0F;
    out[3] = side_row(way) >= PRIME ? 1.0F : 0.0F;
}

/* ---- the rest ---- */

static int sum_of(const uint8_t *at, int from, int to)
{
    int sum = 0;

    for (int slot = from; slot <= to; slot++) {
        sum += at[slot];
    }
    return sum;
}

static void add_shape(float out[8], const struct side_points *side)
{
    const uint8_t *at = side->at;
    int heaps = 0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        heaps += at[slot] > 3 ? at[slot] - 3 : 0;
    }
    out[0] = (float)sum_of(at, 19, 24) / 15.0F;
    out[1] = (float)sum_of(at, 13, 18) / 15.0F;
    out[2] = (float)sum_of(at, 7, 12) / 15.0F;
    out[3] = (float)at[HEAD] / 15.0F;
    out[4] = (float)heaps / 8.0F;
    out[5] = (float)side_count(side->men) / 10.0F;
    out[6] = sum_of(at, BG_OFF, OUTER - 1) > 0 ? 1.0F : 0.0F; /* the first has passed */
    out[7] = (float)side_count(side->men & HOME_POINTS) / 6.0F;
}

static float lead(const struct side_points *own, const struct side_points *other)
{
    float share = 4.0F * (float)(other->pips - own->pips) / (float)(own->pips + other->pips + 8);

    return share > 1.0F ? 1.0F : share < -1.0F ? -1.0F : share;
}

static void add_race(float out[4], const struct side_points sides[2], int seat, bool race)
{
    out[0] = lead(&sides[seat], &sides[1 - seat]);
    if (race) {
        out[1] = out[0];
        out[2] = (float)(BG_CHECKERS - sides[seat].at[BG_OFF]) / 15.0F;
        out[3] = (float)sides[seat].pips / 60.0F;
    }
}

/* Threats of the other side, which throws, and pins as they are. */
static void add_pins(float out[6], const struct bg_board *board, int seat,
                     const struct side_points *side, const struct blocks_mover *thrower)
{
    const uint32_t pinned = (uint32_t)board->pinned[seat];
    struct sight sight = {.men = thrower->men, .blocked = thrower->closed};
    const uint32_t blots = side_turned(side->blots & ~pinned);
    float shots[3];
    int depth = 0;

    sight.blots = blots;
    shots_count(shots, &sight);
    out[0] = shots[0];
    out[1] = shots[2];
    sight.blots = blots & HOME_POINTS;
    shots_count(shots, &sight);
    out[2] = shots[0];
    sight.blots = blots & bit(1);
    shots_count(shots, &sight);
    out[3] = shots[0];
    for (uint32_t rest = pinned; rest != 0; rest &= rest - 1) {
        depth += __builtin_ctz(rest);
    }
    out[4] = (float)depth / 24.0F;
    out[5] = (float)(pinned >> HEAD & 1);
}

bool blocks_race(const struct blocks *blocks, const struct side_points sides[2])
{
    bool ahead = false;

    for (int seat = 0; seat < 2; seat++) {
        const uint32_t others = turned(blocks, sides[1 - seat].men);

        ahead = ahead || (others & (bit(sides[seat].last + 1) - 1)) != 0;
    }
    return !ahead;
}

void blocks_counts(float out[2][BLOCKS_MOST], const struct blocks *blocks,
                   const struct bg_board *board, const struct side_points sides[2])
{
    const bool race = blocks_race(blocks, sides);
    struct blocks_mover movers[2];

    shots_begin();
    memset(out, 0, 2 * sizeof out[0]);
    look_at_mover(&movers[0], blocks, board, 0, sides);
    look_at_mover(&movers[1], blocks, board, 1, sides);
    for (int seat = 0; seat < 2; seat++) {
        if (!race) {
            add_moves(out[seat], &movers[seat]);
            add_ways(out[seat] + BLOCKS_WAYS, &movers[seat]);
            add_rows(out[seat] + BLOCKS_ROWS, &movers[seat]);
        }
        add_shape(out[seat] + BLOCKS_SHAPE, &sides[seat]);
        add_race(out[seat] + BLOCKS_RACE, sides, seat, race);
        if (blocks->pins) {
            add_pins(out[seat] + BLOCKS_PINS, board, seat, &sides[seat], &movers[1 - seat]);
        }
    }
}
