/* values.h - bkg as a judge: its chances and equities for asked positions. */
#ifndef BOTS_BKG_VALUES_H
#define BOTS_BKG_VALUES_H

#include <bgref/evaluate.h>

/* Returns own's value after a play that led to board: the other side is about to roll, or the game
 * is over. Units of evaluate.h. user: not used (a bg_value_fn). */
double values_after(void *user, const struct bg_ask *ask, const struct bg_board *board);

/* Answers ask, of one of the kinds BG_VALUE_.... */
void values_find(struct bg_value *out, const struct bg_ask *ask);

#endif
