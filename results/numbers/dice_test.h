/* dice_test.h - tests whether dice are fair: a chi-square over the 21 rolls. Pure.
 *
 * Count each roll once: of a duplicate pair one leg only, for the other one has the same dice.
 * Rolls that open a game are left out, since equal dice are thrown again there.
 */
#ifndef RESULTS_NUMBERS_DICE_TEST_H
#define RESULTS_NUMBERS_DICE_TEST_H

#include <stdint.h>

#include "luck.h"

struct dice_counts {
    uint64_t roll[LUCK_ROLLS]; /* by luck_roll_index */
};

enum { DICE_TEST_DF = LUCK_ROLLS - 1 };

/* Dice outside 1..6 are not counted. */
void dice_count(struct dice_counts *counts, int die, int other, uint64_t times);

struct dice_test {
    double rolls;
    double chi2; /* NaN below five expected of the rarest roll, that is 180 rolls */
    double p;    /* chance that fair dice are as far off or further */
};

void dice_test_of(struct dice_test *out, const struct dice_counts *counts);

#endif
