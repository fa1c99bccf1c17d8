#include "drift.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#include "numbers/significance.h"
#include "numbers/strength.h"

/* Collects the results of one encounter's clusters from A's view. Returns how many. */
static size_t results_of(double *out, const struct legs *legs, size_t from, size_t end)
{
    size_t count = 0;

    for (size_t i = from, next; i < end; i = next) {
        struct legs_cluster sum;

        next = legs_cluster_sum(&sum, legs, i);
        out[count++] = (legs->leg[i].length_points == 0 ? sum.points : sum.wins) / sum.legs;
    }
    return count;
}

/* Position of cluster i of m, from -1/2 to 1/2. */
static double order_of(size_t i, size_t m)
{
    return (double)i / (double)(m - 1) - 0.5;
}

/* Returns false if the results do not vary. */
static bool fit(struct drift *out, const double *x, size_t m)
{
    double mean = 0, tt = 0, tx = 0, middle = 0;

    for (size_t i = 0; i < m; i++) {
        mean += x[i] / (double)m;
        tt += order_of(i, m) * order_of(i, m);
        tx += order_of(i, m) * x[i];
    }
    out->clusters = (double)m;
    out->change = tx / tt;
    for (size_t i = 0; i < m; i++) {
        double t = order_of(i, m), hold = 1 - 1 / (double)m - t * t / tt;
        double rest = (x[i] - mean - out->change * t) / hold;

        middle += t * t * rest * rest;
    }
    out->se = sqrt(middle) / tt;
    out->df = (double)m - 2;
    out->low = out->change - student_t95(out->df) * out->se;
    out->high = out->change + student_t95(out->df) * out->se;
    out->p = 2 * student_cdf(-fabs(out->change) / out->se, out->df);
    return out->se > 1e-12;
}

/* Changes the view to the bot that was entered first. */
static void orient(struct drift *drift)
{
    if (drift->a > drift->b) {
        struct drift seen = *drift;

        drift->a = seen.b;
        drift->b = seen.a;
        drift->change = -seen.change;
        drift->low = -seen.high;
        drift->high = -seen.low;
    }
}

static void adjust(struct drift *drift, size_t count)
{
    double *p = memory_zeroed(2 * count, sizeof *p);

    for (size_t i = 0; i < count; i++) {
        p[i] = drift[i].p;
    }
    holm_adjust(p + count, p, count);
    for (size_t i = 0; i < count; i++) {
        drift[i].p_holm = p[count + i];
    }
    free(p);
}

struct drift *drift_of(size_t *count, const struct legs *legs)
{
    double *x = memory_zeroed(legs->count, sizeof *x);
    struct drift *drift = memory_zeroed(legs->count / STRENGTH_SMALL + 1, sizeof *drift);

    *count = 0;
    for (size_t i = 0, end; i < legs->count; i = end) {
        const struct leg *leg = &legs->leg[i];
        size_t m;

        end = legs_encounter_end(legs, i);
        m = results_of(x, legs, i, end);
        drift[*count] = (struct drift){.a = leg->a, .b = leg->b};
        drift[*count].length_points = leg->length_points;
        if (m >= STRENGTH_SMALL && fit(&drift[*count], x, m)) {
            orient(&drift[*count]);
            ++*count;
        }
    }
    adjust(drift, *count);
    free(x);
    return drift;
}
