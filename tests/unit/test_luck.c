/* Luck of rolls and adjusted results. */
#include <numbers/luck.h>

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <numbers/ppg.h>

#include "../support/vector.h"

static const char *const vectors[] = {"l01_luck_exact_race", "l02_luck_race_with_errors",
                                      "l03_luck_opening"};

START_TEST(vector)
{
    char path[512];

    snprintf(path, sizeof path, TEST_DATA "/ratings/%s.json", vectors[_i]);
    vector_check(path);
}
END_TEST

START_TEST(rolls_have_their_places_and_weights)
{
    int weight = 0, place = 0;

    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            ck_assert_int_eq(luck_roll_index(high, low), place);
            ck_assert_int_eq(luck_roll_index(low, high), place);
            ck_assert_int_eq(luck_roll_weight(place), high == low ? 1 : 2);
            weight += luck_roll_weight(place++);
        }
    }
    ck_assert_int_eq(place, LUCK_ROLLS);
    ck_assert_int_eq(weight, 36);
}
END_TEST

/* Whatever the values, the luck of all throws together is none. */
START_TEST(luck_sums_to_nothing)
{
    double after[LUCK_ROLLS], other[LUCK_ROLLS], sum = 0, opening = 0;
    struct luck_roll roll;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        after[i] = sin(i * 1.7);
        other[i] = cos(i * 0.3);
    }
    for (int i = 0; i < LUCK_ROLLS; i++) {
        ck_assert(luck_of_roll(&roll, after, i));
        sum += luck_roll_weight(i) * roll.luck;
        if (luck_roll_weight(i) == 2) {
            ck_assert(luck_of_opening(&roll, after, other, i, LUCK_POINTS));
            opening += roll.luck;
            ck_assert(luck_of_opening(&roll, other, after, i, LUCK_POINTS));
            opening -= roll.luck; /* the other side starts: seen from the first */
        }
    }
    ck_assert_double_eq_tol(sum, 0, 1e-12);
    ck_assert_double_eq_tol(opening, 0, 1e-12);
}
END_TEST

START_TEST(opening_of_two_equal_sides)
{
    double money[LUCK_ROLLS], match[LUCK_ROLLS];
    struct luck_roll roll;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        bool doubles = luck_roll_weight(i) == 1;

        money[i] = doubles ? NAN : 0.01 * i - 0.05;
        match[i] = doubles ? NAN : 0.5 + 0.01 * i - 0.05;
    }
    ck_assert(luck_of_opening(&roll, money, money, luck_roll_index(3, 1), LUCK_POINTS));
    ck_assert_double_eq_tol(roll.before, 0, 1e-15);
    ck_assert_double_eq_tol(roll.luck, -0.02, 1e-15);
    ck_assert(luck_of_opening(&roll, match, match, luck_roll_index(3, 1), LUCK_MWC));
    ck_assert_double_eq_tol(roll.before, 0.5, 1e-15);
    ck_assert(!luck_of_opening(&roll, money, money, luck_roll_index(4, 4), LUCK_POINTS));
    ck_assert(isnan(roll.luck) && isnan(roll.before));
    /* the starter is given: the plain mean of the fifteen */
    ck_assert(luck_of_roll(&roll, money, luck_roll_index(3, 1)));
    ck_assert_double_eq_tol(roll.before, 0.01 * (210 - 50) / 15 - 0.05, 1e-15);
    ck_assert(!luck_of_roll(&roll, money, luck_roll_index(4, 4)));
    money[1] = NAN;
    ck_assert(!luck_of_opening(&roll, money, match, luck_roll_index(3, 1), LUCK_POINTS));
}
END_TEST

START_TEST(sides)
{
    ck_assert_double_eq(luck_other_side(LUCK_POINTS, 2), -2);
    ck_assert_double_eq(luck_other_side(LUCK_MWC, 0.25), 0.75);
    ck_assert_double_eq(luck_adjusted(2, 0.5, -0.25), 1.25);
}
END_TEST

/* --- sets of games ----------------------------------------------------------------------- */

/* Four games in two pairs, reckoned by hand. */
START_TEST(a_small_set)
{
    static const struct luck_result games[] = {{0, 2, 1.5}, {0, -1, -1.5}, {1, 1, 1}, {1, -2, -2}};
    struct luck_rolls rolls[2] = {{0}};
    struct luck_summary s;

    for (int i = 0; i < 4; i++) {
        luck_rolls_add(&rolls[0], i); /* mean 1.5, sum of squares 5 */
    }
    luck_rolls_add(&rolls[1], 0.25);
    ck_assert_int_eq(luck_summary_of(&s, LUCK_POINTS, games, 4, rolls, NULL), BG_OK);
    ck_assert_double_eq(s.results, 4);
    ck_assert_double_eq(s.clusters, 2);
    ck_assert_double_eq_tol(s.plain.mean, 0, 1e-12);
    ck_assert_double_eq_tol(s.plain.se, sqrt(2.0 * 2) / 4, 1e-12);
    ck_assert_double_eq_tol(s.plain.sd, sqrt(10.0 / 3), 1e-12);
    /* adjusted 0.5, 0.5, 0, 0 */
    ck_assert_double_eq_tol(s.adjusted.mean, 0.25, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.se, sqrt(2.0 * 0.5) / 4, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.los, stat_phi(1), 1e-12);
    ck_assert_double_eq_tol(s.difference.mean, 0.25, 1e-12);
    ck_assert(isnan(s.difference.los));
    /* luck about its mean: 1.75, -1.25, 1.25, -1.75 */
    ck_assert_double_eq_tol(s.coefficient, (3.5 + 1.25 + 1.25 + 3.5) / 9.25, 1e-12);
    ck_assert_double_eq_tol(s.ratio, (10.0 / 3) / (0.25 / 3), 1e-9);
    ck_assert_double_gt(s.ratio_fitted, s.ratio);
    ck_assert_double_eq_tol(s.roll_mean[0], 1.5, 1e-12);
    ck_assert_double_eq_tol(s.roll_se[0], sqrt(5.0 / 3 / 4), 1e-12);
    ck_assert_double_eq_tol(s.roll_mean[1], 0.25, 1e-12);
    ck_assert(isnan(s.roll_se[1]));
}
END_TEST

START_TEST(matches_are_even_at_one_half)
{
    static const struct luck_result matches[] = {
        {0, 1, 0.4}, {0, 0, -0.4}, {1, 1, 0.5}, {2, 0, -0.5}};
    struct luck_summary s;

    ck_assert_int_eq(luck_summary_of(&s, LUCK_MWC, matches, 4, NULL, NULL), BG_OK);
    ck_assert_double_eq_tol(s.plain.los, 0.5, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.mean, 0.5, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.los, 0.5, 1e-12);
    ck_assert_int_eq(luck_health_of(&s) & LUCK_ROLLS_BIASED, 0);
}
END_TEST

/* Identical bots: pairs cancel but for the rounding of long sums. */
START_TEST(rounding_separates_nobody)
{
    struct luck_result games[40];
    struct luck_summary s;

    for (int i = 0; i < 20; i++) {
        double luck = 1 / (i + 3.0), residue = 1e-16 * (i % 3 + 1);

        games[2 * i] = (struct luck_result){(uint64_t)i, 1, luck + residue};
        games[2 * i + 1] = (struct luck_result){(uint64_t)i, -1, -luck};
    }
    ck_assert_int_eq(luck_summary_of(&s, LUCK_POINTS, games, 40, NULL, NULL), BG_OK);
    ck_assert_double_eq(s.adjusted.se, 0);
    ck_assert_double_eq(s.adjusted.los, 0.5);
    ck_assert_double_eq(s.difference.se, 0);
    ck_assert_int_eq(luck_health_of(&s) & LUCK_RESULTS_APART, 0);
}
END_TEST

START_TEST(small_sets_say_little)
{
    static const struct luck_result one = {3, 2, 0.5};
    struct luck_summary s;

    ck_assert_int_eq(luck_summary_of(&s, LUCK_POINTS, NULL, 0, NULL, NULL), BG_OK);
    ck_assert(isnan(s.plain.mean) && isnan(s.adjusted.mean) && isnan(s.coefficient));
    ck_assert(isnan(s.ratio) && isnan(s.roll_mean[0]) && s.results == 0);
    ck_assert_int_eq(luck_health_of(&s), LUCK_HEALTHY);
    ck_assert_int_eq(luck_summary_of(&s, LUCK_POINTS, &one, 1, NULL, NULL), BG_OK);
    ck_assert_double_eq(s.adjusted.mean, 1.5);
    ck_assert(isnan(s.adjusted.se) && isnan(s.adjusted.sd) && isnan(s.ratio));
}
END_TEST

static const struct {
    const char *name;
    struct luck_summary summary;
    unsigned health;
} patients[] = {
    {"a good judge",
     {.coefficient = 1.02, .ratio = 40, .roll_mean = {0.001, 0.002}, .roll_se = {0.001, 0.001}},
     LUCK_HEALTHY},
    {"loaded dice",
     {.coefficient = 1, .ratio = 40, .roll_mean = {0, -0.004}, .roll_se = {0.001, 0.001}},
     LUCK_ROLLS_BIASED},
    {"results apart",
     {.coefficient = 1, .ratio = 40, .difference = {.mean = 0.2, .se = 0.05}},
     LUCK_RESULTS_APART},
    {"the judge sees a cube that is not there", {.coefficient = 0.81, .ratio = 8}, LUCK_SCALE_OFF},
    {"a judge that guesses", {.coefficient = 0.28, .ratio = 0.8}, LUCK_JUDGE_WEAK | LUCK_SCALE_OFF},
    {"a coarse judge", {.coefficient = 0.95, .ratio = 2.9}, LUCK_JUDGE_WEAK},
};

START_TEST(health)
{
    ck_assert_msg(luck_health_of(&patients[_i].summary) == patients[_i].health, "%s: %u",
                  patients[_i].name, luck_health_of(&patients[_i].summary));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("luck");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(laws, vector, 0, (int)(sizeof vectors / sizeof vectors[0]));
    tcase_add_test(laws, rolls_have_their_places_and_weights);
    tcase_add_test(laws, luck_sums_to_nothing);
    tcase_add_test(laws, opening_of_two_equal_sides);
    tcase_add_test(laws, sides);
    tcase_add_test(laws, a_small_set);
    tcase_add_test(laws, matches_are_even_at_one_half);
    tcase_add_test(laws, rounding_separates_nobody);
    tcase_add_test(laws, small_sets_say_little);
    tcase_add_loop_test(laws, health, 0, (int)(sizeof patients / sizeof patients[0]));
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
