/* What a doorman says it has counted. */
#include <stdio.h>
#include <string.h>

#include "front/door_counts.h"
#include "support/suite.h"

START_TEST(counts_are_read_as_they_were_written)
{
    const uint64_t refused[DOOR_WHYS] = {1, 0, UINT64_MAX, 4, 5, 6};
    uint64_t read[DOOR_WHYS] = {0};
    char text[CONTROL_TEXT];
    int connections = -1;

    door_counts_write(text, 2048, refused);
    ck_assert(door_counts_read(&connections, read, text));
    ck_assert_int_eq(connections, 2048);
    ck_assert_mem_eq(read, refused, sizeof read);
}
END_TEST

static const char *const broken[] = {
    "",
    "1",
    "1 2 3 4 5 6",
    "1 2 3 4 5 6 7 8",
    "1 2 3 4 5 6 7 ",
    "-1 2 3 4 5 6 7",
    "1 2 3 4 5 6 18446744073709551616",
    "1 2 3 4  5 6 7",
    "a 2 3 4 5 6 7",
    "4294967296 2 3 4 5 6 7",
};

START_TEST(anything_else_changes_nothing)
{
    uint64_t read[DOOR_WHYS] = {9, 9, 9, 9, 9, 9}, before[DOOR_WHYS];
    char text[CONTROL_TEXT];
    int connections = -1;

    memcpy(before, read, sizeof read);
    snprintf(text, sizeof text, "%s", broken[_i]);
    ck_assert_msg(!door_counts_read(&connections, read, text), "'%s'", broken[_i]);
    ck_assert_int_eq(connections, -1);
    ck_assert_mem_eq(read, before, sizeof read);
}
END_TEST

START_TEST(every_result_has_a_word_of_its_own)
{
    for (int i = 0; i < DOOR_RESULTS; i++) {
        ck_assert_int_eq(door_result_find(door_result_word((enum door_result)i)), i);
    }
    ck_assert_int_eq(door_result_find("other"), DOOR_RESULTS);
}
END_TEST

void suite_tests(TCase *tests)
{
    tcase_add_test(tests, counts_are_read_as_they_were_written);
    suite_add_rows(tests, anything_else_changes_nothing, broken);
    tcase_add_test(tests, every_result_has_a_word_of_its_own);
}
