/* timing.h - what the benchmarks in C measure with. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5 };

static inline double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Of the process's CPU. */
static inline int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Of ROUNDS values, which it sorts. */
static inline double median(double *value)
{
    qsort(value, ROUNDS, sizeof *value, compare);
    return value[ROUNDS / 2];
}

#endif
