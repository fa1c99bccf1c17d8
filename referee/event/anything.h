/* anything.h - whether results bind anybody: a run in which nothing was played, since a bot did not
 * start, does not.
 */
#ifndef EVENT_ANYTHING_H
#define EVENT_ANYTHING_H

#include "store/store.h"

/* *played: a game is stored, or a fixture that was given up. */
enum bg_status anything_played(bool *played, struct store *store, struct bg_error *err);

#endif
