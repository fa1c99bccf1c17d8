/* shots.h - which of the 36 throws hit, enter and escape: the dice behind the terms.
 *
 * at[] and slots are always the own numbering of the side that is about to throw; theirs[] is the
 * other side's, numbered from its own end, as in struct bg_board.
 */
#ifndef BOTS_BKG_SHOTS_H
#define BOTS_BKG_SHOTS_H

#include <bgref/board.h>

/* One throw's chances against the blots of the other side. */
struct shots {
    double hit;  /* 0..1: some blot is hit */
    double loss; /* pips that the other side loses, mean over all throws: the costliest blot of
                    each throw that hits */
};

/* Finds the shots of the side with `at` against the blots in `theirs`. */
void shots_find(struct shots *out, const uint8_t at[BG_SLOTS], const uint8_t theirs[BG_SLOTS]);

/* Returns the chance, 0..1, that a checker on the bar does not enter with one throw. */
double shots_stays_out(const uint8_t theirs[BG_SLOTS]);

/* Returns the chance, 0..1, that one throw takes a checker from `slot` (the bar is 25) to slot
 * `beyond` or lower, when both numbers are played with it. */
double shots_escapes(const uint8_t theirs[BG_SLOTS], int slot, int beyond);

#endif
