#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utc.h"

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

void axis_time(struct axis *axis)
{
    enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };
    static const double step[] = {MINUTE,      2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE,
                                  30 * MINUTE, HOUR,       2 * HOUR,   3 * HOUR,    6 * HOUR,
                                  12 * HOUR,   DAY,        2 * DAY,    7 * DAY,     14 * DAY,
                                  30.0 * DAY,  90.0 * DAY, 360.0 * DAY};
    size_t i = 0;

    while (i + 1 < sizeof step / sizeof *step && step[i] < 0.8 * axis->step) {
        i++;
    }
    axis->step = step[i] * fmax(1, round(axis->step / step[i]));
    axis->first = ceil(axis->low / axis->step) * axis->step;
}

void axis_time_text(char out[32], const struct axis *axis, double seconds)
{
    char first[UTC_TEXT], last[UTC_TEXT], at[UTC_TEXT] = ""; /* 2026-11-22T08:30:00Z */
    const bool is_day = axis->step >= 86400;

    utc_write(first, (int64_t)axis->low);
    utc_write(last, (int64_t)axis->high);
    utc_write(at, (int64_t)seconds);
    if (is_day) {
        snprintf(out, 32, "%.10s", at);
    } else if (strncmp(first, last, 10) == 0) {
        snprintf(out, 32, "%.5s", at + 11);
    } else {
        snprintf(out, 32, "%.5s %.5s", at + 5, at + 11);
    }
}

double axis_at(const struct axis *axis, double value)
{
    return axis->from + (axis->to - axis->from) * (value - axis->low) / (axis->high - axis->low);
}

double axis_kept(const struct axis *axis, double value)
{
    return axis_at(axis, fmin(fmax(value, axis->low), axis->high));
}
