#include "mixture.h"

#include <math.h>

#include "student.h"

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
