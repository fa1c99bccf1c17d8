/* board.h - where the checkers are.
 *
 * Both seats count from their own side: a seat's slot 24 is farthest from bearing off, its slot 1
 * is the last point before bearing off. The other seat's number of the same point depends on the
 * game (contrary, parallel, common: bg_variant_opponent_slot in variant.h).
 */
#ifndef BGREF_BOARD_H
#define BGREF_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include <bgref/api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BG_OFF = 0,     /* borne off */
    BG_POINTS = 24, /* slots 1..24 are points */
    BG_BAR = 25,    /* hit, waiting to enter */
    BG_HAND = 26,   /* not yet in play (acey-deucey, russian, tabula, ...) */
    BG_FAR = 27,    /* slot of point 25; points 25..36 of the 36-point board are slots 27..38 */
    BG_SLOTS = 39,
    BG_CHECKERS = 15 /* of a seat, in every game but hypergammon (3) */
};

/* A position without cube, dice or score. A plain value: copy it, compare it with bg_board_equal.
 */
struct bg_board {
    uint8_t
        at[2][BG_SLOTS]; /* at[seat][slot]: checkers, 0..15, each seat counting from its own side */
    uint64_t pinned[2]; /* bit s: that seat's one checker on its slot s is pinned by the opponent */
    uint8_t turns[2];   /* gulbara: turns completed, counted up to 3; else 0 */
    uint8_t may_hit[2]; /* dutch: 1 when the seat may hit; else 0 */
    uint8_t stacked[2][7]; /* kiz-tavlasi: checkers still stacked on own points 1..6; else 0 */
};

/* True when both hold the same position, byte for byte in every field. */
BG_API bool bg_board_equal(const struct bg_board *a, const struct bg_board *b);

/* Sets *out to the same position with the seats exchanged. out may be board. */
BG_API void bg_board_swap(struct bg_board *out, const struct bg_board *board);

/* Returns the pips that seat still needs on the 24-point board: the sum of slot number times
 * checkers; bar and hand count 25. Points 25..36 count by their point number. */
BG_API int bg_board_pips(const struct bg_board *board, int seat);

/* Returns the number of all checkers of seat, including those off. */
BG_API int bg_board_count(const struct bg_board *board, int seat);

#ifdef __cplusplus
}
#endif
#endif
