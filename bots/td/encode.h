/* encode.h - a position as the inputs of a net.
 *
 * Seen by the side that has just played: it is "own", and the other side throws next. The same
 * inputs serve every game: for each side and slot how many checkers are there (at least 1, 2, 3,
 * and more), whether one is pinned, and some counts that a player would make. Most inputs are 0, so
 * only the others are listed.
 */
#ifndef BOTS_TD_ENCODE_H
#define BOTS_TD_ENCODE_H

#include <bgref/board.h>
#include <bgref/variant.h>

enum { ENCODE_MOST = 256 /* inputs of a position that are not 0 */ };

struct inputs {
    int count;
    uint16_t index[ENCODE_MOST];
    float value[ENCODE_MOST];
};

/* Returns the number of inputs of this game's net. */
int encode_size(const struct bg_variant *variant);

/* Lists the inputs of board after a play of this seat. */
void encode(struct inputs *out, const struct bg_variant *variant, const struct bg_board *board,
            int seat);

#endif
