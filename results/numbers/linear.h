/* linear.h - systems of linear equations with a symmetric matrix, in place: positive definite ones
 * by Cholesky's method, and Laplacians. Matrices are square, row after row, m * m doubles; m is 1
 * or more.
 *
 * Starts no thread and allocates nothing: libraries that do both can hang where threads or memory
 * are limited. A thousand unknowns take some hundredths of a second.
 */
#ifndef RESULTS_NUMBERS_LINEAR_H
#define RESULTS_NUMBERS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces matrix by U, upper triangular, with U^T U = matrix. Reads only the diagonal and the
 * elements above it; what is below it is undefined afterwards. Returns false if the matrix is not
 * positive definite, or so nearly singular that rounding decides; its content is then undefined. */
bool cholesky_factor(double *matrix, int m);

/* Solves U^T U x = vector; x replaces vector. factor: from cholesky_factor. */
void cholesky_solve(double *vector, const double *factor, int m);

/* Replaces factor (from cholesky_factor) by the inverse of the matrix, both halves. */
void cholesky_invert(double *factor, int m);

/* A Laplacian: adds weight * (e_a - e_b)(e_a - e_b)^T to the diagonal and to the half above it. The
 * functions below read only these of a Laplacian. */
void laplacian_add(double *matrix, int m, int a, int b, double weight);

/* The same for many edges: sums up the diagonal in degree[m]; laplacian_close writes it. */
struct laplacian_edge {
    int a, b;
    double weight;
};

static inline void laplacian_link(double *matrix, double *degree, int m,
                                  const struct laplacian_edge *edge)
{
    size_t low = (size_t)(edge->a < edge->b ? edge->a : edge->b);
    size_t high = (size_t)(edge->a < edge->b ? edge->b : edge->a);

    degree[low] += edge->weight;
    degree[high] += edge->weight;
    matrix[low * (size_t)m + high] -= edge->weight;
}

void laplacian_close(double *matrix, const double *degree, int m);

/* Solves laplacian * x = vector for a vector with sum 0; x has sum 0 too. Destroys the matrix; x
 * replaces vector. Returns false if the matrix is not (numerically) the Laplacian of a connected
 * graph. */
bool laplacian_solve(double *vector, double *matrix, int m);

/* Computes the Moore-Penrose inverse in place. Returns false as laplacian_solve does. */
bool laplacian_pinv(double *matrix, int m);

/* out = v * middle * v, all symmetric. Fills in the half of middle below the diagonal. work: m * m
 * doubles. */
void linear_sandwich(double *out, double *work, const double *v, double *middle, int m);

#endif
