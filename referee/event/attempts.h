/* attempts.h - pairs that are begun anew as a whole, because people could know their dice.
 *
 * A game that is lost or void is played again with the same dice. A pair whose dice were shown is
 * not: all of it is set aside in the store, and its next attempt has a number of its own, which is
 * part of the key of its dice and of what bots see of its games. That is a stored act with a
 * reason. It is planned here for pairs that a published key has left unfinished, and stored when
 * the bots have started (ledger_begin); for others `bgref set-aside` takes it.
 */
#ifndef EVENT_ATTEMPTS_H
#define EVENT_ATTEMPTS_H

#include "ledger.h"

/* Plans to begin anew every begun pair of which games come from another key than the one in force
 * (ledger_plan_anew); stores nothing. */
enum bg_status attempts_find_shown(struct ledger *ledger, const struct schedule *schedule,
                                   struct bg_error *err);

#endif
