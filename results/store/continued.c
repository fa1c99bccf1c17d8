#include "continued.h"

#include <stdio.h>

enum bg_status continued_before(char out[CONTINUED_NAME], struct store *store, const char *bot,
                                struct bg_error *err)
{
    char key[96];
    bool found = false;

    snprintf(key, sizeof key, "event.continues.%.64s", bot);
    out[0] = '\0';
    return store->ops->meta_get(store, key, out, CONTINUED_NAME, &found, err);
}
