/* event_keys.h - the keys under which a running event has the bots that got another key since it
 * began. */
#ifndef HOST_HOST_EVENT_KEYS_H
#define HOST_HOST_EVENT_KEYS_H

#include <stddef.h>

#include "proof/key_pair.h"

struct event_key {
    int bot;
    char key[KEY_FILE_DIGITS];
};

struct event_keys {
    struct event_key *list; /* owned; at most one of a bot */
    size_t room;
    int count;
};

/* The event has this bot under this key and no other one. */
void event_keys_set(struct event_keys *keys, int bot, const char *key);

/* Returns NULL if the bot's key has not changed since the event began; lent until the next set. */
const char *event_keys_find(const struct event_keys *keys, int bot);

void event_keys_deinit(struct event_keys *keys);

#endif
