/* Few bots of an event ever change their key, so a list that is searched is enough; who is not
 * in it has the key of the host's list. */
#include "event_keys.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static struct event_key *find_key(const struct event_keys *keys, int bot)
{
    for (int i = 0; i < keys->count; i++) {
        if (keys->list[i].bot == bot) {
            return &keys->list[i];
        }
    }
    return NULL;
}

void event_keys_set(struct event_keys *keys, int bot, const char *key)
{
    struct event_key *at = find_key(keys, bot);

    if (at == NULL) {
        keys->list = memory_list(keys->list, &keys->room, (size_t)keys->count + 1, sizeof *at);
        at = &keys->list[keys->count++];
        at->bot = bot;
    }
    snprintf(at->key, sizeof at->key, "%s", key);
}

const char *event_keys_find(const struct event_keys *keys, int bot)
{
    const struct event_key *at = find_key(keys, bot);

    return at == NULL ? NULL : at->key;
}

void event_keys_deinit(struct event_keys *keys)
{
    free(keys->list);
    *keys = (struct event_keys){.count = 0};
}
