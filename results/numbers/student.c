#include "student.h"

#include <math.h>

#include "ppg.h"

enum { FRACTION_STEPS = 300, BISECTIONS = 80 };

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

/* Regularised incomplete beta function I_x(a, b), 0 < x < 1. */
static double beta_part(double x, double a, double b)
{
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a
                                     : 1 - front * beta_fraction(1 - x, b, a) / b;
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
    tail = 0.5 * beta_part(df / (df + t * t), df / 2, 0.5);
    return t > 0 ? 1 - tail : tail;
}

double student_t95(double df)
{
    double low = STAT_Z95, high = 13; /* t at one degree of freedom is 12.7 */

    if (!(df > 0)) {
        return NAN;
    }
    if (df > NORMAL_FROM) {
        return STAT_Z95;
    }
    while (student_cdf(-high, df) > 0.025) { /* below one degree of freedom */
        high *= 4;
    }
    for (int i = 0; i < BISECTIONS && high - low > 1e-12; i++) {
        double middle = (low + high) / 2;

        if (student_cdf(-middle, df) > 0.025) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

double student_f_tail(double f, double df1, double df2)
{
    if (!(f >= 0) || !(df1 > 0) || !(df2 > 0)) {
        return NAN;
    }
    df2 = fmin(df2, NORMAL_FROM);
    return f > 0 ? beta_part(df2 / (df2 + df1 * f), df2 / 2, df1 / 2) : 1;
}

double student_chi99(double df)
{
    double share = 2 / (9 * df), root = 1 - share + 2.3263478740408408 * sqrt(share);

    return root * root * root;
}
