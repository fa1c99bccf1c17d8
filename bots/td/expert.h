/* expert.h - what a backgammon player counts in a position, beyond where the checkers are.
 *
 * Only for games with backgammon's board and hits and two dice; see docs/td.md for the list. The
 * ideas are old: H. Berliner, "Computer backgammon", Scientific American 242 (1980), counts shots,
 * blockade and mobility; G. Tesauro gave such inputs to TD-Gammon.
 */
#ifndef BOTS_TD_EXPERT_H
#define BOTS_TD_EXPERT_H

#include <bgref/board.h>
#include <bgref/variant.h>

#include <stdbool.h>

#include "side.h"

enum { EXPERT_COUNTS = 24 };

/* Returns whether the nets of this game have these inputs. */
bool expert_covers(const struct bg_variant *variant);

/* The counts of both sides, by seat; each about 0 to 1. sides: board's, by seat. earns: a side hits
 * only with the right to hit. */
void expert_counts(float out[2][EXPERT_COUNTS], const struct bg_board *board,
                   const struct side_points sides[2], bool earns);

#endif
