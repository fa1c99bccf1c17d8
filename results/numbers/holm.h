/* holm.h - corrects p-values when many hypotheses are tested at once. Pure. */
#ifndef RESULTS_NUMBERS_HOLM_H
#define RESULTS_NUMBERS_HOLM_H

#include <stddef.h>

#include <bgref/error.h>

/* Computes Holm's adjusted p-values: if nothing is wrong, any of them is below 0.05 in at most one
 * event in twenty. A NaN is not tested and stays NaN. */
void holm_adjust(double *out, const double *p, size_t count);

#endif
