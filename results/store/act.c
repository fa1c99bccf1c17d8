/* Each field ends with a line feed, which no field can contain: without it two different rows
 * could give the same bytes to hash. */
#include "act.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "rules/clean.h"

enum { ACT_BYTES = (RECORD_HASH - 1) / 2 };

static void hash_field(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
    crypto_generichash_update(state, (const unsigned char *)"\n", 1);
}

static void hash_of(char out[RECORD_HASH], const struct act *act, const char *before)
{
    unsigned char digest[ACT_BYTES];
    crypto_generichash_state state;
    char number[24];

    snprintf(number, sizeof number, "%" PRIu64, act->number);
    crypto_generichash_init(&state, NULL, 0, ACT_BYTES);
    hash_field(&state, "bgref-act 1");
    hash_field(&state, before);
    hash_field(&state, number);
    hash_field(&state, act->at);
    hash_field(&state, act->who);
    hash_field(&state, act->kind);
    hash_field(&state, act->subject);
    hash_field(&state, act->reason);
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(out, RECORD_HASH, digest, sizeof digest);
}

void act_seal(struct act *act, const char *before)
{
    hash_of(act->hash, act, before);
}

static bool is_line(const char *text, size_t room)
{
    size_t size = strnlen(text, room);

    return size < room && clean_find(text, size, CLEAN_LINE) == size;
}

bool act_is_sealed(const struct act *act, const char *before)
{
    char hash[RECORD_HASH];

    /* Asked before hashing, for the same reason: a field with a line feed would look like two. */
    if (!is_line(act->at, sizeof act->at) || !is_line(act->who, sizeof act->who) ||
        !is_line(act->kind, sizeof act->kind) || !is_line(act->subject, sizeof act->subject) ||
        !is_line(act->reason, sizeof act->reason)) {
        return false;
    }
    hash_of(hash, act, before);
    return strncmp(hash, act->hash, sizeof hash) == 0;
}
