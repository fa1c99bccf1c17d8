/* linear.h - the linear algebra of Laplacians. Matrices are square and symmetric, row after row, m
 * * m doubles.
 */
#ifndef RESULTS_NUMBERS_LINEAR_H
#define RESULTS_NUMBERS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Adds weight * (e_a - e_b)(e_a - e_b)^T. */
void laplacian_add(double *matrix, int m, int a, int b, double weight);

/* Solves laplacian * x = vector for a vector with sum 0; x has sum 0 too. Destroys the matrix; x
 * replaces vector. Returns false if the matrix is not (numerically) the Laplacian of a connected
 * graph. */
bool laplacian_solve(double *vector, double *matrix, int m);

/* Computes the Moore-Penrose inverse in place. Returns false as laplacian_solve does. */
bool laplacian_pinv(double *matrix, int m);

/* out = v * middle * v, all symmetric; work: m * m doubles. */
void linear_sandwich(double *out, double *work, const double *v, const double *middle, int m);

#endif
