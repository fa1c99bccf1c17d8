/* hyper.h - positions and plays of hypergammon: one to three checkers a side.
 *
 * A side's position is a way of men.h on 25 places: points 1..24 in its own numbering, and the bar
 * (25). A position of the game is a pair: the side on roll and the other side.
 */
#ifndef BOTS_EXACT_HYPER_H
#define BOTS_EXACT_HYPER_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/board.h>
#include <bgref/error.h>

#include "men.h"

enum {
    HYPER_CHECKERS_MAX = 3,
    HYPER_PLACES = 25,
    HYPER_ROLLS = 21, /* in the order 11, 21, 22, 31, ... 66, as bg_roll_at */
    HYPER_SUBSETS = 1 << HYPER_CHECKERS_MAX
};

/* What a side's position means for the other side. Points are bits: bit p - 1 is point p in the
 * other side's numbering. */
struct hyper_side {
    uint32_t points;                   /* with checkers of this side */
    uint32_t blots;                    /* with one checker */
    uint32_t blot[HYPER_CHECKERS_MAX]; /* each of the blots, 0 if there are fewer */
    uint16_t hit[HYPER_SUBSETS]; /* its position when the blots of bit i of the index are hit */
    uint8_t block;               /* the point held by two or more, 0 none: never two points */
    uint8_t level;               /* points lost if the other side has just won: 1, 2, 3 */
    uint8_t pips;
};

/* One play of a roll, from the side's own view. */
struct hyper_play {
    uint32_t landed; /* points on which a checker landed, also on the way: blots there are hit */
    uint16_t to;     /* position after it */
};

struct hyper {
    int checkers;
    struct men men;
    struct hyper_side *side;  /* of each position; mirrored as said above */
    uint32_t *own_points;     /* points with checkers in the side's own numbering */
    uint32_t *list;           /* where the plays of a position, block and roll are */
    struct hyper_play *plays; /* all lists, equal ones once */
    size_t used, capacity;
};

/* Lists all plays of a game with 1..3 checkers a side. Needs 35 MB and some seconds with 3.
 * BG_E_MEMORY. hyper_deinit ends it, also after a failure. */
enum bg_status hyper_init(struct hyper *out, int checkers, struct bg_error *err);
void hyper_deinit(struct hyper *hyper);

/* Sets only `men` and `side`, what lookups need. */
enum bg_status hyper_init_sides(struct hyper *out, int checkers, struct bg_error *err);

/* Sets *count and returns the plays of a roll while the point `block` is closed, 0 none. At least
 * one: a roll that cannot be played stays. Some may have the same result. */
const struct hyper_play *hyper_list(int *count, const struct hyper *hyper, int position, int block,
                                    int roll);

/* Returns which of a side's blots a play hits, as bits; its position is then side->hit[these]. */
static inline unsigned hyper_hit(const struct hyper_side *side, uint32_t landed)
{
    unsigned subset = 0;

    for (int i = 0; i < HYPER_CHECKERS_MAX; i++) {
        subset |= (landed & side->blot[i]) != 0 ? 1u << i : 0u;
    }
    return subset;
}

/* Returns whether the two positions can stand on one board: no point has checkers of both. */
static inline bool hyper_fits(const struct hyper *hyper, int own, int other)
{
    return (hyper->own_points[own] & hyper->side[other].points) == 0;
}

/* Returns the position of a side with hyper->checkers checkers on the board or off. */
int hyper_find(const struct hyper *hyper, const uint8_t at[BG_SLOTS]);

#endif
