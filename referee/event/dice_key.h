/* dice_key.h - the keys of an event's dice: made, kept beside the results, published, replaced.
 *
 * A key is secret until the event has ended; then it stands in the results, so that everybody can
 * compute the dice. An event that goes on after that (more pairs, new bots) takes a new random key,
 * whose digest stands in the results before the first roll from it. In the results (meta) the keys
 * are "dice.digest", "dice.key", then "dice.digest.2", "dice.key.2", ...; each record names the
 * digest of its key.
 */
#ifndef EVENT_DICE_KEY_H
#define EVENT_DICE_KEY_H

#include <bgref/dice.h>

#include "store/store.h"

#include "config/config.h"

enum {
    DICE_KEY_PATH = 1100,
    DICE_KEY_NAME = 32,
    DICE_KEY_SETTINGS = 2 /* that a new key has in the results, at most */
};

struct dice_key {
    const struct config_event *event; /* lent, like store */
    struct store *store;
    struct bg_dice_key first, key; /* of the event's beginning; in force */
    char path[DICE_KEY_PATH];      /* "RESULTS.key" */
    int number;                    /* of the key in force, from 1 */
    const char *kind;              /* where dice come from, for the results; lent */
    bool is_new, has_file;         /* its digest is not stored yet; its file is there */
    bool is_public;                /* published: nothing may be rolled from it any more */
    char digest_name[DICE_KEY_NAME], digest[BG_KEY_HEX]; /* of a new key, while it begins */
};

/* Finds the key in force, or draws one, which nothing keeps yet. played: games were stored before.
 * goes_on: there is more to play, so a published key is replaced. BG_E_SYSTEM: a key file;
 * BG_E_CONFIG: event->key_file does not fit. */
enum bg_status dice_key_open(struct dice_key *out, const struct config_event *event,
                             struct store *store, const char *kind, bool played, bool goes_on,
                             struct bg_error *err);

/* Before the first roll: a new key is kept in its file, and *count settings, lent, say of it in the
 * results what has to stand there before that roll; dice_key_begun once it does. Of other keys
 * there are none. */
enum bg_status dice_key_begin(struct store_setting settings[DICE_KEY_SETTINGS], size_t *count,
                              struct dice_key *dice_key, struct bg_error *err);
void dice_key_begun(struct dice_key *dice_key);

/* Before the event has ended: where the file of its key is not there any more, it is made again. */
enum bg_status dice_key_keep(const struct dice_key *dice_key, struct bg_error *err);

/* The event has ended: the key goes into the results, its file is removed. */
enum bg_status dice_key_publish(const struct dice_key *dice_key, struct bg_error *err);

#endif
