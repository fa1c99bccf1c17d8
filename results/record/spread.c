#include "spread.h"

#include <math.h>

static int place_of(int64_t ns)
{
    int place = ns < 1 ? 0 : (int)(log2((double)ns) * SPREAD_STEPS);

    return place < SPREAD_PLACES ? place : SPREAD_PLACES - 1;
}

void spread_add(struct spread *spread, int64_t ns)
{
    spread->count++;
    spread->sum_ns += (double)ns;
    spread->most_ns = fmax(spread->most_ns, (double)ns);
    spread->place[place_of(ns)]++;
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
