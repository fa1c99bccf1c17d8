/* turn.h - what a roll is worth where a turn goes on after its first stage: named doubles, higher
 * numbers, complements, numbers for the opponent, another roll. */
#ifndef BOTS_TD_TURN_H
#define BOTS_TD_TURN_H

#include <bgref/evaluate.h>

#include "values.h"

/* A turn of own that begins at ask's board. */
struct turn {
    const struct player *player; /* lent, like ask */
    const struct bg_ask *ask;
    struct bg_match before; /* own, seat 0, is about to roll */
};

/* BG_E_ARGUMENT: no game can be at this board. */
enum bg_status turn_begin(struct turn *out, const struct player *player, const struct bg_ask *ask,
                          struct bg_error *err);

/* Returns the value after a roll, and its best first play. The turn is played on with the best few
 * plays of its stages; where own rolls again, the value is that of own about to roll. */
double turn_roll(struct bg_play *out, const struct turn *turn, struct bg_roll roll);

/* Returns the same if the first stage of the roll leads to this board. */
double turn_played(const struct turn *turn, struct bg_roll roll, const struct bg_board *board);

#endif
