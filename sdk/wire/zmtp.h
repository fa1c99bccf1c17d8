/* zmtp.h - ZMTP 3.x with the NULL mechanism, as bytes: the framing below our messages.
 *
 * Pure: bytes in, news out, nothing is sent or waited for. The referee reads and writes its bots'
 * connections with it, a bot in C its own. What a peer may make us keep is bounded before a message
 * is whole: one frame up to message_max, of which only the bytes that came are kept, or one
 * command. A message of several frames is counted and dropped as it comes, and refused when it does
 * not end.
 *
 *     zmtp_reader_init(&reader, 65536);
 *     while ((news = zmtp_read(&item, &reader, &at, end)) != ZMTP_MORE && news != ZMTP_BROKEN) ...
 *
 * Specification: rfc.zeromq.org/spec/37 (ZMTP 3.1), spec/23 (3.0).
 */
#ifndef SDK_WIRE_ZMTP_H
#define SDK_WIRE_ZMTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ZMTP_GREETING = 64,    /* bytes of it */
    ZMTP_HEAD = 9,         /* most bytes before a frame's body */
    ZMTP_COMMAND = 1024,   /* largest command: a READY with the properties a library adds */
    ZMTP_WRITTEN = 300,    /* most bytes of a command that is written here */
    ZMTP_PARTS = 64,       /* most frames of a message that is dropped */
    ZMTP_CONTEXT = 16,     /* most bytes of a PING that come back in the PONG */
    ZMTP_SOCKET_TYPE = 16, /* "DEALER", ... with its terminator */
};

enum zmtp_news {
    ZMTP_MORE,    /* the input is used up */
    ZMTP_READY,   /* the handshake is over on the peer's side; reader->socket_type is known */
    ZMTP_MESSAGE, /* a message of one frame: item->data, size */
    ZMTP_DROPPED, /* a message of several frames (item->parts), of item->size bytes in all */
    ZMTP_PING,    /* item->data, size: the context that the PONG returns */
    ZMTP_PONG,
    ZMTP_BROKEN, /* refused: reader->broken, reader->why; also from every later call */
};

enum zmtp_broken {
    ZMTP_SOUND,
    ZMTP_NO_ZMTP,   /* no ZMTP, an older one, another mechanism, a broken frame or command */
    ZMTP_OVERSIZED, /* a frame above message_max: known from its head */
    ZMTP_ENDLESS,   /* a message of more than ZMTP_PARTS frames, or above message_max in all */
    ZMTP_REFUSED,   /* the peer's ERROR */
    ZMTP_MEMORY,    /* we have none */
};

struct zmtp_item {
    const uint8_t *data; /* lent until the next call, from the input or from the reader */
    size_t size;
    int parts;
    bool delimited; /* the first of the parts is empty, as REQ sockets send */
};

struct zmtp_reader {
    size_t message_max;
    int stage;
    enum zmtp_broken broken;
    char why[160]; /* a sentence for people; peer's bytes in it are printable */
    char socket_type[ZMTP_SOCKET_TYPE];
    uint8_t head[ZMTP_GREETING]; /* of the greeting, or of a frame */
    size_t head_size;
    uint64_t body; /* size of the frame */
    uint8_t flags;
    uint64_t skip; /* bytes that are still to be dropped */
    int parts;     /* of the message that is being dropped; 0 none */
    bool delimited;
    size_t dropped;
    uint8_t *kept; /* owned: the part of the body that has arrived */
    size_t kept_size, kept_room;
    size_t kept_lasting; /* a larger block is freed after use; 4096 unless set after init */
};

void zmtp_reader_init(struct zmtp_reader *reader, size_t message_max);
void zmtp_reader_deinit(struct zmtp_reader *reader);

/* Reads on in the input *at .. end, which it moves, to the next piece of news. How the bytes are
 * cut into inputs makes no difference. */
enum zmtp_news zmtp_read(struct zmtp_item *out, struct zmtp_reader *reader, const uint8_t **at,
                         const uint8_t *end);

/* True while bytes of something that is not whole have come. */
bool zmtp_reader_is_amid(const struct zmtp_reader *reader);

/* What is written. Each returns its size. */
void zmtp_greeting(uint8_t out[ZMTP_GREETING]);
size_t zmtp_ready(uint8_t out[ZMTP_WRITTEN], const char *socket_type);
size_t zmtp_pong(uint8_t out[ZMTP_WRITTEN], const void *context, size_t size);
size_t zmtp_error(uint8_t out[ZMTP_WRITTEN], const char *reason); /* cut at 255 bytes */
/* Writes the head of a frame; more: another frame of the message follows. */
size_t zmtp_head(uint8_t out[ZMTP_HEAD], size_t size, bool more);

#endif
