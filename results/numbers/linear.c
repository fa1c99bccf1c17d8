/* Written here and not taken from LAPACK: a rating of a thousand bots has to give the same
 * digits on every machine, and the library of each distribution sums in another order. Squares
 * that fit a processor's cache make it fast enough. GSL's Cholesky starts no thread either, but
 * takes three times as long at order 1,000 (2.7.1 beside ours on one core, 2026-11-29: 82 and 188
 * ms for a factor and an inverse, ours 31 and 64). */
#include "linear.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ------------------------------------------------------------------ products */

/* x and y have `depth` rows; x has `rows` columns, y `columns`. A stride: cells from one row of a
 * matrix to the next. */
struct product {
    const double *x, *y;
    size_t x_stride, y_stride;
    size_t depth, rows, columns;
    double sign; /* 1 or -1 */
    bool upper;  /* symmetric result: only the diagonal and the half above it */
};

/* The result is computed in tiles of TILE_ROWS * TILE_COLUMNS sums, which stay in registers. The
 * factors are copied first, in the order in which a tile reads them; a copied block of x and one
 * tile's part of y fit into a level-1 cache, a block of y into a level-2 cache. */
enum { TILE_ROWS = 4, TILE_COLUMNS = 8, DEPTH = 64, BLOCK_ROWS = 32, BLOCK_COLUMNS = 256 };

/* out[i][j] += sign * sum of x[k][i] * y[k][j]. */
typedef void tile_fn(double *out, size_t stride, double sign, const double *x, const double *y,
                     size_t depth);

typedef double pair __attribute__((vector_size(16)));

/* In two halves: SSE2 has registers for the sums of one. */
static void tile_plain(double *out, size_t stride, double sign, const double *x, const double *y,
                       size_t depth)
{
    for (int half = 0; half < TILE_COLUMNS; half += 4) {
        pair s[TILE_ROWS][2] = {0};

        for (size_t k = 0; k < depth; k++) {
            pair y0, y1;

            memcpy(&y0, y + k * TILE_COLUMNS + half, sizeof y0);
            memcpy(&y1, y + k * TILE_COLUMNS + half + 2, sizeof y1);
            for (int i = 0; i < TILE_ROWS; i++) {
                s[i][0] += x[k * TILE_ROWS + (size_t)i] * y0;
                s[i][1] += x[k * TILE_ROWS + (size_t)i] * y1;
            }
        }
        for (size_t i = 0; i < TILE_ROWS; i++) {
            pair old[2];

            memcpy(old, out + i * stride + half, sizeof old);
            old[0] += sign * s[i][0];
            old[1] += sign * s[i][1];
            memcpy(out + i * stride + half, old, sizeof old);
        }
    }
}
#if defined(__x86_64__)
typedef double four __attribute__((vector_size(32)));

/* Without fused multiply-add, which would round differently from tile_plain. */
__attribute__((target("avx2"))) static void
tile_wide(double *out, size_t stride, double sign, const double *x, const double *y, size_t depth)
{
    four s[TILE_ROWS][2] = {0};

    for (size_t k = 0; k < depth; k++) {
        four y0, y1;

        memcpy(&y0, y + k * TILE_COLUMNS, sizeof y0);
        memcpy(&y1, y + k * TILE_COLUMNS + 4, sizeof y1);
        for (int i = 0; i < TILE_ROWS; i++) {
            s[i][0] += x[k * TILE_ROWS + (size_t)i] * y0;
            s[i][1] += x[k * TILE_ROWS + (size_t)i] * y1;
        }
    }
    for (size_t i = 0; i < TILE_ROWS; i++) {
        four old[2];

        memcpy(old, out + i * stride, sizeof old);
        old[0] += sign * s[i][0];
        old[1] += sign * s[i][1];
        memcpy(out + i * stride, old, sizeof old);
    }
}

static tile_fn *best_tile(void)
{
    return __builtin_cpu_supports("avx2") ? tile_wide : tile_plain;
}
#else
static tile_fn *best_tile(void)
{
    return tile_plain;
}
#endif

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies groups of `width` columns, each group row after row. width is a constant where this is
 * called, so that a group's row is copied without a call. */
static inline void pack_groups(double *out, const double *from, size_t stride, size_t depth,
                               size_t groups, size_t width)
{
    for (size_t j = 0; j < groups; j++) {
        for (size_t k = 0; k < depth; k++) {
            memcpy(out, from + k * stride + j * width, width * sizeof *out);
            out += width;
        }
    }
}

/* Copies columns in such groups. The last group is filled up with 0. */
static void pack(double *out, const double *from, size_t stride, size_t depth, size_t columns,
                 size_t width)
{
    size_t groups = columns / width, count = columns % width;

    if (width == TILE_ROWS) {
        pack_groups(out, from, stride, depth, groups, TILE_ROWS);
    } else {
        pack_groups(out, from, stride, depth, groups, TILE_COLUMNS);
    }
    out += groups * width * depth;
    for (size_t k = 0; count > 0 && k < depth; k++) {
        memcpy(out, from + k * stride + groups * width, count * sizeof *out);
        memset(out + count, 0, (width - count) * sizeof *out);
        out += width;
    }
}

/* Adds a tile of which only some rows and columns belong to the result. */
static void add_edge(double *out, size_t stride, const double *sum, size_t rows, size_t columns,
                     double sign)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            out[i * stride + j] += sign * sum[i * TILE_COLUMNS + j];
        }
    }
}

/* The part of a product that is packed: its place in the result, and its size. */
struct part {
    size_t row, column, depth, rows, columns;
};

static void add_part(double *out, size_t stride, const struct product *product,
                     const struct part *part, const double *x, const double *y)
{
    tile_fn *tile = best_tile();

    for (size_t j = 0; j < part->columns; j += TILE_COLUMNS) {
        for (size_t i = 0; i < part->rows; i += TILE_ROWS) {
            size_t row = part->row + i, column = part->column + j;
            size_t rows = least(TILE_ROWS, part->rows - i);
            size_t columns = least(TILE_COLUMNS, part->columns - j);

            if (!product->upper || row < column + columns) {
                double *to = out + row * stride + column;
                const double *left = x + i * part->depth, *right = y + j * part->depth;

                if (rows == TILE_ROWS && columns == TILE_COLUMNS) {
                    tile(to, stride, product->sign, left, right, part->depth);
                } else {
                    double sum[TILE_ROWS * TILE_COLUMNS] = {0};

                    tile(sum, TILE_COLUMNS, 1, left, right, part->depth);
                    add_edge(to, stride, sum, rows, columns, product->sign);
                }
            }
        }
    }
}

/* out += sign * x^T y: rows * columns cells. With `upper` cells below the diagonal are undefined.
 * out may not overlap x or y. Sums are always added in the order of the rows, so that the result is
 * the same with and without wide vector units. */
static void product_add(double *out, size_t stride, const struct product *product)
{
    double x[DEPTH * BLOCK_ROWS], y[DEPTH * BLOCK_COLUMNS];
    struct part part;

    for (size_t k = 0; k < product->depth; k += DEPTH) {
        part.depth = least(DEPTH, product->depth - k);
        for (part.column = 0; part.column < product->columns; part.column += BLOCK_COLUMNS) {
            part.columns = least(BLOCK_COLUMNS, product->columns - part.column);
            pack(y, product->y + k * product->y_stride + part.column, product->y_stride, part.depth,
                 part.columns, TILE_COLUMNS);
            for (part.row = 0; part.row < product->rows &&
                               (!product->upper || part.row < part.column + part.columns);
                 part.row += BLOCK_ROWS) {
                part.rows = least(BLOCK_ROWS, product->rows - part.row);
                pack(x, product->x + k * product->x_stride + part.row, product->x_stride,
                     part.depth, part.rows, TILE_ROWS);
                add_part(out, stride, product, &part, x, y);
            }
        }
    }
}

/* Copies the half of a square matrix above the diagonal to the half below it. */
static void product_mirror(double *matrix, size_t order)
{
    for (size_t top = 0; top < order; top += DEPTH) { /* in squares that stay in the cache */
        for (size_t left = 0; left <= top; left += DEPTH) {
            for (size_t i = top; i < least(top + DEPTH, order); i++) {
                for (size_t j = left; j < least(left + DEPTH, i); j++) {
                    matrix[i * order + j] = matrix[j * order + i];
                }
            }
        }
    }
}

/* ------------------------------------------------------------------ Cholesky's method */

enum {
    BLOCK = 4,   /* rows subtracted at once, so that each row below is read less often */
    LARGE = 128, /* matrices of this order and larger are computed in squares */
    SQUARE = 64
};

/* row[from..n) -= sum of weight[r] * top[r * stride + (from..n)], r < count. */
static void subtract_rows(double *row, const double *top, const double *weight, size_t count,
                          size_t from, size_t n, size_t stride)
{
    size_t r = 0;

    for (; r + BLOCK <= count; r += BLOCK) {
        const double *r0 = top + r * stride, *r1 = r0 + stride, *r2 = r1 + stride,
                     *r3 = r2 + stride;
        double w0 = weight[r], w1 = weight[r + 1], w2 = weight[r + 2], w3 = weight[r + 3];

        for (size_t j = from; j < n; j++) {
            row[j] -= w0 * r0[j] + w1 * r1[j] + w2 * r2[j] + w3 * r3[j];
        }
    }
    for (; r < count; r++) {
        for (size_t j = from; j < n; j++) {
            row[j] -= weight[r] * top[r * stride + j];
        }
    }
}

/* Finishes row k: only its square root is missing. The pivot is what remains of the diagonal
 * element after subtracting the rows above; above: what rows of other squares subtracted. If the
 * pivot is as small as their rounding errors (order: of the whole matrix), it counts as 0 and
 * the function returns false. A pivot of rounding errors has a random sign: its root would be a
 * number, or NaN, that nothing in the data supports. */
static bool finish_row(double *matrix, size_t k, size_t n, size_t stride, double above,
                       size_t order)
{
    double *row = matrix + k * stride, pivot = row[k], diagonal = pivot;

    for (size_t r = 0; r < k; r++) {
        diagonal += matrix[r * stride + k] * matrix[r * stride + k];
    }
    diagonal += above;
    if (!(pivot > diagonal * (double)order * DBL_EPSILON) ||
        !isfinite(pivot)) { /* also catches NaN */
        return false;
    }
    for (size_t j = k; j < n; j++) {
        row[j] /= sqrt(pivot);
    }
    return true;
}

/* above: of each row; NULL: nothing. */
static bool factor_small(double *matrix, size_t n, size_t stride, const double *above, size_t order)
{
    for (size_t top = 0; top < n; top += BLOCK) {
        size_t end = top + BLOCK < n ? top + BLOCK : n;

        /* the rows above the block are already subtracted; here each row subtracts the earlier rows
         * of the block */
        for (size_t k = top; k < end; k++) {
            double weight[BLOCK] = {0};

            for (size_t r = top; r < k; r++) {
                weight[r - top] = matrix[r * stride + k];
            }
            subtract_rows(matrix + k * stride, matrix + top * stride, weight, k - top, k, n,
                          stride);
            if (!finish_row(matrix, k, n, stride, above == NULL ? 0 : above[k], order)) {
                return false;
            }
        }
        for (size_t i = end; i < n; i++) {
            double weight[BLOCK] = {0};

            for (size_t r = top; r < end; r++) {
                weight[r - top] = matrix[r * stride + i];
            }
            subtract_rows(matrix + i * stride, matrix + top * stride, weight, end - top, i, n,
                          stride);
        }
    }
    return true;
}

/* out = U^-1 of the upper triangle at `from`, both of this order; below its diagonal out is 0. */
static void invert_triangle(double out[SQUARE * SQUARE], const double *from, size_t stride,
                            size_t order)
{
    memset(out, 0, SQUARE * SQUARE * sizeof *out);
    for (size_t k = order; k-- > 0;) {
        double *row = out + k * SQUARE;

        for (size_t r = k + 1; r < order; r++) {
            for (size_t j = r; j < order; j++) {
                row[j] -= from[k * stride + r] * out[r * SQUARE + j];
            }
        }
        row[k] = 1;
        for (size_t j = k; j < order; j++) {
            row[j] /= from[k * stride + k];
        }
    }
}

/* Computes the rows right of a factored square: U12 = U11^-T A12, some columns at a time. */
static void finish_right(double *matrix, size_t top, size_t end, size_t n)
{
    double inverse[SQUARE * SQUARE], rest[SQUARE * SQUARE];

    invert_triangle(inverse, matrix + top * n + top, n, end - top);
    for (size_t from = end; from < n; from += SQUARE) {
        size_t columns = n - from < SQUARE ? n - from : SQUARE;
        struct product product = {.x = inverse,
                                  .x_stride = SQUARE,
                                  .y = rest,
                                  .y_stride = SQUARE,
                                  .depth = end - top,
                                  .rows = end - top,
                                  .columns = columns,
                                  .sign = 1};

        for (size_t i = top; i < end; i++) {
            memcpy(rest + (i - top) * SQUARE, matrix + i * n + from, columns * sizeof *rest);
            memset(matrix + i * n + from, 0, columns * sizeof *rest);
        }
        product_add(matrix + top * n + from, n, &product);
    }
}

/* Goes along the diagonal in squares: factors the square, computes the rows right of it, and
 * subtracts their products from the rest of the matrix. */
static bool factor_large(double *matrix, size_t n)
{
    for (size_t top = 0; top < n; top += SQUARE) {
        size_t end = top + SQUARE < n ? top + SQUARE : n;
        double *right = matrix + top * n + end, above[SQUARE] = {0};
        struct product product = {.x = right,
                                  .x_stride = n,
                                  .y = right,
                                  .y_stride = n,
                                  .depth = end - top,
                                  .rows = n - end,
                                  .columns = n - end,
                                  .sign = -1,
                                  .upper = true};

        for (size_t r = 0; r < top; r++) {
            for (size_t k = top; k < end; k++) {
                above[k - top] += matrix[r * n + k] * matrix[r * n + k];
            }
        }
        if (!factor_small(matrix + top * n + top, end - top, n, above, n)) {
            return false;
        }
        if (end < n) {
            finish_right(matrix, top, end, n);
            product_add(matrix + end * n + end, n, &product);
        }
    }
    return true;
}

bool cholesky_factor(double *matrix, int m)
{
    size_t n = (size_t)m;

    return m < LARGE ? factor_small(matrix, n, n, NULL, n) : factor_large(matrix, n);
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

static void invert_small(double *factor, size_t n)
{
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
            subtract_rows(row, factor + i * n, weight, count, k + 1, n, n);
        }
        own /= pivot;
        for (size_t j = k + 1; j < n; j++) {
            own -= factor[j * n + k] * row[j];
            factor[j * n + k] = row[j];
        }
        row[k] = own;
    }
}

/* Replaces the squares on the diagonal by those of T = U^-T; their upper triangles become 0. */
static void invert_squares(double *factor, size_t n)
{
    double inverse[SQUARE * SQUARE];

    for (size_t top = 0; top < n; top += SQUARE) {
        size_t order = n - top < SQUARE ? n - top : SQUARE;

        invert_triangle(inverse, factor + top * n + top, n, order);
        for (size_t i = 0; i < order; i++) {
            for (size_t j = 0; j < order; j++) {
                factor[(top + i) * n + top + j] = inverse[j * SQUARE + i];
            }
        }
    }
}

/* Computes rows top..end of T left of the diagonal: T_k = -T_kk (sum of U_rk^T T_r). */
static void invert_rows(double *factor, size_t top, size_t end, size_t n)
{
    double *left = factor + top * n, rest[SQUARE * SQUARE], square[SQUARE * SQUARE] = {0};

    for (size_t i = top; i < end; i++) {
        memset(factor + i * n, 0, top * sizeof *factor);
        for (size_t j = top; j < end; j++) {
            square[(j - top) * SQUARE + i - top] = factor[i * n + j];
        }
    }
    for (size_t r = 0; r < top; r += SQUARE) {
        struct product product = {.x = factor + r * n + top,
                                  .x_stride = n,
                                  .y = factor + r * n,
                                  .y_stride = n,
                                  .depth = SQUARE,
                                  .rows = end - top,
                                  .columns = r + SQUARE,
                                  .sign = 1};

        product_add(left, n, &product);
    }
    for (size_t from = 0; from < top; from += SQUARE) {
        struct product product = {.x = square,
                                  .x_stride = SQUARE,
                                  .y = rest,
                                  .y_stride = SQUARE,
                                  .depth = end - top,
                                  .rows = end - top,
                                  .columns = SQUARE,
                                  .sign = -1};

        for (size_t i = 0; i < end - top; i++) {
            memcpy(rest + i * SQUARE, left + i * n + from, SQUARE * sizeof *rest);
            memset(left + i * n + from, 0, SQUARE * sizeof *rest);
        }
        product_add(left + from, n, &product);
    }
}

/* Adds the part of T^T T that comes from rows top..end of T. Columns top..end of the result are
 * written for the first time; they overwrite the square of T, which is not needed again. */
static void add_squares(double *matrix, size_t top, size_t end, size_t n)
{
    double square[SQUARE * SQUARE];
    struct product product = {.x = matrix + top * n,
                              .x_stride = n,
                              .y = matrix + top * n,
                              .y_stride = n,
                              .depth = end - top,
                              .rows = top,
                              .columns = top,
                              .sign = 1,
                              .upper = true};

    for (size_t i = top; i < end; i++) {
        memcpy(square + (i - top) * SQUARE, matrix + i * n + top, (end - top) * sizeof *square);
    }
    for (size_t i = 0; i < end; i++) {
        memset(matrix + i * n + top, 0, (end - top) * sizeof *matrix);
    }
    product_add(matrix, n, &product);
    product.y = square;
    product.y_stride = SQUARE;
    product.columns = end - top;
    product.upper = false;
    product_add(matrix + top, n, &product);
    product.x = square;
    product.x_stride = SQUARE;
    product.rows = end - top;
    product_add(matrix + top * n + top, n, &product);
}

/* A^-1 = T^T T. T is computed below the diagonal, then the product replaces U above it. */
static void invert_large(double *factor, size_t n)
{
    invert_squares(factor, n);
    for (size_t top = SQUARE; top < n; top += SQUARE) {
        invert_rows(factor, top, top + SQUARE < n ? top + SQUARE : n, n);
    }
    for (size_t top = 0; top < n; top += SQUARE) {
        add_squares(factor, top, top + SQUARE < n ? top + SQUARE : n, n);
    }
    product_mirror(factor, n);
}

void cholesky_invert(double *factor, int m)
{
    if (m < LARGE) {
        invert_small(factor, (size_t)m);
    } else {
        invert_large(factor, (size_t)m);
    }
}

/* ------------------------------------------------------------------ Laplacians */

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
