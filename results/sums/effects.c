/* Seat, opening roll and time are looked at beside each other, since each would make a standing
 * unfair in its own way. All tests take a pair as one result: its two legs share their dice. */
#include "effects.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#include "numbers/ppg.h"
#include "numbers/strength.h"
#include "numbers/significance.h"

/* Returns a leg's result for one side (0 A, 1 B), 0 if even. */
static double for_side(const struct leg *leg, int side, bool first_game)
{
    double a = first_game                ? leg->first - 0.5
               : leg->length_points == 0 ? leg->points
                                         : leg->won - 0.5;

    return side == 0 ? a : -a;
}

/* Returns false if the leg adds nothing to this effect. */
static bool leg_value(double *out, const struct leg *leg, enum effect_kind kind)
{
    int seat0 = leg->leg == 0 ? 0 : 1; /* in leg 0, A has seat 0 */

    if (kind == EFFECT_SEAT) {
        *out = for_side(leg, seat0, false);
        return true;
    }
    if (leg->starter < 0 || (kind == EFFECT_STARTER_LEG0 && leg->leg != 0) ||
        (kind == EFFECT_STARTER_LEG1 && leg->leg != 1)) {
        return false;
    }
    *out = for_side(leg, leg->starter, kind == EFFECT_STARTER_GAME);
    if (kind == EFFECT_STARTER_APART && leg->leg == 1) {
        *out = -*out;
    }
    return true;
}

/* Whether pairs with a single leg must be left out, because there the bots' strength would show in
 * the effect. */
static bool needs_both(enum effect_kind kind)
{
    return kind == EFFECT_SEAT || kind == EFFECT_STARTER_APART;
}

struct clusters {
    double *sum, *legs;
    size_t count;
};

static void add_cluster(struct clusters *out, const struct legs *legs, size_t from, size_t end,
                        enum effect_kind kind)
{
    double sum = 0, count = 0, value = 0;

    for (size_t i = from; i < end; i++) {
        if (leg_value(&value, &legs->leg[i], kind)) {
            sum += value;
            count++;
        }
    }
    if (count > 0 && (count > 1 || !needs_both(kind))) {
        out->sum[out->count] = sum;
        out->legs[out->count++] = kind == EFFECT_STARTER_APART ? 1 : count;
    }
}

static void estimate(struct effect *out, const struct clusters *clusters)
{
    struct ppg ppg;

    ppg_of(&ppg, clusters->sum, clusters->legs, clusters->count, NAN);
    *out = (struct effect){.clusters = ppg.clusters,
                           .legs = ppg.games,
                           .estimate = ppg.ppg,
                           .se = NAN,
                           .df = NAN,
                           .low = NAN,
                           .high = NAN,
                           .p = NAN};
    if (ppg.clusters < STRENGTH_SMALL || !(ppg.se > 0)) {
        return;
    }
    out->se = ppg.se;
    out->df = ppg.clusters - 1;
    out->low = ppg.ppg - student_t95(out->df) * ppg.se;
    out->high = ppg.ppg + student_t95(out->df) * ppg.se;
    out->p = 2 * student_cdf(-fabs(ppg.ppg) / ppg.se, out->df);
}

void effects_of(struct effect out[EFFECT_KINDS], const struct legs *legs)
{
    double *work = memory_zeroed(2 * legs->count, sizeof *work);
    bool *ends = memory_zeroed(legs->count + 1, sizeof *ends); /* a cluster; found for kind 0 */

    for (int kind = 0; kind < EFFECT_KINDS; kind++) {
        struct clusters clusters = {work, work + legs->count, 0};

        for (size_t i = 0, end; i < legs->count; i = end) {
            for (end = i + 1; kind > 0 && !ends[end]; end++) {
            }
            if (kind == 0) {
                end = legs_cluster_end(legs, i);
                ends[end] = true;
            }
            add_cluster(&clusters, legs, i, end, (enum effect_kind)kind);
        }
        estimate(&out[kind], &clusters);
    }
    free(work);
    free(ends);
}

/* ------------------------------------------------------------------ drift */

/* Collects the results of one encounter's clusters from A's view. Returns how many. */
static size_t drift_results(double *out, const struct legs *legs, size_t from, size_t end)
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
static bool fit_line(struct drift *out, const double *x, size_t m)
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

static void adjust_all(struct drift *drift, size_t count)
{
    double *p = memory_zeroed(count, sizeof *p);

    for (size_t i = 0; i < count; i++) {
        p[i] = drift[i].p;
    }
    holm_adjust(p, count);
    for (size_t i = 0; i < count; i++) {
        drift[i].p_holm = p[i];
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
        m = drift_results(x, legs, i, end);
        drift[*count] = (struct drift){.a = leg->a, .b = leg->b};
        drift[*count].length_points = leg->length_points;
        if (m >= STRENGTH_SMALL && fit_line(&drift[*count], x, m)) {
            orient(&drift[*count]);
            ++*count;
        }
    }
    adjust_all(drift, *count);
    free(x);
    return drift;
}
