#include "linear.h"

#include "cholesky.h"

static double *cell(double *matrix, int m, int i, int j)
{
    return &matrix[(size_t)i * (size_t)m + (size_t)j];
}

void laplacian_add(double *matrix, int m, int a, int b, double weight)
{
    *cell(matrix, m, a, a) += weight;
    *cell(matrix, m, b, b) += weight;
    *cell(matrix, m, a, b) -= weight;
    *cell(matrix, m, b, a) -= weight;
}

/* A Laplacian is singular along (1, ..., 1). Adds s J, with J = ones/m and s as large as the other
 * eigenvalues: the matrix becomes definite, and nothing changes in the other directions. Returns
 * s. */
static double lift(double *matrix, int m)
{
    size_t cells = (size_t)m * (size_t)m;
    double s = 0;

    for (int i = 0; i < m; i++) {
        s += *cell(matrix, m, i, i) / m;
    }
    for (size_t i = 0; i < cells; i++) {
        matrix[i] += s / m;
    }
    return s;
}

bool laplacian_solve(double *vector, double *matrix, int m)
{
    if (m == 1) {
        vector[0] = 0;
        return true;
    }
    lift(matrix, m);
    if (!cholesky_factor(matrix, m)) {
        return false;
    }
    cholesky_solve(vector, matrix, m);
    return true;
}

bool laplacian_pinv(double *matrix, int m)
{
    double s = 0;

    if (m == 1) {
        matrix[0] = 0;
        return true;
    }
    s = lift(matrix, m);
    if (!cholesky_factor(matrix, m)) {
        return false;
    }
    cholesky_invert(matrix, m);
    for (size_t i = 0; i < (size_t)m * (size_t)m; i++) {
        matrix[i] -= 1 / (s * m);
    }
    return true;
}

/* Multiplies row by row over the second factor, four rows at a time, so that memory is read in
 * order and the sums stay in the cache. from: the first column needed in each row. */
static void multiply_row(double *row, const double *left, const double *right, size_t n,
                         size_t from)
{
    size_t k = 0;

    for (size_t j = from; j < n; j++) {
        row[j] = 0;
    }
    for (; k + 4 <= n; k += 4) {
        const double *r0 = right + k * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;

        for (size_t j = from; j < n; j++) {
            row[j] +=
                left[k] * r0[j] + left[k + 1] * r1[j] + left[k + 2] * r2[j] + left[k + 3] * r3[j];
        }
    }
    for (; k < n; k++) {
        for (size_t j = from; j < n; j++) {
            row[j] += left[k] * right[k * n + j];
        }
    }
}

void linear_sandwich(double *out, double *work, const double *v, const double *middle, int m)
{
    size_t n = (size_t)m;

    for (size_t i = 0; i < n; i++) {
        multiply_row(work + i * n, middle + i * n, v, n, 0);
    }
    for (size_t i = 0; i < n; i++) { /* symmetric: half is enough */
        multiply_row(out + i * n, v + i * n, work, n, i);
        for (size_t j = 0; j < i; j++) {
            out[i * n + j] = out[j * n + i];
        }
    }
}
