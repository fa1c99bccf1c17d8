/* Numbers of games: the published table, and the inverse formulas. */
#include "support/suite.h"

#include <numbers/plan.h>

#include <math.h>

#include <numbers/rating.h>
#include <numbers/significance.h>
#include <numbers/winrate.h>

TEST(quantiles)
{
    ck_assert_double_eq_tol(plan_coverage_z(0.95), STAT_Z95, 1e-14);
    ck_assert_double_eq_tol(plan_power_z(0.8), 0.8416212335729143, 1e-14);
    ck_assert_double_eq_tol(plan_power_z(0.5), 0, 1e-15);
    ck_assert_double_eq_tol(plan_quantile(1e-9), -5.9978070150, 1e-9);
}

/* Rounded as in docs/statistics.md: to two or three figures. */
static const struct {
    int method;
    double difference, interval, power;
} needed[] = {
    {PLAN_PLAIN, 0.05, 14000, 28000},      {PLAN_PLAIN, 0.02, 86000, 177000},
    {PLAN_PLAIN, 0.01, 346000, 706000},    {PLAN_DUPLICATE, 0.05, 12000, 24000},
    {PLAN_DUPLICATE, 0.02, 72000, 147000}, {PLAN_DUPLICATE, 0.01, 288000, 589000},
    {PLAN_ADJUSTED, 0.05, 272, 554},       {PLAN_ADJUSTED, 0.02, 1700, 3460},
    {PLAN_ADJUSTED, 0.01, 6780, 14000},    {PLAN_BOTH, 0.05, 246, 503},
    {PLAN_BOTH, 0.02, 1540, 3140},         {PLAN_BOTH, 0.01, 6150, 13000},
};

TEST_ROWS(games_needed, needed)
{
    double sd = plan_methods[needed[_i].method].sd, d = needed[_i].difference;
    double interval = plan_games(d, sd, plan_coverage_z(0.95));
    double power = plan_games(d, sd, plan_coverage_z(0.95) + plan_power_z(0.8));

    ck_assert_double_eq_tol(interval / needed[_i].interval, 1, 0.04);
    ck_assert_double_eq_tol(power / needed[_i].power, 1, 0.04);
    ck_assert_double_eq_tol(plan_difference(interval, sd, plan_coverage_z(0.95)), d, 1e-12);
}

/* At the given number of matches, Wilson's interval ends at one half. */
TEST(matches_needed)
{
    double n = plan_matches(30, 7, plan_coverage_z(0.95), 0);
    struct winrate rate;

    winrate_of_matches(&rate, n * rating_expected(30, 7), n);
    ck_assert_double_eq_tol(rate.wilson[0], 0.5, 1e-9);
    ck_assert_double_eq_tol(plan_matches(-30, 7, plan_coverage_z(0.95), 0), n, 1e-6);
    ck_assert_double_gt(plan_matches(30, 7, plan_coverage_z(0.95), plan_power_z(0.8)), 2 * n);
}
