/* Keys that sign results, and their signatures. */
#include <proof/published.h>
#include <proof/root.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>
#include <sys/stat.h>

#include "support/scratch_store.h"
#include "support/suite.h"
#include "support/test_folder.h"

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    folder_make();
}

TEST(a_key_pair_round_trips)
{
    struct key_public made, read;
    struct sign_secret secret;
    struct stat info;

    ck_assert_int_eq(sign_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(stat(path_of("anna.key"), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
    ck_assert_int_eq(sign_public_read(&read, path_of("anna.pub"), NULL), BG_OK);
    ck_assert_str_eq(read.name, "anna");
    ck_assert_mem_eq(read.key, made.key, sizeof made.key);
    ck_assert_int_eq(sign_secret_read(&secret, path_of("anna.key"), NULL), BG_OK);
    ck_assert_mem_eq(secret.public.key, made.key, sizeof made.key);
}

TEST(a_key_is_never_overwritten)
{
    struct key_public first, second;

    ck_assert_int_eq(sign_key_make(&first, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(unlink(path_of("anna.pub")), 0);
    ck_assert_int_eq(sign_key_make(&second, folder, "anna", &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "anna.key is there already"));
    ck_assert_int_ne(access(path_of("anna.pub"), F_OK), 0); /* nothing is left behind */
}

static const struct {
    const char *name, *text, *want;
} files[] = {
    {"anna.pub", "", "not a key file"},
    {"anna.pub", "bgref-key-1 sign-public anna 00\n", "not a key file"},
    {"anna.pub", "bgref-key-1 sign-secret anna 00\n", "a secret key; needs the public one"},
    {"anna.pub",
     "bgref-key-2 sign-public anna "
     "0000000000000000000000000000000000000000000000000000000000000000\n",
     "not a key file"},
    {"anna.pub",
     "bgref-key-1 sign-public a/b "
     "0000000000000000000000000000000000000000000000000000000000000000\n",
     "not a key file"},
    {"anna.pub",
     "bgref-key-1 sign-public anna "
     "000000000000000000000000000000000000000000000000000000000000000g\n",
     "not a key file"},
    {"anna.pub",
     "bgref-key-1 sign-public anna "
     "0000000000000000000000000000000000000000000000000000000000000000\nmore\n",
     "not a key file"},
};

TEST_ROWS(other_files_are_refused, files)
{
    struct key_public key;

    write_file(files[_i].name, files[_i].text);
    ck_assert_int_eq(sign_public_read(&key, path_of(files[_i].name), &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, files[_i].want) != NULL, "%s", error.text);
}

/* As an editor of Windows, or a mail program, leaves it. */
TEST(a_key_with_foreign_line_ends_is_read)
{
    static const char hex[] = "c93842f442050878660d4ff56627e4d4fe00d629ca5054b3512244bcc0554a91";
    char text[200];
    struct key_public key;

    snprintf(text, sizeof text, "\xef\xbb\xbf%s%s\r\n", "bgref-key-1 sign-public anna ", hex);
    write_file("anna.pub", text);
    assert_ok(sign_public_read(&key, path_of("anna.pub"), &error));
    ck_assert_str_eq(key.name, "anna");
}

TEST(a_secret_that_others_may_read_is_refused)
{
    struct key_public made;
    struct sign_secret secret;

    ck_assert_int_eq(sign_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(chmod(path_of("anna.key"), 0640), 0);
    ck_assert_int_eq(sign_secret_read(&secret, path_of("anna.key"), &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "chmod 600"));
}

TEST(names_of_keys)
{
    char name[KEY_FILE_NAME + 1];

    ck_assert(key_name_is_valid("A-z_0.9+"));
    ck_assert(!key_name_is_valid(""));
    ck_assert(!key_name_is_valid(".hidden"));
    ck_assert(!key_name_is_valid("a b"));
    ck_assert(!key_name_is_valid("a/b"));
    memset(name, 'x', sizeof name);
    name[KEY_FILE_NAME - 1] = '\0';
    ck_assert(key_name_is_valid(name));
    name[KEY_FILE_NAME - 1] = 'x';
    name[KEY_FILE_NAME] = '\0';
    ck_assert(!key_name_is_valid(name));
}

static enum bg_status take(void *user, const struct signature *signature, struct bg_error *err)
{
    *(struct signature *)user = *signature;
    return BG_OK;
}

/* Signs the results of a store in memory with an existing key. */
static void sign_again(struct signature *out, struct store *store, const char *name)
{
    struct sign_secret secret;
    char file[80];

    snprintf(file, sizeof file, "%s.key", name);
    ck_assert_int_eq(sign_secret_read(&secret, path_of(file), NULL), BG_OK);
    snprintf(out->time, sizeof out->time, "2026-11-22T08:30:00Z");
    ck_assert_int_eq(signature_add(out, store, &secret, NULL), BG_OK);
}

static void sign(struct signature *out, struct store *store, const char *name)
{
    struct key_public made;

    ck_assert_int_eq(sign_key_make(&made, folder, name, NULL), BG_OK);
    sign_again(out, store, name);
}

/* Publishes the root of what the store holds. */
static void publish(struct store *store)
{
    char root[RECORD_HASH];

    ck_assert_int_eq(root_of_store(root, store, NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "results.root", root, NULL), BG_OK);
}

#define ROOT "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TEST(a_signature_is_stored_and_valid)
{
    struct store *store = scratch_store_create();
    struct signature made, read, again;
    char line[SIGNATURE_LINE];

    ck_assert_int_eq(store_meta_set(store, "event.event", "spring|cup", NULL), BG_OK);
    publish(store);
    sign(&made, store, "anna");
    ck_assert_int_eq(signature_each(store, take, &read, NULL), BG_OK);
    ck_assert_str_eq(read.root, made.root);
    ck_assert_str_eq(read.by.name, "anna");
    ck_assert(signature_holds(&read, "spring|cup"));
    ck_assert(!signature_holds(&read, "autumn cup"));
    signature_write(line, &read);
    ck_assert(signature_read(&again, line));
    again.games = read.games;
    snprintf(again.root, sizeof again.root, "%s", read.root);
    ck_assert(signature_holds(&again, "spring|cup"));
    store_destroy(store);
}

/* Every part of the signed data counts. */
TEST(a_changed_signature_is_invalid)
{
    struct store *store = scratch_store_create();
    struct signature made, other;

    publish(store);
    sign(&made, store, "anna");
    ck_assert(signature_holds(&made, ""));
    for (size_t i = 0; i < sizeof made.bytes; i++) {
        other = made;
        other.bytes[i] ^= 1;
        ck_assert(!signature_holds(&other, ""));
    }
    for (size_t i = 0; i < sizeof made.by.key; i++) {
        other = made;
        other.by.key[i] ^= 1;
        ck_assert(!signature_holds(&other, ""));
    }
    other = made;
    other.games++;
    ck_assert(!signature_holds(&other, ""));
    other = made;
    other.root[5] ^= 1;
    ck_assert(!signature_holds(&other, ""));
    other = made;
    other.time[3] ^= 1;
    ck_assert(!signature_holds(&other, ""));
    other = made;
    other.by.name[0] ^= 1;
    ck_assert(!signature_holds(&other, ""));
    other = made;
    other.statement.acts++;
    ck_assert(!signature_holds(&other, ""));
    for (int i = 0; i < 5; i++) {
        other = made;

        char *const said[] = {other.statement.journal, other.statement.event,
                              other.statement.standing, other.statement.begun,
                              other.statement.ended};

        said[i][0] = '9';
        ck_assert(!signature_holds(&other, ""));
    }
    store_destroy(store);
}

TEST(nothing_is_signed_before_the_event_ends)
{
    struct store *store = scratch_store_create();
    struct key_public made;
    struct sign_secret secret;
    struct signature signature = {.games = 0};

    ck_assert_int_eq(sign_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(sign_secret_read(&secret, path_of("anna.key"), NULL), BG_OK);
    ck_assert_int_eq(signature_add(&signature, store, &secret, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "has not ended"));
    store_destroy(store);
}

TEST(a_root_that_the_results_do_not_give_is_not_signed)
{
    struct store *store = scratch_store_create();
    struct key_public made;
    struct sign_secret secret;
    struct signature signature = {.games = 0}, read = {.games = 7};

    ck_assert_int_eq(store_meta_set(store, "results.root", ROOT, NULL), BG_OK);
    ck_assert_int_eq(sign_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(sign_secret_read(&secret, path_of("anna.key"), NULL), BG_OK);
    ck_assert_int_eq(signature_add(&signature, store, &secret, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "they were changed since"));
    ck_assert_int_eq(signature_each(store, take, &read, NULL), BG_OK);
    ck_assert_uint_eq(read.games, 7); /* nothing was stored */
    store_destroy(store);
}

TEST(a_stored_line_that_is_not_a_signature_is_named)
{
    struct store *store = scratch_store_create();
    struct signature read;

    ck_assert_int_eq(store_meta_set(store, "signature." ROOT, "anna|now|3\n", NULL), BG_OK);
    ck_assert_int_eq(signature_each(store, take, &read, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "setting signature." ROOT));
    store_destroy(store);
}

/* The time is printed, and the signer chooses it: it must not hide lines of a terminal. */
TEST_LOOP(text_that_is_not_exactly_a_time_is_refused, 0, 5)
{
    static const char *const times[] = {"\x1b[2K\x1b[1A", "2026-11-22T08:30:00",
                                        "2026-11-22T08:30:00Zz", "2026-11-22T08:30:0xZ", "now"};
    struct store *store = scratch_store_create();
    struct signature made, read;
    char line[SIGNATURE_LINE], value[512], bytes[SIGNATURE_DIGITS];

    publish(store);
    sign(&made, store, "anna");
    signature_write(line, &made);
    ck_assert(signature_read(&read, line));
    snprintf(made.time, sizeof made.time, "%s", times[_i]);
    signature_write(line, &made);
    ck_assert(!signature_read(&read, line));
    sodium_bin2hex(bytes, sizeof bytes, made.bytes, sizeof made.bytes);
    snprintf(value, sizeof value, "anna|%s|0|" ROOT "|%s\n", times[_i], bytes);
    ck_assert_int_eq(store_meta_set(store, "signature." ROOT, value, NULL), BG_OK);
    ck_assert_int_eq(signature_each(store, take, &read, NULL), BG_E_MISMATCH);
    store_destroy(store);
}

TEST(a_key_that_signs_often_displaces_no_other_key)
{
    struct store *store = scratch_store_create();
    struct signature made;
    struct published published;

    publish(store);
    sign(&made, store, "anna");
    sign(&made, store, "bert");
    for (int i = 0; i < PUBLISHED_SIGNATURES; i++) {
        sign_again(&made, store, "anna");
        sign_again(&made, store, "bert");
    }
    ck_assert_int_eq(published_of_store(&published, store, NULL), BG_OK);
    ck_assert_int_eq(published.signatures, 2);
    ck_assert_str_ne(published.signature[0].by.name, published.signature[1].by.name);
    published_deinit(&published);
    store_destroy(store);
}

SUITE_FIXTURE(set_up, folder_remove)
