#include "continued.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "event.continues."

struct seeking {
    const char *before;
    char *after;
};

void continued_key(char out[CONTINUED_KEY], const char *bot)
{
    snprintf(out, CONTINUED_KEY, PREFIX "%.64s", bot);
}

enum bg_status continued_before(char out[CONTINUED_NAME], struct store *store, const char *bot,
                                struct bg_error *err)
{
    char key[CONTINUED_KEY];
    bool found = false;

    continued_key(key, bot);
    out[0] = '\0';
    return store->ops->meta_get(store, key, out, CONTINUED_NAME, &found, err);
}

static void look(void *user, const char *key, const char *value)
{
    const struct seeking *seeking = user;

    if (strcmp(value, seeking->before) == 0) {
        snprintf(seeking->after, CONTINUED_NAME, "%s", key + strlen(PREFIX));
    }
}

enum bg_status continued_after(char out[CONTINUED_NAME], struct store *store, const char *bot,
                               struct bg_error *err)
{
    struct seeking seeking = {bot, out};

    out[0] = '\0';
    return store->ops->meta_each(store, PREFIX, look, &seeking, err);
}
