/* gather_games.h - what a report shows of the games themselves. Private to the gather room. */
#ifndef RESULTS_SUMS_GATHER_GAMES_H
#define RESULTS_SUMS_GATHER_GAMES_H

#include "gather.h"

/* Reads legs, matches, times, clocks, rolls and players of every game that counts, from the store's
 * runs. Reads records only for the first game of each program. BG_E_STORE, BG_E_FORMAT. */
enum bg_status gather_games(struct gather *out, struct bg_error *err);

#endif
