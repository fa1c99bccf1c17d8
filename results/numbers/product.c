#include "product.h"

#include <string.h>

/* The result is computed in tiles of TILE_ROWS * TILE_COLUMNS sums, which stay in registers. The
 * factors are copied first, in the order in which a tile reads them; a copied block of x and one
 * tile's part of y fit into a level-1 cache, a block of y into a level-2 cache. */
enum { TILE_ROWS = 4, TILE_COLUMNS = 8, DEPTH = 64, BLOCK_ROWS = 32, BLOCK_COLUMNS = 256 };

/* sum[i][j] of x[k][i] * y[k][j]. */
typedef void tile_fn(double *sum, const double *x, const double *y, size_t depth);

#if defined(__GNUC__)
typedef double pair __attribute__((vector_size(16)));

/* In two halves: SSE2 has registers for the sums of one. */
static void tile_plain(double *sum, const double *x, const double *y, size_t depth)
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
        for (int i = 0; i < TILE_ROWS; i++) {
            memcpy(sum + i * TILE_COLUMNS + half, s[i], sizeof s[i]);
        }
    }
}
#else
static void tile_plain(double *sum, const double *x, const double *y, size_t depth)
{
    memset(sum, 0, TILE_ROWS * TILE_COLUMNS * sizeof *sum);
    for (size_t k = 0; k < depth; k++) {
        for (int i = 0; i < TILE_ROWS; i++) {
            for (int j = 0; j < TILE_COLUMNS; j++) {
                sum[i * TILE_COLUMNS + j] += x[k * TILE_ROWS + i] * y[k * TILE_COLUMNS + j];
            }
        }
    }
}
#endif

#if defined(__GNUC__) && defined(__x86_64__)
typedef double four __attribute__((vector_size(32)));

/* Without fused multiply-add, which would round differently from tile_plain. */
__attribute__((target("avx2"))) static void tile_wide(double *sum, const double *x, const double *y,
                                                      size_t depth)
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
    memcpy(sum, s, sizeof s);
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

/* Copies columns in groups of `width`, each group row after row. The last group is filled up with
 * 0. */
static void pack(double *out, const double *from, size_t stride, size_t depth, size_t columns,
                 size_t width)
{
    for (size_t j = 0; j < columns; j += width) {
        size_t count = least(width, columns - j);

        for (size_t k = 0; k < depth; k++) {
            memcpy(out, from + k * stride + j, count * sizeof *out);
            memset(out + count, 0, (width - count) * sizeof *out);
            out += width;
        }
    }
}

static void add_tile(double *out, size_t stride, const double *sum, size_t rows, size_t columns,
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
    double sum[TILE_ROWS * TILE_COLUMNS];

    for (size_t j = 0; j < part->columns; j += TILE_COLUMNS) {
        for (size_t i = 0; i < part->rows; i += TILE_ROWS) {
            size_t row = part->row + i, column = part->column + j;
            size_t rows = least(TILE_ROWS, part->rows - i);
            size_t columns = least(TILE_COLUMNS, part->columns - j);

            if (!product->upper || row < column + columns) {
                tile(sum, x + i * part->depth, y + j * part->depth, part->depth);
                if (rows == TILE_ROWS && columns == TILE_COLUMNS) {
                    add_tile(out + row * stride + column, stride, sum, TILE_ROWS, TILE_COLUMNS,
                             product->sign);
                } else {
                    add_tile(out + row * stride + column, stride, sum, rows, columns,
                             product->sign);
                }
            }
        }
    }
}

void product_add(double *out, size_t stride, const struct product *product)
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

void product_mirror(double *matrix, size_t order)
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
