/* continued.h - which entrant of an event continues which. Earlier versions of bgref let a bot
 * whose program changed play on as a new entrant, and kept its results before and after apart.
 *
 * Stored as settings "event.continues.NEW", whose value is the name that NEW continues. Only read.
 */
#ifndef RESULTS_STORE_CONTINUED_H
#define RESULTS_STORE_CONTINUED_H

#include "store.h"

enum { CONTINUED_NAME = 65 };

/* Finds the name that this bot continues; "" none. BG_E_STORE. */
enum bg_status continued_before(char out[CONTINUED_NAME], struct store *store, const char *bot,
                                struct bg_error *err);

#endif
