/* people.h - who is registered at a host, who is invited, and who waits for an answer.
 *
 * Pure but for its file: time and random numbers are arguments. A name belongs to the first key
 * that held it, and a key to one name. Of an invitation's token only the hash is kept.
 */
#ifndef REFEREE_HOST_PEOPLE_H
#define REFEREE_HOST_PEOPLE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "proof/key_file.h"

enum {
    PEOPLE_WAITING = 100, /* requests that wait for the operator ... */
    PEOPLE_DAYS = 14,     /* ... and are dropped after that */
    PEOPLE_INVITED = 1000,
    PEOPLE_KNOWN = 10000,
    PEOPLE_HANDED = 5, /* so often a day a name goes to a new key by the word of its key */
    PEOPLE_CONTACT = 201,
    PEOPLE_HASH = 32
};

enum people_policy { PEOPLE_CLOSED, PEOPLE_INVITE, PEOPLE_OPEN };
extern const char *const people_words[]; /* closed, invite, open, NULL */

struct person {
    char name[KEY_FILE_NAME];
    char key[KEY_FILE_DIGITS]; /* small letters */
    char contact[PEOPLE_CONTACT];
    int64_t at_s;       /* registered, or asked */
    int64_t handed_day; /* the day (of UTC, since 1970) on which it was last handed on ... */
    int handed;         /* ... and how often then */
};

struct invitation {
    char name[KEY_FILE_NAME];
    unsigned char hash[PEOPLE_HASH]; /* BLAKE2b-256 of the token's 16 bytes */
    int64_t until_s;
};

struct people {
    struct person *known; /* owned, as are these */
    struct person waiting[PEOPLE_WAITING];
    struct invitation *invited;
    int known_count, waiting_count, invited_count;
};

void people_deinit(struct people *people);

/* Drops what is too old. Returns whether there was something. */
bool people_sweep(struct people *people, int64_t now_s);

/* Adds a registered one. BG_E_ARGUMENT: there are too many; BG_E_MEMORY. */
enum bg_status people_add(struct people *people, const struct person *person, struct bg_error *err);

/* Adds an invitation, beside others for the name. BG_E_ARGUMENT: the name is taken, or there are
 * too many; BG_E_MEMORY. */
enum bg_status people_invite(struct people *people, const struct invitation *invitation,
                             struct bg_error *err);

/* What somebody asks at the porch; lent. */
struct people_ask {
    const char *name, *key, *contact;
    const unsigned char *hash; /* of the token, NULL: none */
    const char *next;          /* the key that takes this one's place, NULL: none */
};

enum people_verdict { PEOPLE_REGISTERED, PEOPLE_WAITS, PEOPLE_REFUSED };

/* Decides. is_taken: the name or the key is in use elsewhere at this host. why: for the asker, of
 * at least 200 bytes. Everything may have changed except when refused; a token that was accepted is
 * gone. */
enum people_verdict people_take(struct people *people, enum people_policy policy,
                                const struct people_ask *ask, bool is_taken, int64_t now_s,
                                char why[200]);

/* The operator's answer to one that waits. BG_E_ARGUMENT: nobody of this name waits, or there are
 * too many. */
enum bg_status people_approve(struct people *people, const char *name, int64_t now_s,
                              struct bg_error *err);
enum bg_status people_refuse(struct people *people, const char *name, struct bg_error *err);

/* The operator gives a registered name to another key. BG_E_ARGUMENT: nobody has the name, or the
 * key has one. */
enum bg_status people_reassign(struct people *people, const char *name, const char *key,
                               struct bg_error *err);

/* Return the person, or NULL. Lent. */
const struct person *people_find(const struct people *people, const char *name);
const struct person *people_by_key(const struct people *people, const char *key);
const struct person *people_waiting(const struct people *people, const char *name);

/* The file; one that is not there is empty. BG_E_FORMAT, BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status people_load(struct people *out, const char *path, struct bg_error *err);
enum bg_status people_read(struct people *out, FILE *in, const char *where, struct bg_error *err);
enum bg_status people_save(const struct people *people, const char *path, struct bg_error *err);

#endif
