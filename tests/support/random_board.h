/* random_board.h - positions that no game reached: checkers scattered, crowded, primed or pinned,
 * within the game's limits. */
#ifndef SUPPORT_RANDOM_BOARD_H
#define SUPPORT_RANDOM_BOARD_H

#include "plays_plain.h"

/* The checkers of both seats always have the full number; no position is from a finished game. */
void random_board(struct bg_board *out, const struct plain_game *game, uint64_t *random);

/* A stage that the game can have: a roll, or one number several times in games with such stages. */
struct plain_stage random_stage(const struct plain_game *game, uint64_t *random);

#endif
