/* Steps of equal ratio and not of equal width: times reach from microseconds to minutes, and a
 * quantile is wanted to a few per cent everywhere. */
#include "duration_histogram.h"

#include <math.h>

/* 2^(63 + k/16), rounded up: where the steps of a doubling begin. */
static const uint64_t step_begin[HISTOGRAM_STEPS] = {
    UINT64_C(0x8000000000000000), UINT64_C(0x85aac367cc487b15), UINT64_C(0x8b95c1e3ea8bd6e7),
    UINT64_C(0x91c3d373ab11c337), UINT64_C(0x9837f0518db8a970), UINT64_C(0x9ef5326091a111ae),
    UINT64_C(0xa5fed6a9b15138eb), UINT64_C(0xad583eea42a14ac7), UINT64_C(0xb504f333f9de6485),
    UINT64_C(0xbd08a39f580c36bf), UINT64_C(0xc5672a115506dade), UINT64_C(0xce248c151f8480e4),
    UINT64_C(0xd744fccad69d6af5), UINT64_C(0xe0ccdeec2a94e112), UINT64_C(0xeac0c6e7dd24392f),
    UINT64_C(0xf5257d152486cc2d)};

/* Above it a logarithm is rounded into the next place now and then: what is stored counts so. */
#define EXACT_NS (INT64_C(1) << 40)

int histogram_place(int64_t ns)
{
    int place = 0;

    if (ns >= 1 && ns < EXACT_NS) {
        int doublings = 63 - __builtin_clzll((uint64_t)ns);
        uint64_t share = (uint64_t)ns << (63 - doublings);

        for (int half = HISTOGRAM_STEPS / 2; half > 0; half /= 2) {
            place += share >= step_begin[place + half] ? half : 0;
        }
        return doublings * HISTOGRAM_STEPS + place;
    }
    place = ns < 1 ? 0 : (int)(log2((double)ns) * HISTOGRAM_STEPS);
    return place < HISTOGRAM_PLACES ? place : HISTOGRAM_PLACES - 1;
}

void histogram_add(struct duration_histogram *histogram, int64_t ns)
{
    histogram->count++;
    histogram->sum_ns += (double)ns;
    histogram->most_ns = histogram->most_ns < (double)ns ? (double)ns : histogram->most_ns;
    histogram->place[histogram_place(ns)]++;
}

double histogram_mean(const struct duration_histogram *histogram)
{
    return histogram->count == 0 ? NAN : histogram->sum_ns / (double)histogram->count / 1e9;
}

double histogram_most(const struct duration_histogram *histogram)
{
    return histogram->count == 0 ? NAN : histogram->most_ns / 1e9;
}

double histogram_quantile(const struct duration_histogram *histogram, double share)
{
    double wanted = share * (double)histogram->count;
    uint64_t seen = 0;
    int place = 0;

    if (histogram->count == 0) {
        return NAN;
    }
    while (place < HISTOGRAM_PLACES - 1 && (double)(seen + histogram->place[place]) < wanted) {
        seen += histogram->place[place++];
    }
    /* the middle of the step, but not above the longest duration */
    return fmin(exp2((place + 0.5) / HISTOGRAM_STEPS), histogram->most_ns) / 1e9;
}
