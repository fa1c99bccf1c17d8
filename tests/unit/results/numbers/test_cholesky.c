/* Systems with a symmetric positive definite matrix: against known inverses, and against plain
 * elimination in long double on random matrices. */
#include "support/suite.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <numbers/linear.h>

enum { LARGEST = 200 };

/* The last sizes are computed in squares of 64, with and without a rest. */
static const int sizes[] = {1,  2,  3,  4,  5,  6,  7,   8,   9,   12,  13,  16, 17,
                            31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 200};

static uint64_t state;

/* Uniform in (-1, 1). */
static double chance(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)state / 9223372036854775808.0;
}

/* B^T B + I / 4: positive definite, far from singular. The half below the diagonal is NaN. */
static void make_definite(double *matrix, int m)
{
    static double b[LARGEST * LARGEST];

    for (int i = 0; i < m * m; i++) {
        b[i] = chance();
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            matrix[i * m + j] = i > j ? NAN : i == j ? 0.25 : 0;
            for (int k = 0; k < m && i <= j; k++) {
                matrix[i * m + j] += b[k * m + i] * b[k * m + j];
            }
        }
    }
}

/* The inverse by Gauss-Jordan elimination, with the largest pivot first. */
static void invert_plainly(long double *out, const double *upper, int m)
{
    static long double work[LARGEST * LARGEST];

    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            work[i * m + j] = upper[i < j ? i * m + j : j * m + i];
            out[i * m + j] = i == j;
        }
    }
    for (int k = 0; k < m; k++) {
        int best = k;

        for (int i = k + 1; i < m; i++) {
            best = fabsl(work[i * m + k]) > fabsl(work[best * m + k]) ? i : best;
        }
        for (int j = 0; j < m; j++) {
            long double w = work[k * m + j], o = out[k * m + j];

            work[k * m + j] = work[best * m + j];
            work[best * m + j] = w;
            out[k * m + j] = out[best * m + j];
            out[best * m + j] = o;
        }
        for (int i = 0; i < m; i++) {
            long double factor = work[i * m + k] / work[k * m + k];

            for (int j = 0; j < m && i != k; j++) {
                work[i * m + j] -= factor * work[k * m + j];
                out[i * m + j] -= factor * out[k * m + j];
            }
        }
    }
    for (int i = 0; i < m * m; i++) { /* work is diagonal now */
        out[i] /= work[i / m * m + i / m];
    }
}

TEST_ROWS(agrees_with_plain_elimination, sizes)
{
    static double matrix[LARGEST * LARGEST], factor[LARGEST * LARGEST];
    static long double inverse[LARGEST * LARGEST];
    int m = sizes[_i];

    state = (uint64_t)m;
    for (int round = 0; round < (m > 33 ? 1 : 3); round++) {
        double vector[LARGEST], solution[LARGEST];

        make_definite(matrix, m);
        invert_plainly(inverse, matrix, m);
        memcpy(factor, matrix, sizeof factor);
        ck_assert(cholesky_factor(factor, m));
        for (int i = 0; i < m; i++) {
            vector[i] = solution[i] = chance();
        }
        cholesky_solve(solution, factor, m);
        cholesky_invert(factor, m);
        for (int i = 0; i < m; i++) {
            long double expected = 0;

            for (int j = 0; j < m; j++) {
                expected += inverse[i * m + j] * vector[j];
                ck_assert_double_eq_tol(factor[i * m + j], (double)inverse[i * m + j], 1e-10);
            }
            ck_assert_double_eq_tol(solution[i], (double)expected, 1e-10);
        }
    }
}

/* Hilbert's matrix of order 4, nearly singular, has this inverse. */
TEST(known_inverse)
{
    static const double expected[16] = {16,  -120,  240,  -140,  -120, 1200, -2700, 1680,
                                        240, -2700, 6480, -4200, -140, 1680, -4200, 2800};
    double matrix[16];

    for (int i = 0; i < 16; i++) {
        int row = i / 4, column = i % 4;

        matrix[i] = 1.0 / (row + column + 1);
    }
    ck_assert(cholesky_factor(matrix, 4));
    cholesky_invert(matrix, 4);
    for (int i = 0; i < 16; i++) {
        ck_assert_double_eq_tol(matrix[i], expected[i], 1e-8);
    }
}

static const struct {
    const char *name;
    int m;
    double matrix[9];
    bool definite;
} cases[] = {
    {"one", 1, {4}, true},
    {"nothing", 1, {0}, false},
    {"negative", 1, {-1}, false},
    {"not a number", 1, {NAN}, false},
    {"not finite", 1, {INFINITY}, false},
    {"of two signs", 2, {1, 2, 2, 1}, false},
    {"singular", 2, {1, 1, 1, 1}, false},
    {"singular but for rounding", 3, {0.1, 0.2, 0.3, 0.2, 0.4, 0.6, 0.3, 0.6, 0.9}, false},
    {"of very unlike sizes", 2, {1e-12, 0, 0, 1e12}, true},
    {"a chain of a strong and a weak link", 3, {1e6, -1e6, 0, -1e6, 1e6 + 1, -1, 0, -1, 2}, true},
    {"not a number within", 2, {1, NAN, NAN, 1}, false},
};

TEST_ROWS(definite, cases)
{
    double matrix[9];

    memcpy(matrix, cases[_i].matrix, sizeof matrix);
    ck_assert_msg(cholesky_factor(matrix, cases[_i].m) == cases[_i].definite, "%s", cases[_i].name);
}

/* L L+ L = L, L+ sums to 0 in each row, and L x = b is solved by L+ b. */
TEST_ROWS(laplacian_of_a_connected_graph, sizes)
{
    static double laplacian[LARGEST * LARGEST], inverse[LARGEST * LARGEST],
        middle[LARGEST * LARGEST], work[LARGEST * LARGEST];
    double x[LARGEST], b[LARGEST], sum = 0;
    int m = sizes[_i];

    state = (uint64_t)m + 99;
    memset(laplacian, 0, sizeof laplacian);
    for (int i = 1; i < m; i++) {
        laplacian_add(laplacian, m, i - 1, i, 1.5 + chance());
        laplacian_add(laplacian, m, i, i / 2, 1.5 + chance());
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) {
            laplacian[i * m + j] = laplacian[j * m + i];
        }
    }
    memcpy(inverse, laplacian, sizeof inverse);
    ck_assert(laplacian_pinv(inverse, m));
    linear_sandwich(middle, work, laplacian, inverse, m);
    for (int i = 0; i < m; i++) {
        sum += b[i] = chance();
    }
    for (int i = 0; i < m; i++) {
        x[i] = b[i] -= sum / m;
    }
    ck_assert(laplacian_solve(x, memcpy(work, laplacian, sizeof work), m));
    for (int i = 0; i < m; i++) {
        double row = 0, expected = 0;

        for (int j = 0; j < m; j++) {
            ck_assert_double_eq_tol(middle[i * m + j], laplacian[i * m + j], 1e-9);
            row += inverse[i * m + j];
            expected += inverse[i * m + j] * b[j];
        }
        ck_assert_double_eq_tol(row, 0, 1e-9);
        ck_assert_double_eq_tol(x[i], expected, 1e-9);
    }
}

TEST(laplacian_of_two_parts_is_refused)
{
    double vector[6] = {1, -1, 0, 0, 0, 0}, solved[36] = {0}, inverted[36] = {0};

    for (int part = 0; part < 2; part++) {
        for (int i = 1; i < 3; i++) {
            laplacian_add(solved, 6, 3 * part, 3 * part + i, 0.3);
            laplacian_add(inverted, 6, 3 * part, 3 * part + i, 0.3);
        }
    }
    ck_assert(!laplacian_solve(vector, solved, 6));
    ck_assert(!laplacian_pinv(inverted, 6));
}
