/* linear.h - the linear algebra of Laplacians. Matrices are square and symmetric, row after row, m
 * * m doubles.
 */
#ifndef RESULTS_NUMBERS_LINEAR_H
#define RESULTS_NUMBERS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Adds weight * (e_a - e_b)(e_a - e_b)^T to the diagonal and to the half above it. The functions
 * below read only these of a Laplacian. */
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
