/* values.h - greedy as a judge: its counts as chances.
 *
 * A second opinion, not a good one: a lead in pips becomes a chance to win, the cube counts as
 * dead, a win as a plain one or a little more. For every game with two dice.
 */
#ifndef BOTS_GREEDY_VALUES_H
#define BOTS_GREEDY_VALUES_H

#include <bgref/evaluate.h>

/* Returns seat 0's chance to win when it is about to roll, 0..1. */
double values_chance(const struct bg_variant *variant, const struct bg_board *board);

/* Answers ask, of one of the kinds BG_VALUE_.... */
void values_find(struct bg_value *out, const struct bg_ask *ask);

#endif
