/* study.h - nets that learn from a net: no result of a game is needed. */
#ifndef BOTS_TD_STUDY_H
#define BOTS_TD_STUDY_H

#include "player.h"

/* Makes the net of a sieve for player->net: in games of the player with itself it learns the
 * chances of the best play and of some others of each roll. The caller destroys it.
 * BG_E_MEMORY. */
enum bg_status study_sieve(struct net *out, const struct player *player, long games, uint64_t seed,
                           struct bg_error *err);

#endif
