/* gauntlet.h - some entrants, the heroes, meet each of the others, the challengers. Pure.
 *
 * In each round hero h meets challenger (round - 1 + h) mod challengers, so that unfinished tables
 * can be compared.
 */
#ifndef RESULTS_SEASON_GAUNTLET_H
#define RESULTS_SEASON_GAUNTLET_H

#include "history.h"

/* Fills out[0..heroes - 1] for a round, 1 <= round <= challengers. hero and challenger list
 * entrants. Returns the number of meetings: heroes. */
int gauntlet_round(struct meeting *out, const int *hero, int heroes, const int *challenger,
                   int challengers, int round);

#endif
