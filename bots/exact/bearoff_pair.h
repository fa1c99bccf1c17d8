/* bearoff_pair.h - both sides bear off their last checkers: exact equities.
 *
 * At most 6 checkers a side on the last 6 points, at least one of each side's 15 off, so that no
 * gammon is possible: 924 x 924 positions, each the best play for its own cube. 14 MB.
 */
#ifndef BOTS_EXACT_BEAROFF_PAIR_H
#define BOTS_EXACT_BEAROFF_PAIR_H

#include <bgref/board.h>
#include <bgref/error.h>

enum { BEAROFF_PAIR_CHECKERS = 6, BEAROFF_PAIR_POINTS = 6, BEAROFF_PAIR_SIDES = 924 };

/* For the side on roll, if it rolls now, without doubling first; money, in units of the cube,
 * unlimited cube. The chance to win a game without a cube is (cubeless + 1) / 2. After a double
 * that is taken the equity is 2 * other, so it is taken where that is at most 1. */
struct bearoff_equities {
    float cubeless;
    float own;     /* it owns the cube */
    float other;   /* the other side owns it */
    float centred; /* in the middle */
};

struct bearoff_pair;

/* Computes all positions. BG_E_MEMORY. The caller destroys it. */
enum bg_status bearoff_pair_create(struct bearoff_pair **out, struct bg_error *err);

/* pair may be NULL. */
void bearoff_pair_destroy(struct bearoff_pair *pair);

/* Returns the number of a side's position, 0..923, -1 if it is not one of them. 0: all are off. */
int bearoff_pair_find(const struct bearoff_pair *pair, const uint8_t at[BG_SLOTS]);

/* Set *out to the equities of the side on roll with position `own`: if it rolls, and before it
 * decides whether to double. Not both positions are 0. */
void bearoff_pair_rolled(struct bearoff_equities *out, const struct bearoff_pair *pair, int own,
                         int other);
void bearoff_pair_before(struct bearoff_equities *out, const struct bearoff_pair *pair, int own,
                         int other);

#endif
