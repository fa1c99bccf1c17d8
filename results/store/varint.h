/* varint.h - numbers of variable length, seven bits per byte, lowest bits first. Pure. */
#ifndef RESULTS_STORE_VARINT_H
#define RESULTS_STORE_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum { VARINT_MOST = 10 /* bytes of a number */ };

/* Returns the end of the written bytes. */
static inline unsigned char *varint_put(unsigned char *at, uint64_t value)
{
    for (; value >= 128; value >>= 7) {
        *at++ = (unsigned char)(value | 128);
    }
    *at++ = (unsigned char)value;
    return at;
}

/* Moves *at behind the number. Returns false if it is cut off or too long. */
static inline bool varint_get(uint64_t *out, const unsigned char **at, const unsigned char *end)
{
    *out = 0;
    for (int shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;

        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            return true;
        }
    }
    return false;
}

/* Maps numbers of either sign so that small ones stay short. */
static inline uint64_t varint_fold(int64_t value)
{
    return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static inline int64_t varint_unfold(uint64_t value)
{
    return (int64_t)((value & 1) != 0 ? ~(value >> 1) : value >> 1);
}

#endif
