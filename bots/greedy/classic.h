/* classic.h - what greedy counts in positions of backgammon and its nearest kin. */
#ifndef BOTS_GREEDY_CLASSIC_H
#define BOTS_GREEDY_CLASSIC_H

#include <bgref/bot.h>

/* Returns whether the sides have passed each other, so that no contact is left. */
bool classic_is_race(const struct bg_board *board);

/* Advantage of seat 0, in pips. Seat 1 is on roll when it is a value after a play. blot_fear:
 * weight of the cost of a hit. */
double classic_value(const struct bg_board *board, double blot_fear);

/* Lead of seat 0 in a race, in parts of its own count. */
double classic_race_lead(const struct bg_board *board);

#endif
