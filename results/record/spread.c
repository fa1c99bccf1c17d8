#include "spread.h"

#include <math.h>

/* 2^(63 + k/16), rounded up: where the steps of a doubling begin. */
static const uint64_t step_begin[SPREAD_STEPS] = {
    UINT64_C(0x8000000000000000), UINT64_C(0x85aac367cc487b15), UINT64_C(0x8b95c1e3ea8bd6e7),
    UINT64_C(0x91c3d373ab11c337), UINT64_C(0x9837f0518db8a970), UINT64_C(0x9ef5326091a111ae),
    UINT64_C(0xa5fed6a9b15138eb), UINT64_C(0xad583eea42a14ac7), UINT64_C(0xb504f333f9de6485),
    UINT64_C(0xbd08a39f580c36bf), UINT64_C(0xc5672a115506dade), UINT64_C(0xce248c151f8480e4),
    UINT64_C(0xd744fccad69d6af5), UINT64_C(0xe0ccdeec2a94e112), UINT64_C(0xeac0c6e7dd24392f),
    UINT64_C(0xf5257d152486cc2d)};

/* Above it a logarithm is rounded into the next place now and then: what is stored counts so. */
#define EXACT_NS (INT64_C(1) << 40)

int spread_place(int64_t ns)
{
    int place = 0;

    if (ns >= 1 && ns < EXACT_NS) {
        int doublings = 63 - __builtin_clzll((uint64_t)ns);
        uint64_t share = (uint64_t)ns << (63 - doublings);

        for (int half = SPREAD_STEPS / 2; half > 0; half /= 2) {
            place += share >= step_begin[place + half] ? half : 0;
        }
        return doublings * SPREAD_STEPS + place;
    }
    place = ns < 1 ? 0 : (int)(log2((double)ns) * SPREAD_STEPS);
    return place < SPREAD_PLACES ? place : SPREAD_PLACES - 1;
}

void spread_add(struct spread *spread, int64_t ns)
{
    spread->count++;
    spread->sum_ns += (double)ns;
    spread->most_ns = spread->most_ns < (double)ns ? (double)ns : spread->most_ns;
    spread->place[spread_place(ns)]++;
}

double spread_mean(const struct spread *spread)
{
    return spread->count == 0 ? NAN : spread->sum_ns / (double)spread->count / 1e9;
}

double spread_most(const struct spread *spread)
{
    return spread->count == 0 ? NAN : spread->most_ns / 1e9;
}

double spread_quantile(const struct spread *spread, double share)
{
    double wanted = share * (double)spread->count;
    uint64_t seen = 0;
    int place = 0;

    if (spread->count == 0) {
        return NAN;
    }
    while (place < SPREAD_PLACES - 1 && (double)(seen + spread->place[place]) < wanted) {
        seen += spread->place[place++];
    }
    /* the middle of the step, but not above the longest duration */
    return fmin(exp2((place + 0.5) / SPREAD_STEPS), spread->most_ns) / 1e9;
}
