#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <check.h>

/* A test. START_TEST of libcheck needs END_TEST behind it, which is empty since 0.13. */
#define TEST(name) START_TEST(name)

/* The list of tests of a program. The program defines it, and support/suite.c is its main. */
void suite_tests(TCase *tests);

/* A further case of the same program, for tests with other fixtures or another timeout. */
TCase *suite_case(const char *name);

/* Runs all tests in this process: no timeouts, and a test that crashes ends the others too. */
void suite_in_one_process(void);

/* The first argument of the program, or NULL. */
extern const char *suite_argument;

/* Adds a test that runs once for each row of an array; _i is the row. */
#define suite_add_rows(tests, test, rows)                                                          \
    tcase_add_loop_test(tests, test, 0, (int)(sizeof(rows) / sizeof((rows)[0])))

#endif
