/* draw.h - random numbers for statistics: the same on every machine for the same seed. Do not use
 * them for dice.
 */
#ifndef RESULTS_NUMBERS_DRAW_H
#define RESULTS_NUMBERS_DRAW_H

#include <stdint.h>

struct draw {
    uint64_t state;
};

#define DRAW_INIT(seed)                                                                            \
    {                                                                                              \
        (seed)                                                                                     \
    }

double draw_unit(struct draw *draw);                   /* 0 <= x < 1 */
uint64_t draw_below(struct draw *draw, uint64_t most); /* 0 .. most - 1 */
double draw_normal(struct draw *draw);
/* Returns how many of n trials succeed, each with probability p. Exact; the time does not grow with
 * n. */
uint64_t draw_binomial(struct draw *draw, uint64_t n, double p);

int draw_by_size(const void *x, const void *y); /* for qsort: doubles, the smallest first */

#endif
