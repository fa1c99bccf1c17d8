/* cholesky.h - systems of linear equations whose matrix is symmetric and positive definite, in
 * place. Matrices are square, row after row, m * m doubles; m is 1 or more.
 *
 * No thread is started and nothing is allocated: libraries that do both wait for ever where threads
 * or memory are limited. A thousand unknowns take some tenths of a second.
 */
#ifndef RESULTS_NUMBERS_CHOLESKY_H
#define RESULTS_NUMBERS_CHOLESKY_H

#include <stdbool.h>

/* matrix becomes U, upper triangular, with U^T U = matrix; only the diagonal and what is above it
 * is read and written. False: the matrix is not positive definite, or so nearly singular that
 * rounding decides; then what is in it means nothing. */
bool cholesky_factor(double *matrix, int m);

/* Solves U^T U x = vector; x replaces vector. factor: of cholesky_factor. */
void cholesky_solve(double *vector, const double *factor, int m);

/* factor, of cholesky_factor, becomes the inverse of the matrix, both halves. */
void cholesky_invert(double *factor, int m);

#endif
