/* The keyed hash compared with libsodium's BLAKE2b, and the dice drawn with a prepared key. */
#include "rules/dice_draw.h"
#include "support/suite.h"

#include <string.h>

#include <sodium.h>

TEST(digests_of_every_length_equal_those_of_libsodium)
{
    uint8_t key[KEYED_HASH_BYTES], message[KEYED_HASH_MESSAGE];

    for (int size = 1; size <= KEYED_HASH_MESSAGE; size++) {
        uint8_t ours[KEYED_HASH_BYTES], theirs[KEYED_HASH_BYTES];
        struct keyed_hash prepared;

        for (int i = 0; i < KEYED_HASH_BYTES; i++) {
            key[i] = (uint8_t)(size * 31 + i * 7);
        }
        for (int i = 0; i < KEYED_HASH_MESSAGE; i++) {
            message[i] = (uint8_t)(255 - size - i * 13);
        }
        keyed_hash_begin(&prepared, key);
        crypto_generichash(theirs, sizeof theirs, message, (unsigned long long)size, key,
                           sizeof key);
        for (int again = 0; again < 2; again++) { /* a prepared key can be used repeatedly */
            keyed_hash(ours, &prepared, message, (size_t)size);
            ck_assert_mem_eq(ours, theirs, sizeof ours);
        }
    }
}

/* From the text of docs/rules.md and with libsodium: so not with the tested code. */
TEST(dice_of_a_prepared_key_follow_the_documented_message)
{
    static const char first[] = "bgref-dice-1|7|1|12", more[] = "bgref-dice-1|7|1|12|1";
    struct bg_dice_key key = {.bytes = {3, 1, 4, 1, 5, 9, 2, 6}};
    struct keyed_hash pair;
    uint8_t digest[2 * KEYED_HASH_BYTES], dice[40];
    int checked = 0;

    keyed_hash_begin(&pair, key.bytes);
    dice_draw(dice, sizeof dice, &pair, 7, BG_STREAM_1, 12);
    crypto_generichash(digest, KEYED_HASH_BYTES, (const unsigned char *)first, strlen(first),
                       key.bytes, sizeof key.bytes);
    crypto_generichash(digest + KEYED_HASH_BYTES, KEYED_HASH_BYTES, (const unsigned char *)more,
                       strlen(more), key.bytes, sizeof key.bytes);
    for (size_t i = 0; i < sizeof digest && checked < (int)sizeof dice; i++) {
        if (digest[i] < 252) {
            ck_assert_int_eq(dice[checked++], digest[i] % 6 + 1);
        }
    }
    ck_assert_int_eq(checked, sizeof dice);
}

TEST_LOOP(four_lanes_give_the_same_digests_as_single_messages, 0, 4)
{
    static const size_t sizes[][KEYED_HASH_LANES] = {
        {1, 1, 1, 1}, {19, 19, 20, 20}, {128, 1, 64, 127}, {8, 16, 24, 32}};
    const uint8_t key[KEYED_HASH_BYTES] = {2, 7, 1, 8, 2, 8};
    uint8_t message[KEYED_HASH_LANES][KEYED_HASH_MESSAGE];
    uint8_t ours[KEYED_HASH_LANES][KEYED_HASH_BYTES] = {{0}}, one[KEYED_HASH_BYTES] = {0};
    const void *texts[KEYED_HASH_LANES];
    struct keyed_hash prepared;
    bool can;

    keyed_hash_begin(&prepared, key);
    for (int lane = 0; lane < KEYED_HASH_LANES; lane++) {
        for (int i = 0; i < KEYED_HASH_MESSAGE; i++) {
            message[lane][i] = (uint8_t)(lane * 77 + i * 5 + 1);
        }
        texts[lane] = message[lane];
    }
    can = keyed_hash_lanes(ours, &prepared, texts, sizes[_i]);
#ifdef __x86_64__
    ck_assert_int_eq(can, __builtin_cpu_supports("avx2") != 0);
#else
    ck_assert(!can);
#endif
    for (int lane = 0; lane < KEYED_HASH_LANES; lane++) {
        if (can) { /* otherwise digest is unchanged */
            keyed_hash(one, &prepared, message[lane], sizes[_i][lane]);
        }
        ck_assert_mem_eq(ours[lane], one, sizeof one);
    }
}

/* In the order of a game, again, backwards, and in another game: draws made ahead are never
 * returned for another draw. */
TEST(draws_made_ahead_equal_single_draws)
{
    const struct bg_dice_key key = {.bytes = {1, 4, 1, 4, 2, 1}};
    struct dice_ahead ahead;

    dice_ahead_begin(&ahead, &key);
    for (int i = 0; i < 600; i++) {
        const uint64_t game = i < 300 ? 1 : UINT64_MAX - (uint64_t)(i % 2);
        const uint64_t n = i < 300   ? (uint64_t)(i / 3)
                           : i < 450 ? (uint64_t)(600 - i)
                                     : UINT64_MAX - 5 + (uint64_t)(i % 11);
        const enum bg_dice_stream stream = (enum bg_dice_stream)(i % 3);
        uint8_t made[DICE_OF_A_ROLL], single[DICE_OF_A_ROLL];
        const size_t count = (size_t)(1 + i % DICE_OF_A_ROLL);

        dice_ahead_draw(made, count, &ahead, game, stream, n);
        bg_dice_draw(single, count, &key, game, stream, n);
        ck_assert_mem_eq(made, single, count);
    }
}
