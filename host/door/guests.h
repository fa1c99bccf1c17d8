/* guests.h - the remote bots that the gateway knows: names, keys, and where the referee waits. */
#ifndef HOST_DOOR_GUESTS_H
#define HOST_DOOR_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/entry_limits.h"
#include "inside.h"
#include "loop/link.h"
#include "proof/key_pair.h"
#include "replacements.h"

enum {
    GUEST_REASON = 200,
    GUEST_HANDSHAKES = 10, /* of one key in a minute */
    GUEST_MINUTE_S = 60,
    GUEST_HOUR_S = 3600
};

struct guest {
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
    char endpoint[LINK_ENDPOINT]; /* the referee waits here; "" it does not */
    bool is_gone;                 /* its key is not known any more */
    bool is_barred;               /* kept out: */
    char reason[GUEST_REASON];
    int64_t asked_ns;                 /* when the referee was asked how the bot stands */
    struct replacements replacements; /* of its connections */
    struct cidr from[ENTRY_NETWORKS]; /* the only networks from which it may come */
    int from_count;                   /* 0: from all */
    int connections;                  /* open with its key */
    int64_t due_ns;                   /* an even flow of handshakes would bring the next one then */
    int starts;                       /* most in an hour */
    int64_t start_ns;                 /* an even flow of them would bring the next one then */
};

struct guests {
    struct guest **list; /* owned, as are they; a guest stays where it is */
    size_t room;
    int count;
};

void guests_deinit(struct guests *guests);
/* Adds a bot, or changes one that is known, as a message ALLOW says. Returns false if its key or
 * one of its networks is invalid. */
bool guests_add(struct guests *guests, const Inside__Message *allow);
/* Returns whether the bot may come from this address. */
bool guest_may_come_from(const struct guest *guest, const char *address);
/* Returns whether the bot may come once more, which is counted. Do not ask for one that comes from
 * a network from which it may not: a stolen key must not use up its owner's. */
bool guest_may_shake_hands(struct guest *guest, int64_t now_ns);
/* Returns 0 if the bot may start once more, which is counted; else how long it has to wait. */
int64_t guest_start(struct guest *guest, int64_t now_ns);
/* The host itself has ended a connection: handshake and start of the next one are not the bot's. */
void guest_forgive(struct guest *guest);
/* Nobody is kept out. */
void guests_unbar(struct guests *guests);
/* Return the bot, or NULL. */
struct guest *guests_find(const struct guests *guests, const char *name);
struct guest *guests_by_key(const struct guests *guests, const unsigned char *key);

#endif
