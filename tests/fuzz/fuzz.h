/* fuzz.h - what every target needs. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* All that a reader has said: the same for every way of cutting its input. */
struct sum {
    uint64_t hash;
    size_t news;
};

static inline void add(struct sum *sum, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++) {
        sum->hash = (sum->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
}

#endif
