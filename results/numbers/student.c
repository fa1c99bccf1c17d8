#include "student.h"

#include <math.h>

#include "ppg.h"

enum { FRACTION_STEPS = 300, NEWTON_STEPS = 200 };

static const double MANY = 300;
static const double NORMAL_FROM = 1e7; /* from here on the same as infinity */

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 / fmax(fabs(1 - (a + b) * x / (a + 1)), tiny), value = 0;

    d = 1 - (a + b) * x / (a + 1) < 0 ? -d : d;
    value = d;
    for (int m = 1; m < FRACTION_STEPS; m++) {
        for (int odd = 0; odd < 2; odd++) {
            double term = odd == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                   : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= c * d;
        }
        if (fabs(c * d - 1) < 1e-15) {
            break;
        }
    }
    return value;
}

/* Regularised incomplete beta function I_x(a, b), 0 < x < 1. The fraction converges fast on one
 * side of the mean only; the other side is its complement. */
static double beta_part(double x, double a, double b)
{
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a
                                     : 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* P(T <= -t), t > 0, for many degrees of freedom: the normal deviate of the same tail (G. W. Hill,
 * Student's t-distribution, Communications of the ACM 1970). Exact to a double up to t = 8 from 300
 * degrees of freedom on, and ten times faster than the fraction. */
static double tail_of_many(double t, double df)
{
    double a = df - 0.5, b = 48 * a * a, z2 = a * log1p(t * t / df), z = sqrt(z2), z3 = z * z2;
    double more = (((4 * z2 + 33) * z2 + 240) * z2 + 855) * z;

    return stat_phi(-(z + (z3 + 3 * z) / b - more / (10 * b * (b + 0.8 * z2 * z2 + 100))));
}

double student_cdf(double t, double df)
{
    double tail = 0;

    if (isnan(t) || !(df > 0)) {
        return NAN;
    }
    if (df > NORMAL_FROM || isinf(t)) {
        return stat_phi(t);
    }
    if (t == 0) {
        return 0.5;
    }
    tail = df >= MANY ? tail_of_many(fabs(t), df) : 0.5 * beta_part(df / (df + t * t), df / 2, 0.5);
    return t > 0 ? 1 - tail : tail;
}

double student_t95(double df)
{
    double t = STAT_Z95, step = INFINITY, density = 0;

    if (!(df > 0)) {
        return NAN;
    }
    if (df > NORMAL_FROM) {
        return STAT_Z95;
    }
    density = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(3.141592653589793 * df);
    /* Newton's method from below the root: the tail is convex, so it is never passed */
    for (int i = 0; i < NEWTON_STEPS && step > 1e-14 * t; i++) {
        step = (student_cdf(-t, df) - 0.025) / (density * exp(-(df + 1) / 2 * log1p(t * t / df)));
        t += step;
    }
    return t;
}

double student_f_tail(double f, double df1, double df2)
{
    if (!(f >= 0) || !(df1 > 0) || !(df2 > 0)) {
        return NAN;
    }
    /* lgamma of infinity has no difference. */
    df2 = fmin(df2, NORMAL_FROM);
    return f > 0 ? beta_part(df2 / (df2 + df1 * f), df2 / 2, df1 / 2) : 1;
}

double student_chi99(double df)
{
    double share = 2 / (9 * df), root = 1 - share + 2.3263478740408408 * sqrt(share);

    return root * root * root;
}
