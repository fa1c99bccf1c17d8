#define _GNU_SOURCE /* program_invocation_short_name */
#include "support/suite.h"

#include <errno.h>
#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create(program_invocation_short_name);
    TCase *tests = tcase_create("tests");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_tests(tests);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
