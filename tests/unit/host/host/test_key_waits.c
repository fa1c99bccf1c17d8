/* Keys that wait, over restarts of the host and changes of its clock. */
#include "support/suite.h"

#include <host/key_waits.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NOON = 1795608000, WAIT = 300 };

static char path[] = "/tmp/bgref-key-waits-XXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

TEST(a_wait_outlives_the_host_and_is_not_shortened)
{
    struct key_waits waits = {.count = 0};

    close(mkstemp(path));
    key_waits_set(&waits, "anna", NOON + WAIT);
    key_waits_set(&waits, "ben", NOON + 10);
    ck_assert_int_eq(key_waits_save(&waits, path, NOON, NULL), BG_OK);
    key_waits_deinit(&waits);
    ck_assert_int_eq(key_waits_load(&waits, path, NULL), BG_OK);
    ck_assert_int_eq(waits.count, 2);
    ck_assert_int_eq(key_waits_left_s(&waits, "anna", NOON + 100), WAIT - 100);
    ck_assert_int_eq(key_waits_left_s(&waits, "anna", NOON + WAIT - 1), 1);
    ck_assert_int_eq(key_waits_left_s(&waits, "anna", NOON + WAIT), 0);
    ck_assert_int_eq(key_waits_left_s(&waits, "cleo", NOON), 0);
    ck_assert_int_eq(key_waits_save(&waits, path, NOON + 10, NULL), BG_OK);
    ck_assert_int_eq(waits.count, 1); /* ben's is over */
    key_waits_deinit(&waits);
    unlink(path);
}

TEST(a_clock_that_was_set_back_lengthens_no_wait)
{
    struct key_waits waits = {.count = 0};

    key_waits_set(&waits, "anna", NOON + WAIT);
    ck_assert_int_eq(key_waits_left_s(&waits, "anna", NOON - 86400), WAIT);
    key_waits_set(&waits, "anna", INT64_MAX);
    ck_assert_int_eq(waits.count, 1);
    ck_assert_int_eq(key_waits_left_s(&waits, "anna", NOON), WAIT);
    key_waits_deinit(&waits);
}

TEST(a_damaged_file_is_refused)
{
    static const char *const damaged[] = {"", "bgref-waits 2\n", "bgref-waits 1\nanna\n",
                                          "bgref-waits 1\nanna 7 8\n"};
    struct key_waits waits;

    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        write_file(damaged[i]);
        ck_assert_int_eq(key_waits_load(&waits, path, NULL), BG_E_FORMAT);
        ck_assert_int_eq(waits.count, 0);
    }
    unlink(path);
    ck_assert_int_eq(key_waits_load(&waits, path, NULL), BG_OK);
}
