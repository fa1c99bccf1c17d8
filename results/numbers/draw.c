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
    return (double)(next(draw) >> 11) * 0x1p-53;
}

uint64_t draw_below(struct draw *draw, uint64_t most)
{
    uint64_t place = (uint64_t)(draw_unit(draw) * (double)most);

    return place < most ? place : most - 1;
}

double draw_normal(struct draw *draw)
{
    double radius = sqrt(-2 * log(1 - draw_unit(draw)));

    return radius * cos(6.283185307179586 * draw_unit(draw));
}
