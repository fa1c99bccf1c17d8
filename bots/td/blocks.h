/* blocks.h - what a player counts in a position of a game without hits: who can still move, and
 * what stands in the way.
 *
 * Blocking games close a point with one checker, pinning games with two or by a pin. See docs/td.md
 * for the list.
 */
#ifndef BOTS_TD_BLOCKS_H
#define BOTS_TD_BLOCKS_H

#include <bgref/board.h>
#include <bgref/variant.h>

#include <stdbool.h>

#include "side.h"

enum {
    BLOCKS_WHOLE,   /* share of throws that can be played in full */
    BLOCKS_NOTHING, /* of which nothing can be played */
    BLOCKS_WASTED,  /* mean pips that cannot be played, by 8 */
    BLOCKS_SOURCES, /* for each number the points from which a checker can move with it, by 5 */
    BLOCKS_WAYS = BLOCKS_SOURCES + 6,
    BLOCKS_ROWS = BLOCKS_WAYS + 5,
    BLOCKS_SHAPE = BLOCKS_ROWS + 4,
    BLOCKS_RACE = BLOCKS_SHAPE + 8,
    BLOCKS_PINS = BLOCKS_RACE + 4, /* these only in pinning games */
    BLOCKS_MOST = BLOCKS_PINS + 6
};

/* What of a game the counts depend on. */
struct blocks {
    int count;     /* of counts; 0: the game has none */
    bool parallel; /* both sides go the same way, from opposite corners */
    bool pins;     /* one checker closes no point */
    bool head;     /* one checker a turn leaves the start */
};

void blocks_begin(struct blocks *out, const struct bg_variant *variant);

/* The counts of both sides, by seat; each about 0 to 1. sides: board's, by seat. */
void blocks_counts(float out[2][BLOCKS_MOST], const struct blocks *blocks,
                   const struct bg_board *board, const struct side_points sides[2]);

/* Returns whether no checker has one of the other side before it. */
bool blocks_race(const struct blocks *blocks, const struct side_points sides[2]);

#endif
