/* Keys by which a host and the authors of remote bots know each other. */
#include "support/suite.h"
#include "support/test_folder.h"

#include <proof/key_pair.h>

#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include <sodium.h>

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    folder_make();
}

/* Returns the line of a key file. */
static const char *line_of(const char *name)
{
    static char line[256];
    FILE *file = fopen(path_of(name), "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    fclose(file);
    return line;
}

TEST(a_key_pair_round_trips)
{
    struct key_public made;
    struct join_secret secret;
    struct stat info;
    char hex[KEY_FILE_DIGITS], want[256];

    ck_assert_int_eq(join_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(stat(path_of("anna.key"), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
    ck_assert_int_eq(join_secret_read(&secret, path_of("anna.key"), NULL), BG_OK);
    ck_assert_str_eq(secret.public.name, "anna");
    ck_assert_mem_eq(secret.public.key, made.key, sizeof made.key);
    sodium_bin2hex(hex, sizeof hex, made.key, sizeof made.key);
    snprintf(want, sizeof want, "bgref-key-1 join-public anna %s\n", hex);
    ck_assert_str_eq(line_of("anna.pub"), want);
    sodium_bin2hex(hex, sizeof hex, secret.key, sizeof secret.key);
    snprintf(want, sizeof want, "bgref-key-1 join-secret anna %s\n", hex);
    ck_assert_str_eq(line_of("anna.key"), want);
    join_secret_wipe(&secret);
    ck_assert_int_eq(sodium_is_zero(secret.key, sizeof secret.key), 1);
}

TEST(a_key_is_never_overwritten)
{
    struct key_public first, second;
    char before[256];

    ck_assert_int_eq(join_key_make(&first, folder, "anna", NULL), BG_OK);
    snprintf(before, sizeof before, "%s", line_of("anna.key"));
    ck_assert_int_eq(join_key_make(&second, folder, "anna", &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "anna.pub is there already"));
    ck_assert_str_eq(line_of("anna.key"), before);
}

TEST(a_secret_that_others_may_read_is_refused)
{
    static const mode_t modes[] = {0644, 0640, 0604, 0620, 0601};
    struct key_public made;
    struct join_secret secret;

    ck_assert_int_eq(join_key_make(&made, folder, "anna", NULL), BG_OK);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        ck_assert_int_eq(chmod(path_of("anna.key"), modes[i]), 0);
        ck_assert_int_eq(join_secret_read(&secret, path_of("anna.key"), &error), BG_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.text, "chmod 600 "));
        ck_assert_int_eq(sodium_is_zero(secret.key, sizeof secret.key), 1);
    }
    ck_assert_int_eq(chmod(path_of("anna.key"), 0400), 0);
    ck_assert_int_eq(join_secret_read(&secret, path_of("anna.key"), NULL), BG_OK);
}

TEST(a_key_of_another_use_is_refused)
{
    struct key_public made;
    struct key_public pair;
    struct join_secret secret;

    ck_assert_int_eq(sign_key_make(&made, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(join_secret_read(&secret, path_of("anna.key"), &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "bgref keygen --join NAME"));
    folder_remove();
    set_up();
    ck_assert_int_eq(join_key_make(&pair, folder, "anna", NULL), BG_OK);
    ck_assert_int_eq(join_secret_read(&secret, path_of("anna.pub"), &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "a public key; needs the secret one"));
}

SUITE_FIXTURE(set_up, folder_remove)
