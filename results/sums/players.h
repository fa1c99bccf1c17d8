/* players.h - the names that imported players have in their files.
 */
#ifndef RESULTS_SUMS_PLAYERS_H
#define RESULTS_SUMS_PLAYERS_H

#include <tally/tally.h>

/* Gives every bot of the tally the name that its records have for the player (version0, version1),
 * cleaned, if that differs from its own, is not empty and belongs to no other player. For stores
 * of imports: reads texts of games until all are known. BG_E_STORE, BG_E_MEMORY. */
enum bg_status players_read(struct tally *tally, struct store *store, struct bg_error *err);

#endif
