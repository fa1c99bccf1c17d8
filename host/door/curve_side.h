/* curve_side.h - within curve: one side's part of the handshake. */
#ifndef HOST_DOOR_CURVE_SIDE_H
#define HOST_DOOR_CURVE_SIDE_H

#include "curve.h"

enum {
    CURVE_MAC = 16,
    CURVE_NONCE = 24,
    CURVE_SHORT = 8, /* the part of a nonce that is sent */
    CURVE_LONG = 16
};

/* Stages of a connection: what is expected next. */
enum { CURVE_AT_GREETING, CURVE_AT_FIRST, CURVE_AT_SECOND, CURVE_AT_TRAFFIC };

/* What a side's step says: the news, with the reply already in curve->reply. */
struct curve_step {
    enum curve_news news;
    size_t reply_size;
};

/* Each takes a command's body: its name is right, its length at least that of `least`. */
struct curve_step curve_take_hello(struct curve *curve, const uint8_t *body, size_t size);
struct curve_step curve_take_initiate(struct curve *curve, const uint8_t *body, size_t size);
struct curve_step curve_greeted(struct curve *curve); /* writes HELLO */
struct curve_step curve_take_welcome(struct curve *curve, const uint8_t *body, size_t size);
struct curve_step curve_take_ready(struct curve *curve, const uint8_t *body, size_t size);

/* Breaks the connection. */
struct curve_step curve_refuse(struct curve *curve, const char *why);

/* Write a nonce: a prefix, and a number or bytes that are sent with it. */
void curve_short_nonce(uint8_t out[CURVE_NONCE], const char *prefix, uint64_t number);
void curve_long_nonce(uint8_t out[CURVE_NONCE], const char *prefix, const uint8_t sent[CURVE_LONG]);
uint64_t curve_number(const uint8_t sent[CURVE_SHORT]);
/* Writes the next number, which no command had before, and the nonce made of it. */
void curve_next_nonce(uint8_t sent[CURVE_SHORT], uint8_t nonce[CURVE_NONCE], struct curve *curve,
                      const char *prefix);
/* Returns whether this number has risen, and keeps it. Call when its command was opened. */
bool curve_has_risen(struct curve *curve, const uint8_t sent[CURVE_SHORT]);

/* Writes the head and the name of a command whose body has `size` bytes; returns where it goes on.
 */
uint8_t *curve_command(struct curve *curve, const char *name, size_t size);
/* The bytes of the reply up to here. */
size_t curve_reply_size(const struct curve *curve, const uint8_t *end);

/* The handshake is complete. */
struct curve_step curve_complete(struct curve *curve, size_t reply_size);

#endif
