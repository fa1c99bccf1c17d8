/* random_board.h - positions nobody has played: checkers strewn, crowded, primed or pinned, within
 * what the game allows to stand. */
#ifndef SUPPORT_RANDOM_BOARD_H
#define SUPPORT_RANDOM_BOARD_H

#include "plays_plain.h"

/* Checkers of both seats always add up; no position is that of a finished game. */
void random_board(struct bg_board *out, const struct plain_game *game, uint64_t *random);

/* A stage that the game can have: a roll, or a number some times where there are such stages. */
struct plain_stage random_stage(const struct plain_game *game, uint64_t *random);

#endif
