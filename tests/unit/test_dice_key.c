/* The keys of an event: made once, published once, replaced where the event goes on. */
#define _GNU_SOURCE
#include "fixtures/dice_key.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/store_memory.h"

static char folder[] = "/tmp/bgref-dice-key-XXXXXX";
static struct config_event event;
static struct store *store;

static void setup(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    config_event_init(&event);
    snprintf(event.results, sizeof event.results, "%s/r.db", folder);
    store = store_memory_create();
}

static void teardown(void)
{
    char command[160];

    store_destroy(store);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static struct dice_key open_key(bool goes_on)
{
    struct dice_key key;
    struct store_setting settings[DICE_KEY_SETTINGS];
    struct store_change change = {.settings = settings};
    struct bg_error err = {.text = ""};

    ck_assert_msg(dice_key_open(&key, &event, store, "keyed", false, goes_on, &err) == BG_OK, "%s",
                  err.text);
    ck_assert_msg(dice_key_begin(settings, &change.setting_count, &key, &err) == BG_OK, "%s",
                  err.text);
    ck_assert_int_eq(store->ops->change_all(store, &change, &err), BG_OK);
    dice_key_begun(&key);
    return key;
}

static void refused(enum bg_status status, const char *part)
{
    struct dice_key key;
    struct bg_error err = {.text = ""};

    ck_assert_int_eq(dice_key_open(&key, &event, store, "keyed", false, true, &err), status);
    ck_assert_msg(strstr(err.text, part) != NULL, "%s", err.text);
}

static bool same(const struct bg_dice_key *x, const struct bg_dice_key *y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

START_TEST(a_key_is_kept_until_it_is_published)
{
    struct dice_key one = open_key(true), two = open_key(true);

    ck_assert(same(&one.key, &two.key));
    ck_assert_int_eq(access(two.path, F_OK), 0);
    ck_assert_int_eq(dice_key_publish(&two, NULL), BG_OK);
    ck_assert_int_ne(access(two.path, F_OK), 0);
    two = open_key(false); /* nothing is played any more: the published one stays */
    ck_assert(same(&one.key, &two.key));
    ck_assert_int_eq(two.number, 1);
    ck_assert_int_ne(access(two.path, F_OK), 0);
}
END_TEST

START_TEST(an_event_that_goes_on_twice_has_three_keys)
{
    struct dice_key key[3];
    char name[32], text[BG_KEY_HEX], hex[BG_KEY_HEX];
    bool found;

    for (int i = 0; i < 3; i++) {
        key[i] = open_key(true);
        ck_assert_int_eq(key[i].number, i + 1);
        ck_assert(same(&key[i].first, &key[0].key));
        ck_assert(i == 0 || !same(&key[i].key, &key[i - 1].key));
        ck_assert_int_eq(dice_key_publish(&key[i], NULL), BG_OK);
    }
    ck_assert(!same(&key[2].key, &key[0].key));
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, i == 0 ? "dice.key" : "dice.key.%d", i + 1);
        ck_assert_int_eq(store->ops->meta_get(store, name, text, sizeof text, &found, NULL), BG_OK);
        bg_dice_key_to_hex(hex, &key[i].key);
        ck_assert(found);
        ck_assert_str_eq(text, hex);
    }
}
END_TEST

/* Killed between the two halves of publishing: the file is still there. */
START_TEST(a_published_key_that_a_kill_left_is_not_taken_up)
{
    struct dice_key one = open_key(true), two;
    char kept[DICE_KEY_PATH + 8];

    snprintf(kept, sizeof kept, "%s.kept", one.path);
    ck_assert_int_eq(link(one.path, kept), 0);
    ck_assert_int_eq(dice_key_publish(&one, NULL), BG_OK);
    ck_assert_int_eq(rename(kept, one.path), 0);
    two = open_key(true);
    ck_assert_int_eq(two.number, 2);
    ck_assert(!same(&one.key, &two.key));
    one = open_key(true); /* its file holds the new one now */
    ck_assert(same(&one.key, &two.key));
}
END_TEST

/* Killed between writing the file and storing the digest: nothing was rolled from it yet. */
START_TEST(a_key_without_its_digest_is_taken_up)
{
    struct dice_key one = open_key(true), two;

    store_destroy(store);
    store = store_memory_create();
    two = open_key(true);
    ck_assert(same(&one.key, &two.key));
}
END_TEST

/* Killed while the file was being written: what there is of it has another name. */
START_TEST(the_beginning_of_a_file_is_written_over)
{
    struct dice_key one = {.number = 0};
    char path[DICE_KEY_PATH + 8];
    FILE *file;

    snprintf(path, sizeof path, "%s.key.new", event.results);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    one = open_key(true);
    ck_assert_int_eq(one.number, 1);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(access(one.path, F_OK), 0);
}
END_TEST

START_TEST(without_its_file_an_event_cannot_go_on)
{
    struct dice_key key = open_key(true);
    FILE *file;

    ck_assert_int_eq(unlink(key.path), 0);
    refused(BG_E_SYSTEM, "is missing");
    file = fopen(key.path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%064d\n", 7);
    fclose(file);
    refused(BG_E_SYSTEM, "belongs to other results");
    file = fopen(key.path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("0123\n", file);
    fclose(file);
    refused(BG_E_SYSTEM, "holds no key");
}
END_TEST

START_TEST(a_given_key_serves_once)
{
    struct dice_key key;
    FILE *file;

    snprintf(event.key_file, sizeof event.key_file, "%s/key", folder);
    file = fopen(event.key_file, "wb");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < BG_KEY_BYTES; i++) {
        fputc(i, file);
    }
    fclose(file);
    key = open_key(true);
    ck_assert_int_eq(key.key.bytes[5], 5);
    ck_assert_int_eq(dice_key_publish(&key, NULL), BG_OK);
    refused(BG_E_CONFIG, "this key is published");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dice_key");
    TCase *tests = tcase_create("dice_key");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_key_is_kept_until_it_is_published);
    tcase_add_test(tests, an_event_that_goes_on_twice_has_three_keys);
    tcase_add_test(tests, a_published_key_that_a_kill_left_is_not_taken_up);
    tcase_add_test(tests, a_key_without_its_digest_is_taken_up);
    tcase_add_test(tests, the_beginning_of_a_file_is_written_over);
    tcase_add_test(tests, without_its_file_an_event_cannot_go_on);
    tcase_add_test(tests, a_given_key_serves_once);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
