/* Maximum-likelihood ratings: vectors, closed forms, and laws that every fit obeys. */
#include <numbers/draw.h>
#include <numbers/rating.h>
#include <numbers/strength.h>

#include <math.h>
#include <string.h>

#include "support/vector.h"
#include "support/suite.h"

static struct rating_row plain(int a, int b, double length, double won, double lost)
{
    return (struct rating_row){
        .a = a, .b = b, .length_points = length, .wins_a = won, .wins_b = lost};
}

static const struct {
    double length, won, lost;
} two[] = {{1, 60, 40},   {7, 60, 40}, {25, 1, 1},    {1, 1, 1000000},
           {3, 99999, 1}, {9, 5, 5},   {10000, 7, 1}, {1, 1e9, 3}};

/* Two engines have a closed form: the difference is the logit of the win rate. */
TEST_ROWS(two_engines_by_hand, two)
{
    double n = two[_i].won + two[_i].lost, p = two[_i].won / n;
    double beta = log(10) * sqrt(two[_i].length) / 2000;
    struct rating_row row = plain(0, 1, two[_i].length, two[_i].won, two[_i].lost);
    struct rating_options options = RATING_OPTIONS_INIT;
    struct rating_fit fit;

    ck_assert_int_eq(rating_fit(&fit, 2, &row, 1, &options, NULL), BG_OK);
    ck_assert_double_eq_tol(fit.player[0].rating - fit.player[1].rating, log(p / (1 - p)) / beta,
                            1e-4);
    ck_assert_double_eq_tol(fit.player[0].rating + fit.player[1].rating, 3000, 1e-6);
    ck_assert_double_eq_tol(2 * fit.player[0].se, 1 / (beta * sqrt(n * p * (1 - p))), 1e-3);
    ck_assert(!fit.robust && isnan(fit.player[0].robust_se) && !fit.player[0].prior);
    rating_fit_deinit(&fit);
}

/* Pairs that always split leave no doubt about equality: the error is 0 and LOS one half. */
TEST(split_pairs_have_no_robust_error)
{
    static const double split[3] = {0, 10, 0};
    struct rating_row rows[] = {rating_row_pairs(0, 1, 5, split), rating_row_pairs(1, 2, 5, split)};
    struct rating_options options = RATING_OPTIONS_INIT;
    struct rating_fit fit;

    ck_assert_int_eq(rating_fit(&fit, 3, rows, 2, &options, NULL), BG_OK);
    ck_assert(fit.robust);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq(fit.player[i].robust_se, 0);
        ck_assert_double_gt(fit.player[i].se, 1);
    }
    for (int i = 0; i < 9; i++) {
        ck_assert_double_eq(fit.los[i], 0.5);
    }
    rating_fit_deinit(&fit);
}

/* Splitting a row into parts, swapping its sides, or adding rows without games changes nothing. */
TEST(ratings_do_not_depend_on_row_order_or_splitting)
{
    static const double pairs[3] = {3, 9, 5}, first[3] = {1, 9, 2}, second[3] = {2, 0, 3};
    static const double turned[3] = {5, 9, 3}, none[3] = {0, 0, 0};
    struct rating_row one[] = {rating_row_pairs(0, 1, 5, pairs), plain(1, 2, 3, 8, 4)};
    struct rating_row parts[] = {rating_row_pairs(0, 1, 5, first),
                                 rating_row_pairs(0, 1, 5, second),
                                 plain(2, 1, 3, 1, 6),
                                 plain(1, 2, 3, 2, 3),
                                 rating_row_pairs(0, 3, 5, none),
                                 plain(2, 3, 5, 0, 0)};
    struct rating_row other[] = {rating_row_pairs(1, 0, 5, turned), plain(2, 1, 3, 4, 8)};
    struct rating_options options = {-1, 1500, RATING_PRIOR_FIXED, 2, false};
    struct rating_fit x, y, z;

    ck_assert_int_eq(rating_fit(&x, 4, one, 2, &options, NULL), BG_OK);
    ck_assert_int_eq(rating_fit(&y, 4, parts, 6, &options, NULL), BG_OK);
    ck_assert_int_eq(rating_fit(&z, 4, other, 2, &options, NULL), BG_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(x.player[i].rating, y.player[i].rating, 1e-6);
        ck_assert_double_eq_tol(x.player[i].rating, z.player[i].rating, 1e-6);
        ck_assert_double_eq_tol(x.player[i].robust_se, y.player[i].robust_se, 1e-6);
        ck_assert_double_eq_tol(x.player[i].robust_se, z.player[i].robust_se, 1e-6);
    }
    ck_assert_int_eq(y.groups, 1);
    ck_assert_int_eq(y.player[3].group, -1);
    ck_assert_int_eq(y.player[3].flag, RATING_UNPLAYED);
    ck_assert(isnan(y.player[3].rating) && isnan(y.los[15]));
    rating_fit_deinit(&x);
    rating_fit_deinit(&y);
    rating_fit_deinit(&z);
}

/* A beat B, B beat C, C beat A: no bot is separated. Without the last win there is no maximum. */
TEST(a_finite_maximum_needs_a_cycle_of_wins)
{
    struct rating_row rows[] = {plain(0, 1, 1, 9, 0), plain(1, 2, 1, 9, 0), plain(2, 0, 1, 1, 0)};
    struct rating_options none = {-1, 1500, RATING_PRIOR_FIXED, 0, false};
    struct rating_fit fit;

    ck_assert_int_eq(rating_fit(&fit, 3, rows, 3, &none, NULL), BG_OK);
    ck_assert(isfinite(fit.player[0].rating) && isfinite(fit.player[2].rating));
    rating_fit_deinit(&fit);
    ck_assert_int_eq(rating_fit(&fit, 3, rows, 2, &none, NULL), BG_OK);
    ck_assert(isnan(fit.player[0].rating) && isnan(fit.player[1].rating) && isnan(fit.los[0]));
    ck_assert_int_eq(fit.player[1].group, 0);
    ck_assert_int_eq(fit.player[1].flag, RATING_OK);
    ck_assert(isnan(fit.player[1].expected_wins));
    rating_fit_deinit(&fit);
}

/* A chain of lopsided results, where a full Newton step would jump far beyond the maximum. */
TEST(lopsided_chains_converge)
{
    enum { ENGINES = 12 };
    struct rating_row rows[ENGINES - 1];
    struct rating_options options = RATING_OPTIONS_INIT;
    struct rating_fit fit;
    double each = log(100000.0) / (log(10) / 2000);

    for (int i = 0; i + 1 < ENGINES; i++) {
        rows[i] = plain(i, i + 1, 1, 100000, 1);
    }
    ck_assert_int_eq(rating_fit(&fit, ENGINES, rows, ENGINES - 1, &options, NULL), BG_OK);
    for (int i = 0; i + 1 < ENGINES; i++) {
        ck_assert_double_eq_tol(fit.player[i].rating - fit.player[i + 1].rating, each, 1e-3);
    }
    rating_fit_deinit(&fit);
}

static const struct {
    const char *why;
    struct rating_row row;
    struct rating_options options;
} wrong[] = {
    {"an engine against itself", {1, 1, 5, 1, 1, false, {0}, {0}}, RATING_OPTIONS_INIT},
    {"an engine that is not there", {0, 2, 5, 1, 1, false, {0}, {0}}, RATING_OPTIONS_INIT},
    {"a length of 0", {0, 1, 0, 1, 1, false, {0}, {0}}, RATING_OPTIONS_INIT},
    {"negative wins", {0, 1, 5, -1, 1, false, {0}, {0}}, RATING_OPTIONS_INIT},
    {"wins without end", {0, 1, 5, INFINITY, 1, false, {0}, {0}}, RATING_OPTIONS_INIT},
    {"an anchor that is not there", {0, 1, 5, 1, 1, false, {0}, {0}}, {2, 1500, 0, 0, false}},
    {"a negative prior",
     {0, 1, 5, 1, 1, false, {0}, {0}},
     {-1, 1500, RATING_PRIOR_FIXED, -1, false}},
};

TEST_ROWS(invalid_input_is_refused, wrong)
{
    struct rating_fit fit;

    ck_assert_msg(rating_fit(&fit, 2, &wrong[_i].row, 1, &wrong[_i].options, &error) ==
                      BG_E_ARGUMENT,
                  "%s", wrong[_i].why);
    ck_assert_str_ne(error.text, "");
    ck_assert_ptr_null(fit.player);
}

/* The documented facts about the scale. */
TEST(the_scale_reads_as_documented)
{
    ck_assert_double_eq_tol(rating_expected(100, 1), 0.529, 5e-4);
    ck_assert_double_eq_tol(rating_expected(100, 5), 0.564, 5e-4);
    ck_assert_double_eq_tol(rating_expected(100, 11), 0.594, 5e-4);
    ck_assert_double_eq_tol(rating_expected(100, 25), 0.640, 5e-4);
    ck_assert_double_eq_tol(rating_expected(1001.2047, 1), 0.76, 1e-8);
}

TEST(performance_needs_wins_and_losses)
{
    struct rating_opponent even[] = {{1700, 5, 3, 3}, {1700, 5, 2, 2}};
    struct rating_opponent won[] = {{1700, 5, 3, 0}};
    struct rating_opponent far[] = {{1700, 1, 1000000, 1}};

    ck_assert_double_eq_tol(rating_performance(even, 2), 1700, 1e-6);
    ck_assert(isnan(rating_performance(won, 1)));
    ck_assert(isnan(rating_performance(NULL, 0)));
    ck_assert_double_eq_tol(rating_performance(far, 1), 1700 + 12000, 1e-3);
}

TEST(the_length_check_finds_a_misfit)
{
    /* the stronger side wins more at length 1 than sqrt(n) allows compared with length 25 */
    struct rating_row rows[] = {plain(0, 1, 1, 800, 200), plain(0, 1, 25, 520, 480)};
    struct rating_options options = RATING_OPTIONS_INIT;
    struct rating_length_check check[4];
    struct rating_fit fit;

    ck_assert_int_eq(rating_fit(&fit, 2, rows, 2, &options, NULL), BG_OK);
    ck_assert_uint_eq(rating_check_lengths(check, 4, &fit, rows, 2), 2);
    ck_assert_double_eq(check[0].length_points, 1);
    ck_assert_double_eq(check[1].matches, 1000);
    ck_assert_double_gt(check[0].deviation, 3);
    ck_assert_double_lt(check[1].deviation, -3);
    rating_fit_deinit(&fit);
}

TEST(first_fibs_match_of_two_newcomers)
{
    struct fibs_options options = FIBS_OPTIONS_INIT;
    struct fibs_player w = fibs_newcomer(&options), l = w;

    fibs_match(&w, &l, 5, &options);
    ck_assert_double_eq_tol(w.rating, 1522.3607, 1e-4);
    ck_assert_double_eq_tol(l.rating, 1477.6393, 1e-4);
    ck_assert(w.experience == 5 && l.experience == 5);
}

/* Without the ramp the sum of ratings is constant; an upset changes more than an expected
 * result. */
TEST(fibs_without_ramp)
{
    struct fibs_options options = {1500, 1, 400};
    struct fibs_player strong = {1700, 90}, weak = {1400, 10}, s = strong, w = weak;

    fibs_match(&s, &w, 9, &options);
    ck_assert_double_eq_tol(s.rating + w.rating, 3100, 1e-9);
    ck_assert_double_eq_tol(s.rating - 1700, 12 / (1 + pow(10, 300 * 3 / 2000.0)), 1e-9);
    s = strong, w = weak;
    fibs_match(&w, &s, 9, &options);
    ck_assert_double_eq_tol(w.rating - 1400, 12 - 12 / (1 + pow(10, 300 * 3 / 2000.0)), 1e-9);
}

/* The ramp ends at the factor 1 and uses the experience before the match. */
TEST(fibs_ramp)
{
    struct fibs_options options = FIBS_OPTIONS_INIT, club = {1500, 2, 400};
    struct fibs_player w = {1500, 390}, l = {1500, 4000};

    fibs_match(&w, &l, 25, &options);
    ck_assert_double_eq_tol(w.rating, 1500 + 1.1 * 10, 1e-9);
    ck_assert_double_eq_tol(l.rating, 1490, 1e-9);
    w = (struct fibs_player){1500, 200};
    l = (struct fibs_player){1500, 400};
    fibs_match(&w, &l, 1, &club);
    ck_assert_double_eq_tol(w.rating, 1503, 1e-9);
    ck_assert_double_eq_tol(l.rating, 1498, 1e-9);
}

void suite_begin(TCase *tests)
{
    vector_add(
        tests,
        "r01_two_engines r02_round_robin_n1 r03_mixed_lengths_anchor r04_unbeaten r06_disconnected "
        "r05_unbeaten_no_prior r07_hundred_engines r08_duplicate_pairs r09_weak_bridge f01_fibs");
}
