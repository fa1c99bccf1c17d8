/* gather_games.h - what a report shows of the games themselves. Private to the gathering.
 */
#ifndef RESULTS_GATHER_GATHER_GAMES_H
#define RESULTS_GATHER_GATHER_GAMES_H

#include "gather.h"

/* Legs, matches, times, clocks, rolls and players of every game that counts, from the runs of the
 * store; of the records only the first that names a program is read. BG_E_STORE, BG_E_FORMAT,
 * BG_E_MEMORY. */
enum bg_status gather_games(struct gather *out, struct bg_error *err);

#endif
