/* Who waits at the porch: an answer reaches who has asked, or nobody. */
#include <door/askers.h>

#include <check.h>

static struct askers askers;

static char who[2 * ASKERS];

static uint64_t add(int id)
{
    return askers_add(&askers, &who[id]);
}

static int take(uint64_t number)
{
    const char *found = askers_take(&askers, number);

    return found == NULL ? -1 : (int)(found - who);
}

static void set_up(void)
{
    askers = (struct askers){.next = 0};
}

START_TEST(each_answer_reaches_who_has_asked_and_only_once)
{
    uint64_t one = add(1), two = add(2);

    ck_assert_int_eq(take(two), 2);
    ck_assert_int_eq(take(one), 1);
    ck_assert_int_eq(take(one), -1);
    ck_assert_int_eq(take(1000), -1);
    ck_assert_int_eq(take(UINT64_MAX), -1);
}
END_TEST

START_TEST(a_late_answer_does_not_reach_another)
{
    uint64_t first = add(1), last = 0;

    for (int i = 0; i < ASKERS; i++) {
        last = add(2 + i);
    }
    ck_assert_int_eq(take(first), -1);
    ck_assert_int_eq(take(last), 2 + ASKERS - 1);
    ck_assert_int_eq(take(first + 1), 2);
}
END_TEST

START_TEST(who_is_gone_is_answered_no_more)
{
    uint64_t one = add(1), two = add(2), again = add(1);

    askers_forget(&askers, &who[1]);
    ck_assert_int_eq(take(one), -1);
    ck_assert_int_eq(take(again), -1);
    ck_assert_int_eq(take(two), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("askers");
    TCase *tests = tcase_create("askers");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, each_answer_reaches_who_has_asked_and_only_once);
    tcase_add_test(tests, a_late_answer_does_not_reach_another);
    tcase_add_test(tests, who_is_gone_is_answered_no_more);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
