/* continued.h - which entrant of an event continues which: a bot whose program changed plays on as
 * a new entrant (revisions: new_entry), and its results before and after stay apart.
 *
 * Stored as settings "event.continues.NEW", whose value is the name that NEW continues.
 */
#ifndef RESULTS_STORE_CONTINUED_H
#define RESULTS_STORE_CONTINUED_H

#include "store.h"

enum {
    CONTINUED_MOST = 9, /* the highest number behind a name in an event: NAME.9 */
    CONTINUED_NAME = 65,
    CONTINUED_KEY = 96
};

/* Writes the setting's name. */
void continued_key(char out[CONTINUED_KEY], const char *bot);

/* Finds the name that this bot continues; "" none. BG_E_STORE. */
enum bg_status continued_before(char out[CONTINUED_NAME], struct store *store, const char *bot,
                                struct bg_error *err);

/* Finds the name that continues this bot; "" none. BG_E_STORE. */
enum bg_status continued_after(char out[CONTINUED_NAME], struct store *store, const char *bot,
                               struct bg_error *err);

#endif
