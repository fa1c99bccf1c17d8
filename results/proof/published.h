/* published.h - exported records as one text; its head has what is needed to prove them:
 *
 *     bgref-records 1
 *     event NAME
 *     dice keyed
 *     digest HEX        of the event's key, published before the first roll
 *     key HEX           once the event has ended; both again for each time that it was extended
 *     root HEX          over all games (root.h)
 *     signed NAME TIME KEY SIGNATURE      the latest of each key for this root (signature.h)
 *     games N
 *     attempt ...      what the root covers beside the games (root.h)
 *     settings N HEX
 *     unplayed N HEX
 *     faults N HEX
 *     act ...
 *     acts N HEX
 *
 * The records follow. A text without a head is only records.
 */
#ifndef RESULTS_PROOF_PUBLISHED_H
#define RESULTS_PROOF_PUBLISHED_H

#include <stdio.h>

#include <bgref/dice.h>
#include "signature.h"
#include "verify.h"

enum { PUBLISHED_KEYS = 128, PUBLISHED_SIGNATURES = 16 };

/* What is published about an event beside its records; "" means unknown. */
struct published {
    char event[128];
    char dice[32];
    struct {
        char digest[BG_KEY_HEX], key[BG_KEY_HEX];
    } keys[PUBLISHED_KEYS]; /* the first, and one for each extension of the event */
    int key_count;
    char root[RECORD_HASH];
    uint64_t games;        /* in a text: the number in its head; UINT64_MAX: not given */
    struct root_head head; /* in a text: what its root covers beside the games */
    struct signature signature[PUBLISHED_SIGNATURES]; /* of this root, one of each key */
    int signatures;
};

void published_deinit(struct published *published); /* accepts a zeroed struct */

/* Reads it from a store. root is "" until the event has ended once. */
enum bg_status published_of_store(struct published *out, struct store *store, struct bg_error *err);

/* Reads the head of a text; *records is where its records begin. BG_E_FORMAT: its first line is
 * none of ours; BG_E_MISMATCH: a later one, which the message names. */
enum bg_status published_read(struct published *out, const char **records, const char *text,
                              size_t size, struct bg_error *err);

/* Writes a store's head and records. */
enum bg_status published_write(FILE *out, struct store *store, struct bg_error *err);

/* What the results have published about the whole event, and what is withdrawn when a user changes
 * the event's contents: the root, and the end of a sequential test. */
enum { WITHDRAWN_MOST = 3 };

struct withdrawn {
    struct store_setting setting[WITHDRAWN_MOST]; /* to store with the change; static text */
    size_t count;
    char root[RECORD_HASH]; /* the published root; "" none */
};

enum bg_status withdrawn_find(struct withdrawn *out, struct store *store, struct bg_error *err);

#endif
