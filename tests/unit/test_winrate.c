/* Wilson intervals. */
#include <numbers/winrate.h>

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../support/vector.h"

START_TEST(vector)
{
    vector_check(TEST_DATA "/ratings/i01_intervals.json");
}
END_TEST

START_TEST(nothing_played_says_nothing)
{
    static const double none[3] = {0, 0, 0};
    struct winrate rate;

    winrate_of_matches(&rate, 0, 0);
    ck_assert(isnan(rate.rate) && isnan(rate.wilson[0]) && isnan(rate.wilson[1]));
    winrate_of_pairs(&rate, none);
    ck_assert(isnan(rate.rate) && isnan(rate.se) && isnan(rate.wilson[0]));
    ck_assert_double_eq(rate.deff, 1);
}
END_TEST

/* Swapping the sides mirrors the interval; it always holds the rate and stays inside [0, 1]. */
START_TEST(sides_mirror)
{
    for (int n0 = 0; n0 < 5; n0++) {
        for (int n1 = 0; n1 < 5; n1++) {
            double there[3] = {n0, n1, _i}, back[3] = {_i, n1, n0};
            struct winrate x, y;

            winrate_of_pairs(&x, there);
            winrate_of_pairs(&y, back);
            if (n0 + n1 + _i == 0) {
                continue;
            }
            ck_assert_double_eq_tol(x.rate, 1 - y.rate, 1e-12);
            ck_assert_double_eq_tol(x.wilson[0], 1 - y.wilson[1], 1e-12);
            ck_assert_double_eq_tol(x.deff, y.deff, 1e-12);
            ck_assert(x.wilson[0] >= 0 && x.wilson[1] <= 1);
            ck_assert(x.wilson[0] <= x.rate + 1e-12 && x.rate <= x.wilson[1] + 1e-12);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("winrate");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_test(laws, vector);
    tcase_add_test(laws, nothing_played_says_nothing);
    tcase_add_loop_test(laws, sides_mirror, 0, 5);
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
