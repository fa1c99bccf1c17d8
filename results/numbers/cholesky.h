/* cholesky.h - systems of linear equations with a symmetric, positive definite matrix, in place.
 * Matrices are square, row after row, m * m doubles; m is 1 or more.
 *
 * Starts no thread and allocates nothing: libraries that do both can hang where threads or memory
 * are limited. A thousand unknowns take some hundredths of a second.
 */
#ifndef RESULTS_NUMBERS_CHOLESKY_H
#define RESULTS_NUMBERS_CHOLESKY_H

#include <stdbool.h>

/* Replaces matrix by U, upper triangular, with U^T U = matrix. Reads only the diagonal and the
 * elements above it; what is below it is undefined afterwards. Returns false if the matrix is not
 * positive definite, or so nearly singular that rounding decides; its content is then undefined. */
bool cholesky_factor(double *matrix, int m);

/* Solves U^T U x = vector; x replaces vector. factor: from cholesky_factor. */
void cholesky_solve(double *vector, const double *factor, int m);

/* Replaces factor (from cholesky_factor) by the inverse of the matrix, both halves. */
void cholesky_invert(double *factor, int m);

#endif
