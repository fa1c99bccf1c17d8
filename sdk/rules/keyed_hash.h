/* keyed_hash.h - BLAKE2b-256 of short messages under one key, many times.
 *
 * The same digests as libsodium's crypto_generichash with a 32-byte key. A keyed hash compresses
 * the key's block first. libsodium does that again in every call; here it is done once a key, so a
 * message costs one compression instead of two. Pure; follows RFC 7693.
 */
#ifndef SDK_RULES_KEYED_HASH_H
#define SDK_RULES_KEYED_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KEYED_HASH_BYTES = 32,
    KEYED_HASH_MESSAGE = 128, /* longest message */
    KEYED_HASH_LANES = 4
};

/* As secret as the key. */
struct keyed_hash {
    uint64_t chain[8]; /* the state after the key's block */
};

void keyed_hash_begin(struct keyed_hash *out, const uint8_t key[KEYED_HASH_BYTES]);

/* message: 1 to KEYED_HASH_MESSAGE bytes. */
void keyed_hash(uint8_t digest[KEYED_HASH_BYTES], const struct keyed_hash *key, const void *message,
                size_t size);

/* Four messages at once, each of 1 to KEYED_HASH_MESSAGE bytes, in less than the time of two.
 * Returns false, with digest untouched, if this processor cannot (it has no AVX2). */
bool keyed_hash_lanes(uint8_t digest[KEYED_HASH_LANES][KEYED_HASH_BYTES],
                      const struct keyed_hash *key, const void *const message[KEYED_HASH_LANES],
                      const size_t size[KEYED_HASH_LANES]);

#endif
