/* pipes.h - what the bridges need that start a program and talk to it by pipes. */
#ifndef BOTS_COMMON_PIPES_H
#define BOTS_COMMON_PIPES_H

#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds of a clock that nobody sets: deadlines are counted on it. */
static inline int64_t pipes_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Closes what is open of the two; an end that was handed on is -1. */
static inline void pipes_close(const int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            close(pair[i]);
        }
    }
}

#endif
