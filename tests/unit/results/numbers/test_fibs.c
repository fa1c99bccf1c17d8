/* Incremental ratings. */
#include <numbers/fibs.h>

#include <math.h>
#include <stdio.h>

#include "support/vector.h"
#include "support/suite.h"

TEST(first_match_of_two_newcomers)
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
TEST(without_ramp)
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
TEST(ramp)
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
    vector_add(tests, "f01_fibs");
}
