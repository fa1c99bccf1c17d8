/* dice_test.h - tests whether dice are fair: a chi-square over the 21 rolls. Pure.
 *
 * Count each roll once: of a duplicate pair count one leg only, because the other leg has the same
 * dice. Do not count opening rolls, because equal dice are thrown again there.
 */
#ifndef RESULTS_NUMBERS_DICE_TEST_H
#define RESULTS_NUMBERS_DICE_TEST_H

#include <stdint.h>

#include "luck.h"

struct dice_counts {
    uint64_t roll[LUCK_ROLLS]; /* index: luck_roll_index */
};

enum { DICE_TEST_DF = LUCK_ROLLS - 1 };

/* Ignores dice outside 1..6. */
void dice_count(struct dice_counts *counts, int die, int other, uint64_t times);

struct dice_test {
    double rolls;
    double chi2; /* NaN if the rarest roll's expected count is below 5 (180 rolls) */
    double p;    /* probability that fair dice are at least as far off */
};

void dice_test_of(struct dice_test *out, const struct dice_counts *counts);

#endif
