/* act.h - one row of an event's journal: what was done to the event, by whom, when and why.
 *
 * The journal is append-only: a row is never changed or deleted, and a later row voids an earlier
 * one by name. Each row's hash covers the row before it, so a changed, missing or exchanged row is
 * found. The words of a subject are those of season/act_words.h; the store does not read them.
 */
#ifndef RESULTS_STORE_ACT_H
#define RESULTS_STORE_ACT_H

#include <stdbool.h>
#include <stdint.h>

#include <bgref/error.h>

#include "record/record.h"

enum {
    ACT_AT = 24,       /* UTC, "2026-11-22T08:30:00Z" */
    ACT_WHO = 130,     /* "user@host", or "bgref" for acts that follow from the form of the event */
    ACT_KIND = 16,     /* one word */
    ACT_SUBJECT = 400, /* "word=value word=value ..." */
    ACT_REASON = 401   /* one line; "" none */
};

/* All text is valid UTF-8 without control characters. */
struct act {
    uint64_t number; /* from 1, without gaps */
    char at[ACT_AT];
    char who[ACT_WHO];
    char kind[ACT_KIND];
    char subject[ACT_SUBJECT];
    char reason[ACT_REASON];
    char hash[RECORD_HASH];
};

/* The hash "before" row 1. */
#define ACT_ORIGIN "0000000000000000000000000000000000000000000000000000000000000000"

/* Sets act->hash: BLAKE2b-256 over the lines "bgref-act 1", the hash of the row before, number, at,
 * who, kind, subject and reason, each ended by LF, in lower-case hexadecimal digits. */
void act_seal(struct act *act, const char *before);

/* Returns whether the hash is that of act_seal and the text is allowed. */
bool act_is_sealed(const struct act *act, const char *before);

#endif
