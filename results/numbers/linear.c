#include "linear.h"

#include <string.h>

#include "cholesky.h"
#include "product.h"

static double *cell(double *matrix, int m, int i, int j)
{
    return &matrix[(size_t)i * (size_t)m + (size_t)j];
}

void laplacian_add(double *matrix, int m, int a, int b, double weight)
{
    *cell(matrix, m, a, a) += weight;
    *cell(matrix, m, b, b) += weight;
    *cell(matrix, m, a < b ? a : b, a < b ? b : a) -= weight;
}

void laplacian_close(double *matrix, const double *degree, int m)
{
    for (int i = 0; i < m; i++) {
        *cell(matrix, m, i, i) = degree[i];
    }
}

/* A Laplacian is singular along (1, ..., 1). Adds s J, with J = ones/m and s as large as the other
 * eigenvalues: the matrix becomes definite, and nothing changes in the other directions. Returns
 * s. */
static double lift(double *matrix, int m)
{
    double s = 0;

    for (int i = 0; i < m; i++) {
        s += *cell(matrix, m, i, i) / m;
    }
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            *cell(matrix, m, i, j) += s / m;
        }
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

/* out = x * y with x symmetric; upper: only the half of the result above the diagonal. */
static void multiply(double *out, const double *x, const double *y, size_t n, bool upper)
{
    struct product product = {.x = x,
                              .x_stride = n,
                              .y = y,
                              .y_stride = n,
                              .depth = n,
                              .rows = n,
                              .columns = n,
                              .sign = 1,
                              .upper = upper};

    memset(out, 0, n * n * sizeof *out);
    product_add(out, n, &product);
}

void linear_sandwich(double *out, double *work, const double *v, double *middle, int m)
{
    size_t n = (size_t)m;

    product_mirror(middle, n);
    multiply(work, middle, v, n, false);
    multiply(out, v, work, n, true);
    product_mirror(out, n);
}
