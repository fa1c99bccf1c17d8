/* product.h - products of large matrices, on the caller's thread, without allocating.
 *
 * Sums are always added in the order of the rows, so that the result is the same on machines with
 * and without wide vector units.
 */
#ifndef RESULTS_NUMBERS_PRODUCT_H
#define RESULTS_NUMBERS_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* x and y have `depth` rows; x has `rows` columns, y `columns`. A stride: cells from one row of a
 * matrix to the next. */
struct product {
    const double *x, *y;
    size_t x_stride, y_stride;
    size_t depth, rows, columns;
    double sign; /* 1 or -1 */
    bool upper;  /* symmetric result: only the diagonal and the half above it */
};

/* out += sign * x^T y: rows * columns cells. With `upper` cells below the diagonal are
 * undefined. out may not overlap x or y. */
void product_add(double *out, size_t stride, const struct product *product);

/* Copies the half of a square matrix above the diagonal to the half below it. */
void product_mirror(double *matrix, size_t order);

#endif
