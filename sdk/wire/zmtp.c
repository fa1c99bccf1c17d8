/* A state machine over bytes as they come: nothing is assumed about where reads end, so each stage
 * can stop after any byte. A frame that lies whole in the input is lent from there; only one that
 * is cut is copied. Memory grows with what has arrived, never with what was announced, and each
 * announcement is checked against the limit before the first byte of it.
 *
 * The peer may be any program. What it sent and is quoted in a message for people has its bytes
 * cleaned (zmtp_refuse). */
#include "zmtp.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FLAG_MORE = 1, FLAG_LONG = 2, FLAG_COMMAND = 4 };

/* The reader's stages. */
enum { AT_GREETING, AT_READY, AT_TRAFFIC, AT_FRAMES };

enum { KEPT_FIRST = 512, KEPT_LASTING = 4096, REASON = 255 };

static const char socket_type[] = "Socket-Type";

void zmtp_reader_init(struct zmtp_reader *reader, size_t message_max)
{
    memset(reader, 0, sizeof *reader);
    reader->message_max = message_max;
    reader->kept_lasting = KEPT_LASTING;
}

void zmtp_reader_init_frames(struct zmtp_reader *reader, size_t message_max, const char *mechanism)
{
    zmtp_reader_init(reader, message_max);
    reader->mechanism = mechanism;
}

void zmtp_reader_deinit(struct zmtp_reader *reader)
{
    free(reader->kept);
    reader->kept = NULL;
    reader->kept_size = reader->kept_room = 0;
}

enum zmtp_news zmtp_refuse(struct zmtp_reader *reader, enum zmtp_broken broken, const char *format,
                           ...)
{
    va_list arguments;

    reader->broken = broken;
    va_start(arguments, format);
    vsnprintf(reader->why, sizeof reader->why, format, arguments);
    va_end(arguments);
    for (char *at = reader->why; *at != '\0'; at++) {
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    }
    return ZMTP_BROKEN;
}

/* Copies input bytes into the head until it has `size` bytes. Returns false if more are needed. */
static bool fill_head(struct zmtp_reader *reader, size_t size, const uint8_t **at,
                      const uint8_t *end)
{
    size_t wanted = size > reader->head_size ? size - reader->head_size : 0;
    size_t there = (size_t)(end - *at);
    size_t taken = wanted < there ? wanted : there;

    if (taken > 0) {
        memcpy(reader->head + reader->head_size, *at, taken);
        reader->head_size += taken;
        *at += taken;
    }
    return reader->head_size >= size;
}

/* ---------------------------------------------------------------- the greeting */

enum { VERSION_AT = 10, MECHANISM_AT = 12, SERVER_AT = 32 };

/* Checks the bytes of the greeting that have arrived. */
static enum zmtp_news check_greeting(struct zmtp_reader *reader)
{
    const char *mechanism = reader->mechanism == NULL ? "NULL" : reader->mechanism;
    uint8_t wanted[ZMTP_MECHANISM] = {0};
    const uint8_t *head = reader->head;

    memcpy(wanted, mechanism, strlen(mechanism));
    /* From the first byte on, so that a program of another protocol, which may wait for us, is
     * told at once. */
    if (head[0] != 0xff) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP,
                           "its first byte is 0x%02x; ZeroMQ begins with 0xff", head[0]);
    }
    if (reader->head_size > 9 && (head[9] & 1) == 0) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its first bytes are not a greeting of ZeroMQ");
    }
    /* ZMTP 2 and older have no handshake with commands. A peer of a later version than 3 has to
     * fall back to ours. */
    if (reader->head_size > VERSION_AT && head[VERSION_AT] < 3) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP,
                           "it speaks ZMTP %d; 3 or later is needed, as from libzmq 4",
                           head[VERSION_AT]);
    }
    if (reader->head_size >= MECHANISM_AT + ZMTP_MECHANISM &&
        memcmp(head + MECHANISM_AT, wanted, sizeof wanted) != 0) {
        /* RFC 23 fills the name with zeros: something behind it is another mechanism to a strict
         * reader. */
        if (strncmp((const char *)head + MECHANISM_AT, mechanism, ZMTP_MECHANISM) == 0) {
            return zmtp_refuse(reader, ZMTP_NO_ZMTP,
                               "the bytes behind the name of its security mechanism are not 0");
        }
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its security mechanism is %.20s; here it is %s",
                           head[MECHANISM_AT] == '\0' ? "not named"
                                                      : (const char *)head + MECHANISM_AT,
                           mechanism);
    }
    return ZMTP_MORE;
}

static enum zmtp_news read_greeting(struct zmtp_reader *reader, const uint8_t **at,
                                    const uint8_t *end)
{
    bool whole = fill_head(reader, ZMTP_GREETING, at, end);

    if (reader->head_size > 0 && check_greeting(reader) == ZMTP_BROKEN) {
        return ZMTP_BROKEN;
    }
    if (whole) {
        reader->stage = reader->mechanism == NULL ? AT_READY : AT_FRAMES;
        reader->head_size = 0;
    }
    return whole && reader->mechanism != NULL ? ZMTP_READY : ZMTP_MORE;
}

/* ---------------------------------------------------------------- commands */

bool zmtp_is_named(const uint8_t *data, size_t size, const char *name)
{
    size_t length = strlen(name);

    return size > length && data[0] == length && memcmp(data + 1, name, length) == 0;
}

static uint32_t number_at(const uint8_t *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

static void copy_type(char out[ZMTP_SOCKET_TYPE], const uint8_t *value, size_t size)
{
    if (size >= ZMTP_SOCKET_TYPE) {
        size = ZMTP_SOCKET_TYPE - 1;
    }
    memcpy(out, value, size);
    out[size] = '\0';
}

/* A length byte and the name, a length of four bytes and the value. */
bool zmtp_property_next(struct zmtp_property *out, const uint8_t **at, const uint8_t *end)
{
    size_t size = (size_t)(end - *at);
    size_t name = size > 0 ? (*at)[0] : 0;
    size_t head = 1 + name + 4;

    if (size < head || number_at(*at + 1 + name) > size - head) {
        return false;
    }
    /* Lent from the command; nothing is copied. */
    *out = (struct zmtp_property){.name = *at + 1,
                                  .name_size = name,
                                  .value = *at + head,
                                  .value_size = number_at(*at + 1 + name)};
    *at += head + out->value_size;
    return true;
}

bool zmtp_property_is(const struct zmtp_property *property, const char *name)
{
    return property->name_size == strlen(name) &&
           /* RFC 23: names of properties are compared without regard to case. */
           strncasecmp((const char *)property->name, name, property->name_size) == 0;
}

static enum zmtp_news read_metadata(struct zmtp_reader *reader, const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    struct zmtp_property property;

    while (zmtp_property_next(&property, &at, end)) {
        if (zmtp_property_is(&property, socket_type)) {
            copy_type(reader->socket_type, property.value, property.value_size);
        }
    }
    if (at != end) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its READY is cut off");
    }
    if (reader->socket_type[0] == '\0') {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its READY names no Socket-Type");
    }
    return ZMTP_READY;
}

static enum zmtp_news read_error(struct zmtp_reader *reader, const uint8_t *data, size_t size)
{
    size_t length = size > 0 ? data[0] : 0;

    if (size < 1 || length > size - 1) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its ERROR is cut off");
    }
    return zmtp_refuse(reader, ZMTP_REFUSED, "it sends ERROR: %.*s",
                       (int)(length > 100 ? 100 : length), (const char *)data + 1);
}

static enum zmtp_news read_ping(struct zmtp_item *out, struct zmtp_reader *reader,
                                const uint8_t *data, size_t size)
{
    enum { TTL = 2 };

    /* The TTL is the peer's business: who sends a PING decides for itself how long it waits. */
    if (size < TTL || size - TTL > ZMTP_CONTEXT) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its PING has %zu bytes", size);
    }
    out->data = data + TTL;
    out->size = size - TTL;
    return ZMTP_PING;
}

static enum zmtp_news read_command(struct zmtp_item *out, struct zmtp_reader *reader,
                                   const uint8_t *data, size_t size)
{
    const size_t room = size == 0 ? 0 : data[0] < size - 1 ? data[0] : size - 1;
    const int shown = (int)strnlen((const char *)data + (size > 0), room > 20 ? 20 : room);

    /* Possible at every stage: the peer says why it ends the connection. */
    if (zmtp_is_named(data, size, "ERROR")) {
        return read_error(reader, data + 6, size - 6);
    }
    if (shown == 0) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "a command without a name");
    }
    if (reader->stage == AT_READY) {
        if (!zmtp_is_named(data, size, "READY")) {
            return zmtp_refuse(reader, ZMTP_NO_ZMTP, "its first command is %.*s, not READY", shown,
                               (const char *)data + 1);
        }
        reader->stage = AT_TRAFFIC;
        return read_metadata(reader, data + 6, size - 6);
    }
    if (zmtp_is_named(data, size, "PING")) {
        return read_ping(out, reader, data + 5, size - 5);
    }
    if (zmtp_is_named(data, size, "PONG")) {
        out->size = size;
        return ZMTP_PONG;
    }
    return zmtp_refuse(reader, ZMTP_NO_ZMTP, "a command %.*s, which is not expected here", shown,
                       (const char *)data + 1);
}

/* ---------------------------------------------------------------- frames */

static uint64_t long_size(const uint8_t *head)
{
    return (uint64_t)number_at(head + 1) << 32 | number_at(head + 5);
}

/* The head is complete: checks the announced size before any byte of the body is kept. */
static enum zmtp_news check_frame(struct zmtp_reader *reader)
{
    bool is_command = (reader->flags & FLAG_COMMAND) != 0;

    reader->body = (reader->flags & FLAG_LONG) != 0 ? long_size(reader->head) : reader->head[1];
    if (is_command && reader->stage != AT_FRAMES && reader->body > ZMTP_COMMAND) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "a command of %llu bytes; at most %d are taken",
                           (unsigned long long)reader->body, ZMTP_COMMAND);
    }
    if (reader->body > reader->message_max) {
        return zmtp_refuse(reader, ZMTP_OVERSIZED, "a frame of %llu bytes; at most %zu are taken",
                           (unsigned long long)reader->body, reader->message_max);
    }
    /* Commands may stand between the frames of a message. */
    if (is_command || (reader->parts == 0 && (reader->flags & FLAG_MORE) == 0)) {
        return ZMTP_MORE;
    }
    if (reader->parts == 0) {
        /* An empty first frame is what a REQ socket sends: the author hears which socket to use. */
        reader->delimited = reader->body == 0;
        reader->dropped = 0;
    }
    reader->parts++;
    reader->dropped += (size_t)reader->body;
    reader->skip = reader->body;
    if (reader->parts > ZMTP_PARTS || reader->dropped > reader->message_max) {
        return zmtp_refuse(reader, ZMTP_ENDLESS,
                           "a message of more than %d frames or %zu bytes; one frame is asked for",
                           reader->parts > ZMTP_PARTS ? ZMTP_PARTS : reader->parts - 1,
                           reader->message_max);
    }
    return ZMTP_MORE;
}

/* Reads a frame's head; *whole: the head is complete and the frame is acceptable. */
static enum zmtp_news read_frame_head(bool *whole, struct zmtp_reader *reader, const uint8_t **at,
                                      const uint8_t *end)
{
    size_t size;

    *whole = false;
    if (!fill_head(reader, 1, at, end)) {
        return ZMTP_MORE;
    }
    reader->flags = reader->head[0];
    /* Other bits are reserved: a stream that has lost its place would be read as nonsense from
     * here on. */
    if ((reader->flags & ~(FLAG_MORE | FLAG_LONG | FLAG_COMMAND)) != 0 ||
        ((reader->flags & FLAG_MORE) != 0 &&
         (reader->stage == AT_FRAMES || (reader->flags & FLAG_COMMAND) != 0))) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP,
                           "a frame with the flags 0x%02x, which ZMTP has not", reader->flags);
    }
    /* No message may come before the handshake is complete. */
    if (reader->stage == AT_READY && (reader->flags & FLAG_COMMAND) == 0) {
        return zmtp_refuse(reader, ZMTP_NO_ZMTP, "a message before its READY");
    }
    size = (reader->flags & FLAG_LONG) != 0 ? 9 : 2;
    if (!fill_head(reader, size, at, end)) {
        return ZMTP_MORE;
    }
    *whole = true;
    return check_frame(reader);
}

/* Keeps size bytes. The memory grows with the bytes that arrived, not with the announced size. */
static bool keep_bytes(struct zmtp_reader *reader, const uint8_t *data, size_t size)
{
    size_t room = reader->kept_room == 0 ? KEPT_FIRST : reader->kept_room;

    while (room < reader->kept_size + size) {
        room *= 2;
    }
    if (room > reader->kept_room) {
        uint8_t *kept = realloc(reader->kept, room);

        if (kept == NULL) {
            return false;
        }
        reader->kept = kept;
        reader->kept_room = room;
    }
    memcpy(reader->kept + reader->kept_size, data, size);
    reader->kept_size += size;
    return true;
}

/* Returns the body as one piece, lent from the input if it is complete there; *whole: it has
 * arrived. */
static enum zmtp_news read_body(const uint8_t **body, struct zmtp_reader *reader,
                                const uint8_t **at, const uint8_t *end)
{
    size_t there = (size_t)(end - *at);
    size_t wanted = (size_t)reader->body - reader->kept_size;

    *body = NULL;
    if (reader->kept_size == 0 && there >= wanted) {
        *body = *at;
        *at += wanted;
        return ZMTP_MORE;
    }
    there = there < wanted ? there : wanted;
    if (there > 0 && !keep_bytes(reader, *at, there)) {
        return zmtp_refuse(reader, ZMTP_MEMORY, "no memory for a frame of %llu bytes",
                           (unsigned long long)reader->body);
    }
    *at += there;
    if (reader->kept_size == reader->body) {
        *body = reader->kept;
    }
    return ZMTP_MORE;
}

/* Releases the lent bytes: frees a large block, keeps a small one for reuse. */
static void forget_body(struct zmtp_reader *reader)
{
    if (reader->kept_room > reader->kept_lasting) {
        zmtp_reader_deinit(reader);
    }
    reader->kept_size = 0;
}

/* Drops a frame of a message of several frames while it arrives. */
static enum zmtp_news skip_part(struct zmtp_item *out, struct zmtp_reader *reader,
                                const uint8_t **at, const uint8_t *end)
{
    size_t there = (size_t)(end - *at);
    size_t taken = there < reader->skip ? there : (size_t)reader->skip;

    *at += taken;
    reader->skip -= taken;
    if (reader->skip > 0) {
        return ZMTP_MORE;
    }
    reader->head_size = 0;
    if ((reader->flags & FLAG_MORE) != 0) {
        return ZMTP_MORE;
    }
    out->parts = reader->parts;
    out->size = reader->dropped;
    out->delimited = reader->delimited;
    reader->parts = 0;
    return ZMTP_DROPPED;
}

/* Reads one frame, or the part of it that has arrived. */
static enum zmtp_news read_frame(struct zmtp_item *out, struct zmtp_reader *reader,
                                 const uint8_t **at, const uint8_t *end)
{
    size_t head = reader->head_size > 0 && (reader->head[0] & FLAG_LONG) != 0 ? 9 : 2;
    bool whole = reader->head_size == head;
    enum zmtp_news news = ZMTP_MORE;
    const uint8_t *body;

    if (!whole) {
        if (reader->head_size == 0) {
            forget_body(reader);
        }
        news = read_frame_head(&whole, reader, at, end);
    }
    if (!whole || news == ZMTP_BROKEN) {
        return news;
    }
    if (reader->parts > 0 && (reader->flags & FLAG_COMMAND) == 0) {
        return skip_part(out, reader, at, end);
    }
    news = read_body(&body, reader, at, end);
    if (body == NULL || news == ZMTP_BROKEN) {
        return news;
    }
    reader->head_size = 0;
    if (reader->stage != AT_FRAMES && (reader->flags & FLAG_COMMAND) != 0) {
        return read_command(out, reader, body, (size_t)reader->body);
    }
    out->data = body;
    out->size = (size_t)reader->body;
    out->is_command = (reader->flags & FLAG_COMMAND) != 0;
    return ZMTP_MESSAGE;
}

enum zmtp_news zmtp_read(struct zmtp_item *out, struct zmtp_reader *reader, const uint8_t **at,
                         const uint8_t *end)
{
    enum zmtp_news news = reader->broken != ZMTP_SOUND ? ZMTP_BROKEN : ZMTP_MORE;

    *out = (struct zmtp_item){.data = NULL};
    while (news == ZMTP_MORE && *at < end) {
        news = reader->stage == AT_GREETING ? read_greeting(reader, at, end)
                                            : read_frame(out, reader, at, end);
    }
    return news;
}

/* ---------------------------------------------------------------- writing */

void zmtp_greeting_of(uint8_t out[ZMTP_GREETING], const char *mechanism, bool is_server)
{
    memset(out, 0, ZMTP_GREETING);
    out[0] = 0xff;
    /* RFC 23: the signature is ff, eight bytes, 7f. The eight are a length to peers of older
     * versions. */
    out[9] = 0x7f;
    out[VERSION_AT] = 3;
    /* 3.1, as libzmq writes it; PING and PONG came with it. */
    out[VERSION_AT + 1] = 1;
    memcpy(out + MECHANISM_AT, mechanism, strlen(mechanism));
    out[SERVER_AT] = is_server;
}

void zmtp_greeting(uint8_t out[ZMTP_GREETING])
{
    zmtp_greeting_of(out, "NULL", false);
}

size_t zmtp_property(uint8_t *out, const char *name, const void *value, size_t size)
{
    size_t length = strlen(name);

    assert(length <= 255 && size <= 255);
    out[0] = (uint8_t)length;
    memcpy(out + 1, name, length);
    /* A length of four bytes; no value here has more than 255. */
    memset(out + 1 + length, 0, 3);
    out[1 + length + 3] = (uint8_t)size;
    if (size > 0) {
        memcpy(out + 1 + length + 4, value, size);
    }
    return 1 + length + 4 + size;
}

/* Completes a short command whose `size` bytes after the name are already written. */
static size_t command(uint8_t out[ZMTP_WRITTEN], const char *name, const void *data, size_t size)
{
    size_t length = strlen(name);
    size_t body = 1 + length + size;
    size_t head = zmtp_command_head(out, body);

    assert(head + body <= ZMTP_WRITTEN);
    out[head] = (uint8_t)length;
    memcpy(out + head + 1, name, length);
    if (size > 0) {
        memcpy(out + head + 1 + length, data, size);
    }
    return head + body;
}

size_t zmtp_ready(uint8_t out[ZMTP_WRITTEN], const char *type)
{
    uint8_t data[sizeof socket_type + 4 + ZMTP_SOCKET_TYPE];
    size_t length = strlen(type), size;

    assert(length < ZMTP_SOCKET_TYPE);
    size = zmtp_property(data, socket_type, type, length);
    return command(out, "READY", data, size);
}

size_t zmtp_pong(uint8_t out[ZMTP_WRITTEN], const void *context, size_t size)
{
    assert(size <= ZMTP_CONTEXT);
    return command(out, "PONG", context, size);
}

size_t zmtp_error(uint8_t out[ZMTP_WRITTEN], const char *reason)
{
    uint8_t data[1 + REASON];
    size_t length = strlen(reason);

    length = length > REASON ? REASON : length;
    data[0] = (uint8_t)length;
    memcpy(data + 1, reason, length);
    return command(out, "ERROR", data, 1 + length);
}

size_t zmtp_head(uint8_t out[ZMTP_HEAD], size_t size, bool more)
{
    out[0] = more ? FLAG_MORE : 0;
    if (size <= 255) {
        out[1] = (uint8_t)size;
        return 2;
    }
    out[0] |= FLAG_LONG;
    for (int i = 0; i < 8; i++) {
        out[1 + i] = (uint8_t)((uint64_t)size >> (56 - 8 * i));
    }
    return ZMTP_HEAD;
}

size_t zmtp_command_head(uint8_t out[ZMTP_HEAD], size_t size)
{
    size_t head = zmtp_head(out, size, false);

    out[0] |= FLAG_COMMAND;
    return head;
}
