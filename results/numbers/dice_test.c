/* All 21 rolls in one test and not face by face: dice whose faces are even can still favour
 * doubles. The number of degrees is even, for which the tail is a finite sum. */
#include "dice_test.h"

#include <math.h>

enum { ENOUGH = 180 };

void dice_count(struct dice_counts *counts, int die, int other, uint64_t times)
{
    if (die >= 1 && die <= 6 && other >= 1 && other <= 6) {
        counts->roll[luck_roll_index(die, other)] += times;
    }
}

/* P(chi-square > x) for an even number of degrees of freedom: a sum of Poisson probabilities. */
static double tail_of(double x, int df)
{
    double term = exp(-x / 2), sum = 0;

    for (int k = 0; k < df / 2; k++) {
        sum += term;
        term *= x / 2 / (k + 1);
    }
    return sum;
}

void dice_test_of(struct dice_test *out, const struct dice_counts *counts)
{
    *out = (struct dice_test){.chi2 = NAN, .p = NAN};
    for (int i = 0; i < LUCK_ROLLS; i++) {
        out->rolls += (double)counts->roll[i];
    }
    /* A double is expected in one of 36 rolls: five of each are needed for chi-square. */
    if (out->rolls < ENOUGH) {
        return;
    }
    out->chi2 = 0;
    for (int i = 0; i < LUCK_ROLLS; i++) {
        double expected = out->rolls * luck_roll_weight(i) / 36;
        double apart = (double)counts->roll[i] - expected;

        out->chi2 += apart * apart / expected;
    }
    out->p = tail_of(out->chi2, DICE_TEST_DF);
}
