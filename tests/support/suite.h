#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <check.h>

#include <bgref/error.h>

/* A test. That it stands in a source of the program is enough: support/suite.c is the program's
 * main and runs all tests in the order of their lines. */
#define TEST(name) TEST_IN(tests, name)

/* A test that runs once for each row of an array; _i is the row. */
#define TEST_ROWS(name, rows) TEST_ROWS_IN(tests, name, rows)

/* A test that runs once for each _i from `from` to `to` - 1. The numbers are computed after
 * suite_begin(). */
#define TEST_LOOP(name, from, to) TEST_LOOP_IN(tests, name, from, to)

/* The same in another case than `tests`: its name without quotation marks. */
#define TEST_IN(tcase, name)            SUITE_TEST(tcase, name, tcase_add_test(suite_tcase, name))
#define TEST_ROWS_IN(tcase, name, rows) TEST_LOOP_IN(tcase, name, 0, SUITE_COUNT(rows))
#define TEST_LOOP_IN(tcase, name, from, to)                                                        \
    SUITE_TEST(tcase, name, tcase_add_loop_test(suite_tcase, name, from, to))

/* A test by rows whose process has to end with this exit status. */
#define TEST_ROWS_EXIT(name, status, rows)                                                         \
    SUITE_TEST(tests, name,                                                                        \
               tcase_add_loop_exit_test(suite_tcase, name, status, 0, SUITE_COUNT(rows)))

/* Sets what the tests need beside themselves: fixtures, time limits, tests that are not a `TEST`.
 * A program defines it if it needs any. tests: the case that the tests are in by default. */
void suite_begin(TCase *tests);

/* For a program that needs functions around each test only; NULL for none. */
#define SUITE_FIXTURE(set_up, tear_down)                                                           \
    void suite_begin(TCase *tests)                                                                 \
    {                                                                                              \
        tcase_add_checked_fixture(tests, set_up, tear_down);                                       \
    }

/* The case of that name, for tests with other fixtures or another timeout. */
TCase *suite_case(const char *name);

/* The tests of this case run if the program's argument is its name, then alone, and otherwise not.
 */
void suite_on_request(const char *name);

/* Runs all tests in this process: no timeouts, and a test that crashes ends the others too. */
void suite_in_one_process(void);

/* The first argument of the program, or NULL. */
extern const char *suite_argument;

/* The argument as a number by which a test makes its work larger; 1 without an argument. */
int suite_factor(void);

/* For the calls of a test: what the last one that failed has said. Empty when a test begins. */
extern struct bg_error error;

/* The call, which has `&error`, returns BG_OK; else the test fails with what was said. */
#define assert_ok(call) ck_assert_msg((call) == BG_OK, "%s", error.text)

/* What the macros are made of. */
struct suite_test {
    const char *tcase;
    int line;
    void (*add)(TCase *suite_tcase);
    struct suite_test *next;
};

void suite_list(struct suite_test *test);

#define SUITE_COUNT(rows) (int)(sizeof(rows) / sizeof((rows)[0]))

/* Lists the test before main. START_TEST of libcheck needs END_TEST behind it, which is empty since
 * 0.13. */
#define SUITE_TEST(tcase_name, name, adding)                                                       \
    static const TTest *name;                                                                      \
    static void name##_add_to_suite(TCase *suite_tcase)                                            \
    {                                                                                              \
        adding;                                                                                    \
    }                                                                                              \
    __attribute__((constructor)) static void name##_list_in_suite(void)                            \
    {                                                                                              \
        static struct suite_test suite_test = {#tcase_name, __LINE__, name##_add_to_suite, NULL};  \
                                                                                                   \
        suite_list(&suite_test);                                                                   \
    }                                                                                              \
    START_TEST(name)

#endif
