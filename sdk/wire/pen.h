/* pen.h - writes a protobuf message from its last byte to its first. Private to sdk/wire.
 *
 * Backwards, because the length of a part comes before the part: when the part is written, its
 * length is known, and nothing has to be counted or moved. Write fields in descending order of
 * number. The caller provides room for the largest message; the pen does not check it.
 *
 *     struct pen pen = {memory + room};
 *     const uint8_t *end = pen.at;
 *     pen_number(&pen, 2, 7);
 *     pen_bytes(&pen, 1, "abc", 3);
 *     pen_length(&pen, 1, end);      (both are now the content of a field 1)
 */
#ifndef SDK_WIRE_PEN_H
#define SDK_WIRE_PEN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fields.h"

struct pen {
    uint8_t *at; /* the first byte written so far */
};

static inline void pen_varint(struct pen *pen, uint64_t value)
{
    size_t size = 1;

    for (uint64_t rest = value >> 7; rest != 0; rest >>= 7) {
        size++;
    }
    pen->at -= size;
    for (size_t i = 0; i + 1 < size; i++, value >>= 7) {
        pen->at[i] = (uint8_t)(value | 0x80);
    }
    pen->at[size - 1] = (uint8_t)value;
}

static inline void pen_tag(struct pen *pen, uint32_t number, enum field_type type)
{
    pen_varint(pen, number << 3 | (uint32_t)type);
}

/* Writes a number, flag or enum; leaves out 0. */
static inline void pen_number(struct pen *pen, uint32_t number, uint64_t value)
{
    if (value != 0) {
        pen_varint(pen, value);
        pen_tag(pen, number, FIELD_VARINT);
    }
}

/* The same, but writes 0 too: for a oneof. */
static inline void pen_choice(struct pen *pen, uint32_t number, uint64_t value)
{
    pen_varint(pen, value);
    pen_tag(pen, number, FIELD_VARINT);
}

/* Writes a fixed64; leaves out 0. */
static inline void pen_fixed64(struct pen *pen, uint32_t number, uint64_t value)
{
    if (value != 0) {
        pen->at -= 8;
        for (int i = 0; i < 8; i++) {
            pen->at[i] = (uint8_t)(value >> (8 * i));
        }
        pen_tag(pen, number, FIELD_FIXED64);
    }
}

/* Makes the bytes from the pen to end the content of field `number`. */
static inline void pen_length(struct pen *pen, uint32_t number, const uint8_t *end)
{
    pen_varint(pen, (uint64_t)(end - pen->at));
    pen_tag(pen, number, FIELD_BYTES);
}

static inline void pen_raw(struct pen *pen, const void *bytes, size_t size)
{
    pen->at -= size;
    memcpy(pen->at, bytes, size);
}

/* Writes bytes or a text; leaves out an empty one. */
static inline void pen_bytes(struct pen *pen, uint32_t number, const void *bytes, size_t size)
{
    if (size > 0) {
        const uint8_t *end = pen->at;

        pen_raw(pen, bytes, size);
        pen_length(pen, number, end);
    }
}

#endif
