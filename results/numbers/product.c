#include "product.h"

#include <string.h>

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
