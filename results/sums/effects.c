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

    for (int kind = 0; kind < EFFECT_KINDS; kind++) {
        struct clusters clusters = {work, work + legs->count, 0};

        for (size_t i = 0, end; i < legs->count; i = end) {
            end = legs_cluster_end(legs, i);
            add_cluster(&clusters, legs, i, end, (enum effect_kind)kind);
        }
        estimate(&out[kind], &clusters);
    }
    free(work);
}
