/* The keyed hash beside libsodium's BLAKE2b, and the dice drawn by a prepared key. */
#include "rules/dice_draw.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

START_TEST(every_length_gives_the_digest_that_libsodium_gives)
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
        for (int again = 0; again < 2; again++) { /* a prepared key can be used often */
            keyed_hash(ours, &prepared, message, (size_t)size);
            ck_assert_mem_eq(ours, theirs, sizeof ours);
        }
    }
}
END_TEST

/* As docs/rules.md says it, with libsodium and by the sentence: so not the code that is tested. */
START_TEST(dice_of_a_prepared_key_follow_the_documented_message)
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
END_TEST

int main(void)
{
    Suite *suite = suite_create("keyed_hash");
    TCase *tcase = tcase_create("keyed_hash");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, every_length_gives_the_digest_that_libsodium_gives);
    tcase_add_test(tcase, dice_of_a_prepared_key_follow_the_documented_message);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
