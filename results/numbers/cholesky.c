#include "cholesky.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { BLOCK = 4 }; /* rows subtracted at once, so that each row below is read less often */

/* row[from..n) -= sum of weight[r] * top[r * n + (from..n)], r < count. */
static void subtract_rows(double *row, const double *top, const double *weight, size_t count,
                          size_t from, size_t n)
{
    size_t r = 0;

    for (; r + BLOCK <= count; r += BLOCK) {
        const double *r0 = top + r * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
        double w0 = weight[r], w1 = weight[r + 1], w2 = weight[r + 2], w3 = weight[r + 3];

        for (size_t j = from; j < n; j++) {
            row[j] -= w0 * r0[j] + w1 * r1[j] + w2 * r2[j] + w3 * r3[j];
        }
    }
    for (; r < count; r++) {
        for (size_t j = from; j < n; j++) {
            row[j] -= weight[r] * top[r * n + j];
        }
    }
}

/* Finishes row k: only its square root is missing. The pivot is what remains of the diagonal
 * element after subtracting the rows above. If it is as small as their rounding errors, it counts
 * as 0 and the function returns false. */
static bool finish_row(double *matrix, size_t k, size_t n)
{
    double *row = matrix + k * n, pivot = row[k], diagonal = pivot;

    for (size_t r = 0; r < k; r++) {
        diagonal += matrix[r * n + k] * matrix[r * n + k];
    }
    if (!(pivot > diagonal * (double)n * DBL_EPSILON) || !isfinite(pivot)) { /* also catches NaN */
        return false;
    }
    for (size_t j = k; j < n; j++) {
        row[j] /= sqrt(pivot);
    }
    return true;
}

bool cholesky_factor(double *matrix, int m)
{
    size_t n = (size_t)m;

    for (size_t top = 0; top < n; top += BLOCK) {
        size_t end = top + BLOCK < n ? top + BLOCK : n;

        /* the rows above the block are already subtracted; here each row subtracts the earlier rows
         * of the block */
        for (size_t k = top; k < end; k++) {
            double weight[BLOCK] = {0};

            for (size_t r = top; r < k; r++) {
                weight[r - top] = matrix[r * n + k];
            }
            subtract_rows(matrix + k * n, matrix + top * n, weight, k - top, k, n);
            if (!finish_row(matrix, k, n)) {
                return false;
            }
        }
        for (size_t i = end; i < n; i++) {
            double weight[BLOCK] = {0};

            for (size_t r = top; r < end; r++) {
                weight[r - top] = matrix[r * n + i];
            }
            subtract_rows(matrix + i * n, matrix + top * n, weight, end - top, i, n);
        }
    }
    return true;
}

void cholesky_solve(double *vector, const double *factor, int m)
{
    size_t n = (size_t)m;

    for (size_t k = 0; k < n; k++) { /* U^T y = vector */
        vector[k] /= factor[k * n + k];
        for (size_t j = k + 1; j < n; j++) {
            vector[j] -= vector[k] * factor[k * n + j];
        }
    }
    for (size_t k = n; k-- > 0;) { /* U x = y */
        for (size_t j = k + 1; j < n; j++) {
            vector[k] -= factor[k * n + j] * vector[j];
        }
        vector[k] /= factor[k * n + k];
    }
}

void cholesky_invert(double *factor, int m)
{
    size_t n = (size_t)m;

    /* U X = U^-T, and U^-T is zero right of its diagonal. So from the last row upwards, row k of X
     * is a sum of the rows of X below it, which are stored in the square right of and below (k, k).
     * Meanwhile row k of U is kept in column k, which is free. */
    for (size_t k = n; k-- > 0;) {
        double *row = factor + k * n, pivot = row[k], own = 1 / pivot;

        for (size_t j = k + 1; j < n; j++) {
            factor[j * n + k] = row[j] / pivot;
            row[j] = 0;
        }
        for (size_t i = k + 1; i < n; i += BLOCK) {
            size_t count = n - i < BLOCK ? n - i : BLOCK;
            double weight[BLOCK] = {0};

            for (size_t r = 0; r < count; r++) {
                weight[r] = factor[(i + r) * n + k];
            }
            subtract_rows(row, factor + i * n, weight, count, k + 1, n);
        }
        own /= pivot;
        for (size_t j = k + 1; j < n; j++) {
            own -= factor[j * n + k] * row[j];
            factor[j * n + k] = row[j];
        }
        row[k] = own;
    }
}
