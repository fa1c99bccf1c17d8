/* remote_bots.h - the remote bots that the gateway knows: names, keys, where the referee waits, and
 * how often each may come. Pure: time is an argument. */
#ifndef HOST_DOOR_REMOTE_BOTS_H
#define HOST_DOOR_REMOTE_BOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/entry_limits.h"
#include "inside.h"
#include "loop/link.h"
#include "proof/key_pair.h"

enum {
    REMOTE_BOT_REASON = 200,
    REMOTE_BOT_HANDSHAKES = 10, /* of one key in a minute */
    REMOTE_BOT_MINUTE_S = 60,
    REMOTE_BOT_HOUR_S = 3600
};

/* A key that two programs use at the same time: each takes the other's place. Without an end they
 * would do so for ever, and lose games by it. After REPLACEMENTS_MOST times within
 * REPLACEMENTS_WITHIN_NS both are dropped, and the key has to wait REPLACEMENTS_WAIT_NS. */
#define REPLACEMENTS_WITHIN_NS INT64_C(60000000000)
#define REPLACEMENTS_WAIT_NS   INT64_C(300000000000)

enum { REPLACEMENTS_MOST = 3, REPLACEMENTS_PLACES = 8 /* as many connections as a bot may have */ };

struct replacements {
    struct {
        int64_t at_ns[REPLACEMENTS_MOST]; /* the latest ones, in turn */
        uint64_t count;
    } places[REPLACEMENTS_PLACES];
    int64_t until_ns; /* the key waits until then */
};

struct remote_bot {
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
    char endpoint[LINK_ENDPOINT]; /* the referee waits here; "" it does not */
    bool is_gone;                 /* its key is not known any more */
    bool is_barred;               /* kept out: */
    char reason[REMOTE_BOT_REASON];
    int64_t asked_ns;                 /* when the referee was asked how the bot stands */
    struct replacements replacements; /* of its connections */
    struct cidr from[ENTRY_NETWORKS]; /* the only networks from which it may come */
    int from_count;                   /* 0: from all */
    int connections;                  /* open with its key */
    int64_t due_ns;                   /* an even flow of handshakes would bring the next one then */
    int starts;                       /* most in an hour */
    int64_t start_ns;                 /* an even flow of them would bring the next one then */
};

struct remote_bots {
    struct remote_bot **list; /* owned, as are they; a bot stays where it is */
    size_t room;
    int count;
};

void remote_bots_deinit(struct remote_bots *bots);
/* Adds a bot, or changes one that is known, as a message ALLOW says. Returns false if its key or
 * one of its networks is invalid. */
bool remote_bots_add(struct remote_bots *bots, const Inside__Message *allow);
/* Returns whether the bot may come from this address. */
bool remote_bot_may_come_from(const struct remote_bot *bot, const char *address);
/* Returns whether the bot may come once more, which is counted. Do not ask for one that comes from
 * a network from which it may not: a stolen key must not use up its owner's. */
bool remote_bot_may_shake_hands(struct remote_bot *bot, int64_t now_ns);
/* Returns 0 if the bot may start once more, which is counted; else how long it has to wait. */
int64_t remote_bot_start(struct remote_bot *bot, int64_t now_ns);
/* The host itself has ended a connection: handshake and start of the next one are not the bot's. */
void remote_bot_forgive(struct remote_bot *bot);
/* Nobody is kept out. */
void remote_bots_unbar(struct remote_bots *bots);
/* Return the bot, or NULL. */
struct remote_bot *remote_bots_find(const struct remote_bots *bots, const char *name);
struct remote_bot *remote_bots_by_key(const struct remote_bots *bots, const unsigned char *key);

/* A connection of another program has taken this place. Returns true if the key has to wait from
 * now on. Each place is counted for itself: a bot that joins several times at once and is started
 * again replaces all of them at the same time. */
bool replacements_note(struct replacements *of, int place, int64_t now_ns);

/* Returns how long the key has to wait; 0: it may come. */
int64_t replacements_wait_ns(const struct replacements *of, int64_t now_ns);

#endif
