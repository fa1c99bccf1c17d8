/* BLAKE2b (RFC 7693) with a key, for short messages of one block: libsodium computes the same,
 * but takes the key's block anew with each call, and dice are drawn for every roll of every
 * game. Here the state after the key's block is kept (keyed_hash_begin), and with AVX2 four
 * draws are computed side by side. Tests compare it with libsodium byte by byte. */
#define _DEFAULT_SOURCE /* le64toh */
#include "keyed_hash.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

enum { BLOCK = 128, WORDS = 16 };

/* First word of the parameter block: digest length, key length, fan-out 1, depth 1. */
#define PARAMETERS (KEYED_HASH_BYTES | KEYED_HASH_BYTES << 8 | 1 << 16 | 1 << 24)

/* RFC 7693, section 2.6. */
static const uint64_t iv[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

#define TURNED(word, bits) ((word) >> (bits) | (word) << (64 - (bits)))

/* Section 3.1: the function G. Macros with constant indices keep all of v in registers without
 * reading a table. */
#define MIX(a, b, c, d, x, y)                                                                      \
    do {                                                                                           \
        (a) += (b) + (x);                                                                          \
        (d) = TURNED((d) ^ (a), 32);                                                               \
        (c) += (d);                                                                                \
        (b) = TURNED((b) ^ (c), 24);                                                               \
        (a) += (b) + (y);                                                                          \
        (d) = TURNED((d) ^ (a), 16);                                                               \
        (c) += (d);                                                                                \
        (b) = TURNED((b) ^ (c), 63);                                                               \
    } while (0)

/* Section 3.2, one round; the arguments are a row of the table in section 2.7. */
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf)                      \
    do {                                                                                           \
        MIX(v[0], v[4], v[8], v[12], m[s0], m[s1]);                                                \
        MIX(v[1], v[5], v[9], v[13], m[s2], m[s3]);                                                \
        MIX(v[2], v[6], v[10], v[14], m[s4], m[s5]);                                               \
        MIX(v[3], v[7], v[11], v[15], m[s6], m[s7]);                                               \
        MIX(v[0], v[5], v[10], v[15], m[s8], m[s9]);                                               \
        MIX(v[1], v[6], v[11], v[12], m[sa], m[sb]);                                               \
        MIX(v[2], v[7], v[8], v[13], m[sc], m[sd]);                                                \
        MIX(v[3], v[4], v[9], v[14], m[se], m[sf]);                                                \
    } while (0)

/* Of v and m, 16 words each. */
#define ALL_ROUNDS                                                                                 \
    do {                                                                                           \
        ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);                               \
        ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);                               \
        ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);                               \
        ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);                               \
        ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);                               \
        ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);                               \
        ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);                               \
        ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);                               \
        ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);                               \
        ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);                               \
        ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);                               \
        ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);                               \
    } while (0)

/* counted: number of bytes hashed so far, with this block's. last: all ones for the last block. */
static void compress(uint64_t chain[8], const uint8_t block[BLOCK], uint64_t counted, uint64_t last)
{
    uint64_t m[WORDS], v[16];

    memcpy(m, block, BLOCK);
    for (int i = 0; i < WORDS; i++) {
        m[i] = le64toh(m[i]);
    }
    for (int i = 0; i < 8; i++) {
        v[i] = chain[i];
        v[8 + i] = iv[i];
    }
    v[12] ^= counted;
    v[14] ^= last;
    ALL_ROUNDS;
    for (int i = 0; i < 8; i++) {
        chain[i] ^= v[i] ^ v[8 + i];
    }
}

void keyed_hash_begin(struct keyed_hash *out, const uint8_t key[KEYED_HASH_BYTES])
{
    uint8_t block[BLOCK] = {0};

    memcpy(out->chain, iv, sizeof iv);
    out->chain[0] ^= PARAMETERS;
    memcpy(block, key, KEYED_HASH_BYTES);
    compress(out->chain, block, BLOCK, 0);
}

void keyed_hash(uint8_t digest[KEYED_HASH_BYTES], const struct keyed_hash *key, const void *message,
                size_t size)
{
    uint64_t chain[8];
    uint8_t block[BLOCK] = {0};

    assert(size > 0 && size <= KEYED_HASH_MESSAGE);
    memcpy(chain, key->chain, sizeof chain);
    memcpy(block, message, size);
    compress(chain, block, BLOCK + size, UINT64_MAX);
    for (int i = 0; i < 4; i++) {
        chain[i] = htole64(chain[i]);
    }
    memcpy(digest, chain, KEYED_HASH_BYTES);
}

#if defined(__x86_64__) && defined(__GNUC__)

typedef uint64_t lanes __attribute__((vector_size(8 * KEYED_HASH_LANES)));

/* Hashes the last block of four messages; m[i] holds word i of each. */
__attribute__((target("avx2"))) static void compress_lanes(lanes chain[8], const lanes m[WORDS],
                                                           const lanes *counted)
{
    lanes v[16];

    for (int i = 0; i < 8; i++) {
        v[i] = chain[i];
        v[8 + i] = iv[i] - (lanes){0};
    }
    v[12] ^= *counted;
    v[14] = ~v[14];
    ALL_ROUNDS;
    for (int i = 0; i < 8; i++) {
        chain[i] ^= v[i] ^ v[8 + i];
    }
}

__attribute__((target("avx2"))) bool
keyed_hash_lanes(uint8_t digest[KEYED_HASH_LANES][KEYED_HASH_BYTES], const struct keyed_hash *key,
                 const void *const message[KEYED_HASH_LANES], const size_t size[KEYED_HASH_LANES])
{
    uint64_t block[KEYED_HASH_LANES][WORDS] = {{0}};
    lanes chain[8], m[WORDS], counted = {0};

    if (!__builtin_cpu_supports("avx2")) {
        return false;
    }
    for (int lane = 0; lane < KEYED_HASH_LANES; lane++) {
        assert(size[lane] > 0 && size[lane] <= KEYED_HASH_MESSAGE);
        memcpy(block[lane], message[lane], size[lane]);
        counted[lane] = BLOCK + size[lane];
    }
    /* Whole vectors: a read of a vector that was stored word by word would have to wait. The words
     * are already little-endian on x86. */
    for (int i = 0; i < WORDS; i++) {
        m[i] = (lanes){block[0][i], block[1][i], block[2][i], block[3][i]};
    }
    for (int i = 0; i < 8; i++) {
        chain[i] = key->chain[i] - (lanes){0};
    }
    compress_lanes(chain, m, &counted);
    for (int lane = 0; lane < KEYED_HASH_LANES; lane++) {
        uint64_t words[KEYED_HASH_BYTES / 8];

        for (int i = 0; i < KEYED_HASH_BYTES / 8; i++) {
            words[i] = chain[i][lane];
        }
        memcpy(digest[lane], words, KEYED_HASH_BYTES);
    }
    return true;
}

#else

bool keyed_hash_lanes(uint8_t digest[KEYED_HASH_LANES][KEYED_HASH_BYTES],
                      const struct keyed_hash *key, const void *const message[KEYED_HASH_LANES],
                      const size_t size[KEYED_HASH_LANES])
{
    (void)digest;
    (void)key;
    (void)message;
    (void)size;
    return false;
}

#endif
