/* The name of the earlier bot is a setting of its own for each bot, and no column: it is asked
 * for once at an event's start, by few events. */
#include "continued.h"

#include <stdio.h>

enum bg_status continued_before(char out[CONTINUED_NAME], struct store *store, const char *bot,
                                struct bg_error *err)
{
    char key[96];

    snprintf(key, sizeof key, "event.continues.%.64s", bot);
    return store_meta_text(out, CONTINUED_NAME, store, key, err);
}
