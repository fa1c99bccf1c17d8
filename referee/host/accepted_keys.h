/* accepted_keys.h - keys of bots that a running event takes in place of those with which it began.
 */
#ifndef REFEREE_HOST_ACCEPTED_KEYS_H
#define REFEREE_HOST_ACCEPTED_KEYS_H

#include <stdbool.h>

#include "proof/key_file.h"

struct accepted_key {
    int bot;
    char key[KEY_FILE_DIGITS];
};

struct accepted_keys {
    struct accepted_key *list; /* owned */
    int count;
};

/* Returns false without memory. */
bool accepted_keys_add(struct accepted_keys *keys, int bot, const char *key);
bool accepted_keys_have(const struct accepted_keys *keys, int bot, const char *key);
void accepted_keys_deinit(struct accepted_keys *keys);

#endif
