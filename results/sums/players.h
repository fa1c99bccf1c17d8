/* players.h - the names of imported players in their files. */
#ifndef RESULTS_SUMS_PLAYERS_H
#define RESULTS_SUMS_PLAYERS_H

#include <sums/tally.h>

/* Sets every bot's display name in the tally to the player's name in the records (version0,
 * version1), cleaned, if it differs from the bot's name, is not empty and no other player has it.
 * For stores of imports: reads games' texts until all names are known. BG_E_STORE. */
enum bg_status players_read(struct tally *tally, struct store *store, struct bg_error *err);

#endif
