#include "accepted_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool accepted_keys_add(struct accepted_keys *keys, int bot, const char *key)
{
    struct accepted_key *more = realloc(keys->list, ((size_t)keys->count + 1) * sizeof *more);

    if (more == NULL) {
        return false;
    }
    keys->list = more;
    more[keys->count].bot = bot;
    snprintf(more[keys->count].key, sizeof more->key, "%s", key);
    keys->count++;
    return true;
}

bool accepted_keys_have(const struct accepted_keys *keys, int bot, const char *key)
{
    for (int i = 0; i < keys->count; i++) {
        if (keys->list[i].bot == bot && strcmp(keys->list[i].key, key) == 0) {
            return true;
        }
    }
    return false;
}

void accepted_keys_deinit(struct accepted_keys *keys)
{
    free(keys->list);
    *keys = (struct accepted_keys){.count = 0};
}
