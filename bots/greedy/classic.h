/* classic.h - greedy's counts for positions of backgammon and similar games. */
#ifndef BOTS_GREEDY_CLASSIC_H
#define BOTS_GREEDY_CLASSIC_H

#include <bgref/bot.h>

/* Returns whether the sides have passed each other, so that no contact is left. */
bool classic_is_race(const struct bg_board *board);

/* Returns seat 0's advantage in pips. After a play, seat 1 is on roll. blot_fear: weight of the
 * cost of a hit. */
double classic_value(const struct bg_board *board, double blot_fear);

/* Returns seat 0's lead in a race, as a share of its own count. */
double classic_race_lead(const struct bg_board *board);

#endif
