#include "axis.h"

#include <math.h>

/* Returns 1, 2 or 5 times a power of ten, near `wanted`. */
static double round_step(double wanted)
{
    double power = pow(10, floor(log10(wanted)));
    double times = wanted / power;

    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

void axis_init(struct axis *axis, double low, double high, double from, double to, int ticks)
{
    double span = fabs(high - low), middle = (low + high) / 2, air;

    /* Values that are all equal would give an axis of no length. */
    span = span > 1e-9 * (1 + fabs(middle)) ? span : 1e-2 * (1 + fabs(middle));
    /* Half of the span to each side, and a little so that points at the ends are not cut. */
    air = 0.54 * span;
    axis->low = middle - air;
    axis->high = middle + air;
    axis->from = from;
    axis->to = to;
    axis->step = round_step(span / ticks);
    axis->first = ceil(axis->low / axis->step) * axis->step;
    axis->decimals = axis->step >= 1 ? 0 : (int)ceil(-log10(axis->step) - 1e-9);
}

double axis_at(const struct axis *axis, double value)
{
    return axis->from + (axis->to - axis->from) * (value - axis->low) / (axis->high - axis->low);
}

double axis_kept(const struct axis *axis, double value)
{
    return axis_at(axis, fmin(fmax(value, axis->low), axis->high));
}
