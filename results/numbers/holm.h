/* holm.h - many tests at once. Pure. */
#ifndef RESULTS_NUMBERS_HOLM_H
#define RESULTS_NUMBERS_HOLM_H

#include <stddef.h>

#include <bgref/error.h>

/* Holm's adjusted p-values: at most one event in twenty shows any of them below 0.05 when nothing
 * is wrong. NaN is not tested and stays. BG_E_MEMORY. */
enum bg_status holm_adjust(double *out, const double *p, size_t count, struct bg_error *err);

#endif
