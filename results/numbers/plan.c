/* Standard deviations of a game by method; a plan is made before there are games to take them
 * from. */
#include "plan.h"

#include <math.h>

#include "significance.h"
#include "rating.h"

const struct plan_method plan_methods[PLAN_METHODS] = {
    [PLAN_PLAIN] = {"plain", "plain dice", 3.00},
    [PLAN_DUPLICATE] = {"duplicate", "duplicate dice", 2.74},
    [PLAN_ADJUSTED] = {"adjusted", "luck-adjusted", 0.42},
    [PLAN_BOTH] = {"both", "duplicate + luck-adjusted", 0.40},
};

double plan_quantile(double p)
{
    double low = -40, high = 40, x = 0;

    /* the distribution function is monotone: halve the interval down to the last digit */
    for (; x > low && x < high; x = (low + high) / 2) {
        *(stat_phi(x) < p ? &low : &high) = x;
    }
    return x;
}

double plan_coverage_z(double coverage)
{
    return plan_quantile(0.5 + coverage / 2);
}

double plan_power_z(double power)
{
    return plan_quantile(power);
}

double plan_games(double difference, double sd, double z)
{
    return (z * sd / difference) * (z * sd / difference);
}

double plan_difference(double games, double sd, double z)
{
    return z * sd / sqrt(games);
}

double plan_matches(double rating_difference, double length_points, double coverage_z,
                    double power_z)
{
    double p = rating_expected(rating_difference, length_points);
    double root = (coverage_z * 0.5 + power_z * sqrt(p * (1 - p))) / (p - 0.5);

    return root * root;
}
