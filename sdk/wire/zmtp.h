/* zmtp.h - the framing of messages: reads and writes bytes of ZMTP 3.x with the NULL mechanism.
 *
 * Pure: bytes in, events out; nothing is sent or waited for. The referee uses it for its bots'
 * connections, a bot in C for its own. For a mechanism that puts commands of its own into the
 * frames there is a reader of frames. Memory for an incomplete message is limited: one frame of at
 * most message_max, of which only received bytes are kept, or one command. A message of several
 * frames is counted, dropped while it arrives, and refused if it does not end.
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
    ZMTP_GREETING = 64,    /* size in bytes */
    ZMTP_HEAD = 9,         /* most bytes before a frame's body */
    ZMTP_COMMAND = 1024,   /* largest command: a READY with a library's additional properties */
    ZMTP_WRITTEN = 300,    /* largest command that this library writes */
    ZMTP_PARTS = 64,       /* most frames of a dropped message */
    ZMTP_CONTEXT = 16,     /* most bytes of a PING that its PONG returns */
    ZMTP_SOCKET_TYPE = 16, /* "DEALER", ... with its terminator */
    ZMTP_MECHANISM = 20,   /* bytes of a mechanism's name in the greeting */
};

enum zmtp_news {
    ZMTP_MORE,    /* the input is used up */
    ZMTP_READY,   /* the peer has completed its handshake; reader->socket_type is known. A reader
                     of frames: the greeting is complete */
    ZMTP_MESSAGE, /* a message of one frame: item->data, size. A reader of frames: a frame, with
                     item->is_command */
    ZMTP_DROPPED, /* a message of several frames (item->parts), of item->size bytes in total */
    ZMTP_PING,    /* item->data, size: the context that the PONG returns */
    ZMTP_PONG,
    ZMTP_BROKEN, /* refused: reader->broken, reader->why; also from every later call */
};

enum zmtp_broken {
    ZMTP_SOUND,
    ZMTP_NO_ZMTP,   /* not ZMTP, an older version, another mechanism, an invalid frame or command */
    ZMTP_OVERSIZED, /* the head of a frame gives a size above message_max */
    ZMTP_ENDLESS,   /* a message of more than ZMTP_PARTS frames, or above message_max in total */
    ZMTP_REFUSED,   /* the peer's ERROR */
    ZMTP_MEMORY,    /* out of memory */
};

struct zmtp_item {
    const uint8_t *data; /* lent until the next call, from the input or from the reader */
    size_t size;
    int parts;
    bool delimited; /* the first of the parts is empty, as REQ sockets send */
    bool is_command;
};

/* One name and value of a handshake's metadata. */
struct zmtp_property {
    const uint8_t *name, *value; /* lent */
    size_t name_size, value_size;
};

struct zmtp_reader {
    size_t message_max;    /* may be changed between two reads */
    const char *mechanism; /* lent: the one of the reader of frames; NULL: it reads messages */
    int stage;
    enum zmtp_broken broken;
    char why[160]; /* a sentence for people; peer's bytes in it are printable */
    char socket_type[ZMTP_SOCKET_TYPE];
    uint8_t head[ZMTP_GREETING]; /* of the greeting, or of a frame */
    size_t head_size;
    uint64_t body; /* size of the frame */
    uint8_t flags;
    uint64_t skip; /* bytes still to drop */
    int parts;     /* frames of the dropped message so far; 0: none */
    bool delimited;
    size_t dropped;
    uint8_t *kept; /* owned: the part of the body that has arrived */
    size_t kept_size, kept_room;
    size_t kept_lasting; /* a larger block is freed after use; 4096 unless set after init */
};

void zmtp_reader_init(struct zmtp_reader *reader, size_t message_max);
/* Reads frames as they are, each of one part, behind a greeting with this mechanism (lent). */
void zmtp_reader_init_frames(struct zmtp_reader *reader, size_t message_max, const char *mechanism);
void zmtp_reader_deinit(struct zmtp_reader *reader);

/* Reads the input *at .. end up to the next event and moves *at. The result does not depend on how
 * the bytes are split into inputs. */
enum zmtp_news zmtp_read(struct zmtp_item *out, struct zmtp_reader *reader, const uint8_t **at,
                         const uint8_t *end);

/* Sets what the peer has broken, with a sentence for people. Returns ZMTP_BROKEN. */
enum zmtp_news zmtp_refuse(struct zmtp_reader *reader, enum zmtp_broken broken, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

/* Returns whether a command has this name. */
bool zmtp_is_named(const uint8_t *data, size_t size, const char *name);

/* Reads the next property and moves *at. Returns false at the end, and if the rest is cut off: then
 * *at is not at the end. */
bool zmtp_property_next(struct zmtp_property *out, const uint8_t **at, const uint8_t *end);
bool zmtp_property_is(const struct zmtp_property *property, const char *name);

/* Each writes one item and returns its size. */
void zmtp_greeting(uint8_t out[ZMTP_GREETING]);
void zmtp_greeting_of(uint8_t out[ZMTP_GREETING], const char *mechanism, bool is_server);
/* Writes a property of at most 255 bytes; out: 5 more than the name and the value. */
size_t zmtp_property(uint8_t *out, const char *name, const void *value, size_t size);
size_t zmtp_ready(uint8_t out[ZMTP_WRITTEN], const char *socket_type);
size_t zmtp_pong(uint8_t out[ZMTP_WRITTEN], const void *context, size_t size);
size_t zmtp_error(uint8_t out[ZMTP_WRITTEN], const char *reason); /* cut at 255 bytes */
/* Writes the head of a frame; more: another frame of the message follows. */
size_t zmtp_head(uint8_t out[ZMTP_HEAD], size_t size, bool more);
size_t zmtp_command_head(uint8_t out[ZMTP_HEAD], size_t size);

#endif
