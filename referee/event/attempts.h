/* attempts.h - pairs that are begun anew as a whole, because people could know their dice.
 *
 * A game that is lost or void is played again with the same dice. A pair whose dice were shown is
 * not: all of it is set aside in the store, and its next attempt has a number of its own, which is
 * part of the key of its dice and of what bots see of its games. That is a stored act with a
 * reason. It is taken here for pairs that a published key has left unfinished; for others by
 * `bgref set-aside`.
 */
#ifndef EVENT_ATTEMPTS_H
#define EVENT_ATTEMPTS_H

#include "ledger.h"

/* Sets aside every begun pair of which games come from another key than the one in force, and
 * lets the ledger look anew. *pairs: how many. at: as in struct store_attempt. */
enum bg_status attempts_begin_shown(uint64_t *pairs, struct ledger *ledger,
                                    const struct schedule *schedule, const char *at,
                                    struct bg_error *err);

/* Seconds since 1970 as struct store_attempt has them. */
enum { ATTEMPTS_TIME = 32 };
void attempts_time(char out[ATTEMPTS_TIME], int64_t calendar_s);

#endif
