#include "tails.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"

/* Sorts by counting if all points are whole and close together. Returns false if they are not. */
static bool sort_whole(double *points, size_t count)
{
    /* Nearly all games have whole points below it, and counting sorts millions of them in one
     * pass. */
    enum { HALF = 2048, PLACES = 2 * HALF };
    size_t seen[PLACES] = {0}, at = 0;

    for (size_t i = 0; i < count; i++) {
        double place = points[i] + HALF;

        if (!(place >= 0 && place < PLACES) || place != floor(place)) {
            return false;
        }
        seen[(int)place]++;
    }
    for (int place = 0; place < PLACES; place++) {
        for (size_t k = 0; k < seen[place]; k++) {
            points[at++] = place - HALF;
        }
    }
    return true;
}

void tails_of(struct tails *out, double *points, size_t count, double cube)
{
    double mean = 0, squares = 0, low, high;

    *out = (struct tails){.games = (double)count, .share = NAN, .median = NAN};
    if (count == 0) {
        return;
    }
    if (!sort_whole(points, count)) {
        qsort(points, count, sizeof *points, draw_by_size);
    }
    for (size_t i = 0; i < count; i++) {
        mean += points[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (points[i] - mean) * (points[i] - mean);
    }
    low = points[0];
    high = points[count - 1];
    out->cube = cube;
    out->median = 0.5 * (points[(count - 1) / 2] + points[count / 2]);
    out->largest = high - mean >= mean - low ? high : low;
    if (squares > 0) {
        out->share = (out->largest - mean) * (out->largest - mean) / squares;
    }
    out->heavy = cube > TAILS_CUBE || (count >= TAILS_GAMES && out->share >= TAILS_SHARE);
}
