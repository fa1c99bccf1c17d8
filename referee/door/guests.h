/* guests.h - the remote bots that the gateway knows: names, keys, and where the referee waits. */
#ifndef REFEREE_DOOR_GUESTS_H
#define REFEREE_DOOR_GUESTS_H

#include <stdbool.h>

#include "loop/link.h"
#include "proof/key_file.h"

enum { GUEST_REASON = 200 };

struct guest {
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
    char endpoint[LINK_ENDPOINT]; /* the referee waits here; "" it does not */
    bool is_barred;               /* kept out: */
    char reason[GUEST_REASON];
};

struct guests {
    struct guest *list; /* owned */
    int count;
};

void guests_deinit(struct guests *guests);
/* Adds a bot. Returns false if the key is invalid or memory is short. */
bool guests_add(struct guests *guests, const char *name, const char *hex);
/* Nobody is kept out. */
void guests_unbar(struct guests *guests);
/* Return the bot, or NULL. */
struct guest *guests_find(const struct guests *guests, const char *name);
const struct guest *guests_by_key(const struct guests *guests, const unsigned char *key);

#endif
