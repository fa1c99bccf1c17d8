/* pack.h - shared by the sources that pack messages. Private to sdk/wire.
 *
 * pack_ask.c packs asks and answers by hand (pen.h), the others by the generated code: pack.c
 * greetings and small messages, pack_evaluate.c positions to value and their values.
 */
#ifndef SDK_WIRE_PACK_H
#define SDK_WIRE_PACK_H

#include <bgref.pb-c.h>

#include "wire.h"

enum { PACK_HISTORY = 8 };

struct pack_position {
    Bgref__V1__Position message;
    uint8_t history[2][PACK_HISTORY];
};

/* Returns buffer's scratch memory; its earlier contents are lost. NULL: no memory. */
void *pack_scratch(struct wire_buffer *buffer, size_t size, struct bg_error *err);

/* Provides buffer->memory of at least size bytes. Its contents stay, but may move. */
enum bg_status pack_room(struct wire_buffer *buffer, size_t size, struct bg_error *err);

/* Packs a whole frame into buffer. */
enum bg_status pack_envelope(struct wire_buffer *buffer, const ProtobufCMessage *envelope,
                             struct bg_error *err);

/* The generated structs have no const members; nothing is written through them while packing. */
uint8_t *pack_bytes_lent(const void *bytes);
char *pack_text_lent(const char *text);

/* Return the bytes of one side of a position, and of its history, up to the last that is not zero.
 */
size_t pack_side_size(const uint8_t at[BG_SLOTS]);
size_t pack_history(uint8_t out[PACK_HISTORY], const struct bg_board *board, int seat);

/* Each fills the message in the space given, lending from the value, and returns it. */
Bgref__V1__Position *pack_position(struct pack_position *space, const struct bg_board *board);
Bgref__V1__Rules *pack_rules(Bgref__V1__Rules *out, const struct bg_rules *rules);
ProtobufCBinaryData pack_moves(const struct bg_play *play);

/* Copies a reason, which may quote anything, as short plain text. Returns out. */
char *pack_reason(char out[WIRE_TEXT], const char *text);

#endif
