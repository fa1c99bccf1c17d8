/* commit.h - dice to which both bots contribute, so that no single party can choose them.
 *
 * The digest of the event's key is published first. Before the first game of a pair, each bot sends
 * the digest of its own nonce (its commitment). When both have arrived, both bots reveal their
 * nonces, which go into the pair's key. Nonces are stored before the first roll; later legs and
 * runs use the same ones. A pair that is restarted, or begun under a later event key, gets new
 * nonces. Names in the results: "nonces.A|B|pair", in attempt N "nonces.A|B|pair|N"; under key K
 * followed by "#K".
 */
#ifndef REFEREE_EVENT_COMMIT_H
#define REFEREE_EVENT_COMMIT_H

#include <bgref/dice.h>
#include <store/store.h>

#include "../seat/session.h"
#include "fixtures/ledger.h"

/* The pair's nonces as they go into its key, lower-case hex. */
struct commit_nonces {
    char a[BG_KEY_HEX], b[BG_KEY_HEX];
};

struct commit;

struct commit_listener {
    /* Both nonces of the fixture's pair are durable. */
    void (*agreed)(void *user, const struct fixture *fixture, struct session *const sessions[2],
                   const struct commit_nonces *nonces);
    /* The exchange failed: one bot broke the protocol (bot >= 0, a refused start), or its
     * process ended meanwhile (bot -1). Try the fixture again. */
    void (*failed)(void *user, const struct fixture *fixture, struct session *const sessions[2],
                   int bot, const char *message);
    void (*broken)(void *user, const struct bg_error *err); /* our store */
};

struct commit_setup {
    const char *const *names;      /* of the bots, by index; lent */
    const struct bg_dice_key *key; /* of the event; lent */
    int key_number;                /* of this key in the event, from 1 */
    struct store *store;           /* lent */
    const struct ledger *ledger;   /* lent; counts how often a pair was restarted */
    int64_t limit_ns;              /* for each of the two messages */
    const struct commit_listener *listener;
    void *user;
};

void commit_create(struct commit **out, const struct commit_setup *setup, int room);
void commit_destroy(struct commit *commit); /* NULL is fine */

/* Finds the pair's nonces if they are stored, from this run or an earlier one. */
enum bg_status commit_find(struct commit_nonces *out, bool *found, const struct commit *commit,
                           const struct fixture *fixture, struct bg_error *err);

/* Asks both bots; commit_settle reports the outcome to the listener. sessions: seats 0 and 1.
 * The other leg of a pair that is being asked waits for the same answer. At most `room` fixtures
 * at once. */
void commit_ask(struct commit *commit, const struct fixture *fixture,
                struct session *const sessions[2], int64_t now_ns);

/* Returns whether the bots are being asked for this fixture. */
bool commit_has(const struct commit *commit, const struct fixture *fixture);

/* A message that a session received. Returns false if it was not requested (NULL: always false). */
bool commit_on_digest(struct commit *commit, const struct session *session, const char *subject,
                      const uint8_t digest[WIRE_SECRET]);
bool commit_on_nonce(struct commit *commit, const struct session *session, const char *subject,
                     const uint8_t *nonce, size_t size);
/* The bot does not support these messages. */
bool commit_on_unknown(struct commit *commit, const struct session *session);

/* Advances every exchange and fails those that time out. */
void commit_settle(struct commit *commit, int64_t now_ns);

#endif
