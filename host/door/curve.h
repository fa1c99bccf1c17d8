/* curve.h - CURVE, the mechanism of ZMTP 3.x that proves keys and encrypts, for both sides.
 *
 * Pure: bytes in, events and bytes to send out; nothing is sent or waited for. Memory is bounded:
 * one frame, and one message. Both sides begin by sending curve_greeting. What came is read so:
 *
 *     do {
 *         news = curve_read(&item, &curve, &at, end);
 *         if (item.reply_size > 0) send(item.reply, item.reply_size);   // whatever the news is
 *         ...
 *     } while (news != CURVE_MORE && news != CURVE_BROKEN);
 *
 * A PING is answered by such a reply. The bytes are those of libzmq, which is the other side's as
 * often as this is. Specification: rfc.zeromq.org/spec/25 and 26, and libzmq where it differs: the
 * frame of a MESSAGE is no command, PING and PONG travel in it like messages.
 */
#ifndef HOST_DOOR_CURVE_H
#define HOST_DOOR_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/zmtp.h"

enum {
    CURVE_KEY = 32,
    CURVE_COOKIE = 96,
    CURVE_COMMAND = 1024, /* largest command of a handshake */
    CURVE_IDENTITY = 255, /* most bytes of a client's name */
    CURVE_WRITTEN = 640,  /* largest command that this module writes */
    CURVE_OVERHEAD = 42   /* most bytes that a sealed message has more than it */
};

/* The reason of an ERROR by which libzmq knows that its key is not accepted. */
#define CURVE_UNKNOWN_KEY "400"

enum curve_news {
    CURVE_MORE,    /* the input is used up */
    CURVE_REPLY,   /* nothing but a reply of the handshake */
    CURVE_READY,   /* the handshake is complete: curve->peer, and at a server curve->identity */
    CURVE_MESSAGE, /* a message of one frame: item->data, size */
    CURVE_DROPPED, /* a message of several frames (item->parts), of item->size bytes in total */
    CURVE_PING,    /* a sign of life, as is any other news but the last */
    CURVE_PONG,    /* this, or a command that means nothing here */
    CURVE_BROKEN   /* refused: curve->reader.broken and .why; also from every later call */
};

struct curve_item {
    const uint8_t *data; /* lent until the next call, as is the reply */
    size_t size;
    int parts;
    const uint8_t *reply; /* bytes to send now */
    size_t reply_size;
};

/* Asks about a peer that has proved this key. Returns NULL to let it in, or the reason that it is
 * told by ERROR: CURVE_UNKNOWN_KEY, or words (for which libzmq tries again). */
typedef const char *(*curve_refusal_fn)(void *user, const uint8_t key[CURVE_KEY]);

/* Lent, as is what it points to, until the handshake is over. */
struct curve_server {
    const uint8_t *public, *secret; /* CURVE_KEY bytes each */
    curve_refusal_fn refusal;       /* asked once, in the call that then returns CURVE_READY */
    void *user;
};

struct curve_client {
    const uint8_t *server;          /* the key that the server has to prove */
    const uint8_t *public, *secret; /* its own */
    const char *identity;           /* its name for the server, at most CURVE_IDENTITY bytes */
};

struct curve {
    struct zmtp_reader reader;
    const struct curve_server *as_server; /* NULL: a client */
    const struct curve_client *as_client;
    int stage;
    bool is_server;
    bool is_refused;         /* the server's ERROR has come: curve->refusal; nothing proves it */
    bool is_server_proven;   /* at a client: the server has its key */
    char refusal[256];       /* printable */
    uint8_t peer[CURVE_KEY]; /* at a server: the key that the client has proved */
    char identity[CURVE_IDENTITY + 1];
    size_t identity_size;
    uint64_t sent, seen; /* the last nonces; both rise with every command */
    uint8_t shared[CURVE_KEY];
    struct {
        uint8_t secret[CURVE_KEY]; /* our short-term key of this connection */
        uint8_t public[CURVE_KEY];
        uint8_t peer[CURVE_KEY]; /* the other side's */
        uint8_t cookie[CURVE_COOKIE];
    } brief;        /* of the handshake; wiped after it */
    int parts;      /* frames of the dropped message so far; 0: none */
    size_t dropped; /* their bytes */
    uint8_t *plain; /* owned: what was opened last */
    size_t plain_room;
    size_t message_max;
    uint8_t reply[CURVE_WRITTEN];
};

/* Begin a connection; sodium_init was called. message_max: largest message that is read. Returns
 * false if the server's key is none, or the name too long. */
void curve_init_server(struct curve *curve, const struct curve_server *server, size_t message_max);
bool curve_init_client(struct curve *curve, const struct curve_client *client, size_t message_max);
/* Wipes what is secret. {0} is fine. */
void curve_deinit(struct curve *curve);

/* Writes what is to be sent first. */
void curve_greeting(uint8_t out[ZMTP_GREETING], const struct curve *curve);

/* Reads the input *at .. end up to the next event and moves *at. The result does not depend on how
 * the bytes are split into inputs. */
enum curve_news curve_read(struct curve_item *out, struct curve *curve, const uint8_t **at,
                           const uint8_t *end);

/* Returns whether messages can be sent. */
bool curve_is_ready(const struct curve *curve);

/* Seals a message: writes its frame, at most size + CURVE_OVERHEAD bytes, and returns its size. out
 * and data do not overlap. Sealed messages have to be sent in their order, each once. */
size_t curve_seal(uint8_t *out, struct curve *curve, const void *data, size_t size);

/* Seals a PING; dead_ms: the other side may close after such a silence. */
size_t curve_seal_ping(uint8_t out[CURVE_WRITTEN], struct curve *curve, int dead_ms);

#endif
