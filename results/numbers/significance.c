/* Errors are estimates from few pairs of games, so a bar takes Student's t: the normal distribution
 * would make it too short, most of all where it matters, in a small event.
 *
 * Written here and not taken from GSL (2.7.1): some 70 lines less would cost each start of the
 * program 0.2 to 0.3 ms and a library of 3 MB (lowest of 200 starts of an empty program,
 * 2026-11-29, on a busy machine: 0.70 ms without it, 0.91 with it). Its t agrees to 4e-14 and its F
 * to 6e-11; it takes a quarter of our time at 120 to 300 degrees of freedom and up to twice ours
 * elsewhere. */
#include "significance.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { FRACTION_STEPS = 300, NEWTON_STEPS = 200 };

static const double MANY = 300;
static const double NORMAL_FROM = 1e7; /* from here on the same as infinity */

double log_logistic(double x)
{
    return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x));
}

double stat_phi(double x)
{
    /* erfc and not 1 - erf, which has no digits left in the tails. */
    return 0.5 * erfc(-x / sqrt(2));
}

double stat_los(double difference, double se)
{
    if (isnan(difference) || isnan(se)) {
        return NAN;
    }
    if (se > 0) {
        return stat_phi(difference / se);
    }
    return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
}

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

/* ------------------------------------------------------------------ mixtures */

enum { STEPS = 60 };

static const double NONE = 1e-9; /* shares below it are left out of the sums of tails */

double mixture_mean(const struct mixture *mixture)
{
    double sum = 0;

    for (int g = 0; g < mixture->parts; g++) {
        sum += mixture->share[g] * mixture->mean[g];
    }
    return sum;
}

double mixture_sd(const struct mixture *mixture)
{
    double mean = mixture_mean(mixture), sum = 0;

    for (int g = 0; g < mixture->parts; g++) {
        double apart = mixture->mean[g] - mean;

        sum += mixture->share[g] * (mixture->sd[g] * mixture->sd[g] + apart * apart);
    }
    return sqrt(sum);
}

/* Converts a skewed z to a symmetric one: the inverse of z + skew / 6 * (z^2 - 1). */
static double straighten(double z, double skew)
{
    double k = skew / 6, root = 1 + 4 * k * (z + k);

    if (skew == 0) {
        return z;
    }
    if (root <= 0) { /* beyond the turn of the parabola */
        return k > 0 ? (double)-INFINITY : (double)INFINITY;
    }
    /* Written so that a small skew does not subtract two nearly equal numbers. */
    return 2 * (z + k) / (1 + sqrt(root));
}

static double part_cdf(const struct mixture *m, int g, double x)
{
    double apart = x - m->mean[g];

    if (!(m->sd[g] > 0)) {
        return apart > 0 ? 1 : apart < 0 ? 0 : 0.5;
    }
    return student_cdf(straighten(apart / m->sd[g], m->skew[g]), m->df);
}

double mixture_cdf(const struct mixture *mixture, double x)
{
    double sum = 0, all = 0;

    for (int g = 0; g < mixture->parts; g++) {
        if (mixture->share[g] > NONE) {
            sum += mixture->share[g] * part_cdf(mixture, g, x);
            all += mixture->share[g];
        }
    }
    return sum / all;
}

double mixture_end(const struct mixture *mixture, bool high)
{
    double z = high ? mixture->t : -mixture->t, low = INFINITY, top = -INFINITY;

    for (int g = 0; g < mixture->parts; g++) { /* the end lies between those of the parts */
        double end = mixture->mean[g] + mixture->sd[g] * (z + mixture->skew[g] / 6 * (z * z - 1));

        low = mixture->share[g] > NONE ? fmin(low, end) : low;
        top = mixture->share[g] > NONE ? fmax(top, end) : top;
    }
    /* By halving: the distribution is monotone, and Newton's steps could leave the range where a
     * part is narrow. */
    for (int step = 0; step < STEPS && top - low > 1e-12 * fmax(fabs(low), fabs(top)); step++) {
        double middle = (low + top) / 2;
        bool below = mixture_cdf(mixture, middle) < (high ? 0.975 : 0.025);

        low = below ? middle : low;
        top = below ? top : middle;
    }
    return (low + top) / 2;
}

/* ------------------------------------------------------------------ many tests */

struct tested {
    double p;
    size_t place;
};

static int by_p(const void *x, const void *y)
{
    double a = ((const struct tested *)x)->p, b = ((const struct tested *)y)->p;

    return (a > b) - (a < b);
}

void holm_adjust(double *p, size_t count)
{
    struct tested *list = memory_zeroed(count, sizeof *list);
    size_t tested = 0;
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        /* What was not tested does not count as a test, or pairs without games would make all
         * others harder to establish. */
        if (!isnan(p[i])) {
            list[tested++] = (struct tested){p[i], i};
        }
    }
    qsort(list, tested, sizeof *list, by_p);
    for (size_t i = 0; i < tested; i++) {
        /* The adjusted values must not fall again: a hypothesis is only rejected together with
         * all that have smaller p. */
        most = fmax(most, fmin(1, list[i].p * (double)(tested - i)));
        p[list[i].place] = most;
    }
    free(list);
}
