/* encode.h - a position as the inputs of a net.
 *
 * Seen by the side that has just played: it is "own", and the other side throws next. The same
 * inputs serve every game: for each side and slot how many checkers are there (at least 1, 2, 3,
 * and more), whether one is pinned, and some counts that a player would make (in games like
 * backgammon more of them: expert.h). Most inputs are 0, so only the others are listed.
 */
#ifndef BOTS_TD_ENCODE_H
#define BOTS_TD_ENCODE_H

#include <bgref/board.h>
#include <bgref/variant.h>

#include <stdbool.h>

#include "blocks.h"
#include "expert.h"

enum {
    ENCODE_MOST = 512,                /* inputs of a position that are not 0, or of a change */
    ENCODE_COUNTS = 16 + BLOCKS_MOST, /* most of a side; in most games 16 */
    ENCODE_SLOTS = BG_HAND            /* slots 1 to this have inputs in every game */
};

struct inputs {
    int count;
    uint16_t index[ENCODE_MOST];
    float value[ENCODE_MOST];
};

/* What the inputs of a game are. */
struct encoding {
    const struct bg_variant *variant;
    bool far;             /* a board with 36 points */
    bool expert;          /* with the counts of expert.h */
    bool earns;           /* dutch: a side has to earn the right to hit */
    struct blocks blocks; /* which counts of blocks.h */
    int side;             /* inputs of a side */
    int size;             /* of a net */
};

void encoding_begin(struct encoding *out, const struct bg_variant *variant);

/* Lists the inputs of board after a play of this seat, in ascending order. */
void encode(struct inputs *out, const struct encoding *encoding, const struct bg_board *board,
            int seat);

/* Adds the inputs of so many checkers of a side (0 own, 1 the other) on a slot from 1 to
 * ENCODE_SLOTS. */
void encode_slot(struct inputs *out, const struct encoding *encoding, int side, int slot,
                 int checkers);
/* Returns whether an input is one of those. */
bool encode_is_slot(const struct encoding *encoding, int index);

/* A position from which plays of one seat start. */
struct encode_base {
    struct bg_board board;
    int seat;
    float counts[2][ENCODE_COUNTS]; /* own, the other side's */
};

void encode_base_begin(struct encode_base *out, const struct encoding *encoding,
                       const struct bg_board *board, int seat);

/* Lists the inputs that are not the same as the base's, with what they have more than there. */
void encode_change(struct inputs *out, const struct encoding *encoding,
                   const struct encode_base *base, const struct bg_board *board);

#endif
