#define _GNU_SOURCE /* program_invocation_short_name */
#include "support/suite.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 4 };

const char *suite_argument;
struct bg_error error;

static struct suite_test *tests_listed;
static Suite *suite;
static SRunner *runner;
static const char *requested;
static struct {
    const char *name;
    TCase *tests;
} cases[CASES];

/* Constructors of a source run in the order that the compiler chose. */
void suite_list(struct suite_test *test)
{
    struct suite_test **at = &tests_listed;

    while (*at != NULL && (*at)->line < test->line) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
}

static void forget_error(void)
{
    error.text[0] = '\0';
}

TCase *suite_case(const char *name)
{
    int at = 0;

    while (cases[at].name != NULL && strcmp(cases[at].name, name) != 0) {
        at++;
    }
    if (cases[at].name == NULL) {
        cases[at].name = name;
        cases[at].tests = tcase_create(name);
        tcase_add_checked_fixture(cases[at].tests, forget_error, NULL);
        suite_add_tcase(suite, cases[at].tests);
    }
    return cases[at].tests;
}

void suite_on_request(const char *name)
{
    requested = name;
}

int suite_factor(void)
{
    return suite_argument != NULL ? atoi(suite_argument) : 1;
}

void suite_in_one_process(void)
{
    srunner_set_fork_status(runner, CK_NOFORK);
}

__attribute__((weak)) void suite_begin(TCase *tests)
{
}

static bool is_requested(const char *name)
{
    return requested != NULL && name != NULL && strcmp(name, requested) == 0;
}

int main(int argc, char **argv)
{
    int failed;

    suite_argument = argc > 1 ? argv[1] : NULL;
    setenv("CK_DEFAULT_TIMEOUT", "120", 0); /* seconds of one check: a busy machine is slow */
    suite = suite_create(program_invocation_short_name);
    runner = srunner_create(suite);
    suite_begin(suite_case("tests"));
    for (const struct suite_test *test = tests_listed; test != NULL; test = test->next) {
        if (is_requested(test->tcase) == is_requested(suite_argument)) {
            test->add(suite_case(test->tcase));
        }
    }
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
