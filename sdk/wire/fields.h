/* fields.h - reads the fields of a protobuf message one by one, in place. Private to sdk/wire.
 *
 * Decisions are read with it instead of the generated code: nothing is allocated, texts and bytes
 * are lent from the frame. Every read stays inside the given bytes.
 *
 *     struct fields fields = fields_of(data, size);
 *     struct wire_field field;
 *     while (fields_next(&fields, &field)) { switch (field.number) ... }
 *     if (fields.malformed) ...
 */
#ifndef SDK_WIRE_FIELDS_H
#define SDK_WIRE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Wire types; groups (3 and 4) are malformed here, as in protobuf-c. */
enum field_type { FIELD_VARINT = 0, FIELD_FIXED64 = 1, FIELD_BYTES = 2, FIELD_FIXED32 = 5 };

struct wire_field {
    uint32_t number;
    enum field_type type;
    uint64_t value;      /* VARINT, FIXED64, FIXED32 */
    const uint8_t *data; /* BYTES: lent from the frame; else NULL */
    size_t size;         /* BYTES; else 0 */
};

struct fields {
    const uint8_t *at, *end;
    bool malformed; /* reading stopped before the end */
};

static inline struct fields fields_of(const uint8_t *data, size_t size)
{
    return (struct fields){data, size == 0 ? data : data + size, false};
}

/* Ends reading because the bytes are not a valid message. Returns false. */
static inline bool fields_stop(struct fields *fields)
{
    fields->malformed = true;
    fields->at = fields->end;
    return false;
}

/* A varint has at most ten bytes; bits beyond the 64th are dropped, as in other protobuf readers.
 */
static inline bool fields_varint(struct fields *fields, uint64_t *out)
{
    const uint8_t *at = fields->at;
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 70 && at < fields->end; shift += 7) {
        const uint8_t byte = *at++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            fields->at = at;
            *out = value;
            return true;
        }
    }
    return fields_stop(fields);
}

/* Little-endian on every machine; compilers turn each half into one load. */
static inline uint64_t fields_word(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static inline bool fields_fixed(struct fields *fields, uint64_t *out, size_t bytes)
{
    if ((size_t)(fields->end - fields->at) < bytes) {
        return fields_stop(fields);
    }
    *out = fields_word(fields->at) | (bytes == 8 ? fields_word(fields->at + 4) << 32 : 0);
    fields->at += bytes;
    return true;
}

/* Reads the value of a field of this type. */
static inline bool fields_value(struct fields *fields, struct wire_field *out)
{
    switch (out->type) {
    case FIELD_VARINT:
        return fields_varint(fields, &out->value);
    case FIELD_FIXED64:
        return fields_fixed(fields, &out->value, 8);
    case FIELD_FIXED32:
        return fields_fixed(fields, &out->value, 4);
    case FIELD_BYTES:
        if (!fields_varint(fields, &out->value) ||
            out->value > (uint64_t)(fields->end - fields->at)) {
            return fields_stop(fields);
        }
        out->data = fields->at;
        out->size = (size_t)out->value;
        fields->at += out->size;
        return true;
    default:
        return fields_stop(fields);
    }
}

/* Returns false at the end, or if the bytes are not a field. */
static inline bool fields_next(struct fields *fields, struct wire_field *out)
{
    const uint8_t *at = fields->at;
    uint64_t tag;

    out->data = NULL;
    out->size = 0;
    if (fields->end - at >= 2 && at[0] < 0x80 && at[1] < 0x80 && at[0] >= 8) {
        /* Fast path for nearly all fields: a tag of one byte and a number or length of one byte. */
        out->number = at[0] >> 3;
        out->type = (enum field_type)(at[0] & 7);
        out->value = at[1];
        if (out->type == FIELD_VARINT) {
            fields->at = at + 2;
            return true;
        }
        if (out->type == FIELD_BYTES && out->value <= (uint64_t)(fields->end - at - 2)) {
            out->data = at + 2;
            out->size = at[1];
            fields->at = at + 2 + at[1];
            return true;
        }
    }
    if (at == fields->end || !fields_varint(fields, &tag)) {
        return false;
    }
    if (tag >> 3 == 0 || tag >> 32 != 0) {
        return fields_stop(fields);
    }
    out->number = (uint32_t)(tag >> 3);
    out->type = (enum field_type)(tag & 7);
    return fields_value(fields, out);
}

#endif
