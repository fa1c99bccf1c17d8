/* An own generator, since rand() differs between C libraries and the same results must give the
 * same bootstrap everywhere. */
#include "draw.h"

#include <math.h>

/* SplitMix64. */
static uint64_t next(struct draw *draw)
{
    uint64_t z = draw->state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double draw_unit(struct draw *draw)
{
    /* 53 bits are what a double holds below 1; more would round up to 1 itself. */
    return (double)(next(draw) >> 11) * 0x1p-53;
}

uint64_t draw_below(struct draw *draw, uint64_t most)
{
    uint64_t place = (uint64_t)(draw_unit(draw) * (double)most);

    return place < most ? place : most - 1;
}

double draw_normal(struct draw *draw)
{
    /* 1 - u and not u, which may be 0. */
    double radius = sqrt(-2 * log(1 - draw_unit(draw)));

    return radius * cos(6.283185307179586 * draw_unit(draw));
}

/* For a small expected number: adds probabilities from 0 on until they reach the random number. */
static uint64_t binomial_few(struct draw *draw, uint64_t n, double p)
{
    double ratio = p / (1 - p), chance = pow(1 - p, (double)n), rest = draw_unit(draw);
    uint64_t k = 0;

    while (rest >= chance && k < n) {
        rest -= chance;
        chance *= ratio * (double)(n - k) / (double)(k + 1);
        k++;
    }
    return k;
}

/* Rejection sampling with a hat over the transformed distribution (Hoermann 1993, BTRS). */
static uint64_t binomial_many(struct draw *draw, uint64_t n, double p)
{
    double many = (double)n, width = sqrt(many * p * (1 - p));
    double b = 1.15 + 2.53 * width, a = -0.0873 + 0.0248 * b + 0.01 * p;
    double alpha = (2.83 + 5.1 / b) * width, inside = 0.92 - 4.2 / b;
    double mode = floor((many + 1) * p);

    for (;;) {
        double u = draw_unit(draw) - 0.5, v = draw_unit(draw), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + many * p + 0.5);

        if (us >= 0.07 && v <= inside) {
            return (uint64_t)k;
        }
        if (us > 0 && k >= 0 && k <= many) { /* about one draw in seven gets here */
            double at_mode = lgamma(mode + 1) + lgamma(many - mode + 1);
            double at_k = lgamma(k + 1) + lgamma(many - k + 1);

            if (log(v * alpha / (a / (us * us) + b)) <=
                at_mode - at_k + (k - mode) * log(p / (1 - p))) {
                return (uint64_t)k;
            }
        }
    }
}

uint64_t draw_binomial(struct draw *draw, uint64_t n, double p)
{
    if (n == 0 || !(p > 0)) {
        return 0;
    }
    if (p >= 1) {
        return n;
    }
    /* Both methods are made for small p. */
    if (p > 0.5) {
        return n - draw_binomial(draw, n, 1 - p);
    }
    return (double)n * p < 10 ? binomial_few(draw, n, p) : binomial_many(draw, n, p);
}

int draw_by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}
