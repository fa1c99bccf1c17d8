#define _GNU_SOURCE /* program_invocation_short_name */
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>

const char *suite_argument;

static Suite *suite;
static SRunner *runner;

TCase *suite_case(const char *name)
{
    TCase *tests = tcase_create(name);

    suite_add_tcase(suite, tests);
    return tests;
}

void suite_in_one_process(void)
{
    srunner_set_fork_status(runner, CK_NOFORK);
}

int main(int argc, char **argv)
{
    int failed;

    suite_argument = argc > 1 ? argv[1] : NULL;
    setenv("CK_DEFAULT_TIMEOUT", "120", 0); /* seconds of one check: a busy machine is slow */
    suite = suite_create(program_invocation_short_name);
    runner = srunner_create(suite);
    suite_tests(suite_case("tests"));
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
