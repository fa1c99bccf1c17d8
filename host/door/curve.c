/* Both sides share the frames (zmtp.h), the nonces and the traffic; what differs is the handshake,
 * a table of four functions (expected). Crypto is libsodium's crypto_box, which is NaCl's and so
 * CurveZMQ's; nothing here is cryptography of our own.
 *
 * Nonces: RFC 26 wants the short ones to rise within a connection, and a receiver that checks it
 * (curve_has_risen) takes no message twice. Keys are new for each connection (begin_curve), so
 * numbers may begin at 1 again, and a recorded connection cannot be played back. */
#include "curve.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "curve_side.h"

_Static_assert((int)crypto_box_PUBLICKEYBYTES == (int)CURVE_KEY, "size of a public key");
_Static_assert((int)crypto_box_BEFORENMBYTES == (int)CURVE_KEY, "size of a shared key");
_Static_assert((int)crypto_box_MACBYTES == (int)CURVE_MAC, "size of a proof");
_Static_assert((int)crypto_box_NONCEBYTES == (int)CURVE_NONCE, "size of a nonce");

/* In the box of a MESSAGE, before its content. */
enum { FLAG_MORE = 1, FLAG_COMMAND = 2 };

enum {
    NAME = 8, /* of MESSAGE, with the byte of its length */
    NONCE_AT = NAME,
    BOX_AT = NAME + CURVE_SHORT,
    FRAME_MORE = BOX_AT + CURVE_MAC + 1, /* bytes that a frame has more than its message */
    PLAIN_FIRST = 512,
    PLAIN_LASTING = 4096
};

_Static_assert((int)CURVE_OVERHEAD == (int)ZMTP_HEAD + (int)FRAME_MORE, "a sealed message");

/* libzmq puts the command's name into an ordinary message frame, against RFC 26: the flag of a
 * command is not set. It is what all clients send. */
static const char message_name[] = "\7MESSAGE";

/* ------------------------------------------------------------------------ for both sides */

void curve_short_nonce(uint8_t out[CURVE_NONCE], const char *prefix, uint64_t number)
{
    memcpy(out, prefix, CURVE_NONCE - CURVE_SHORT);
    for (int i = 0; i < CURVE_SHORT; i++) {
        out[CURVE_NONCE - 1 - i] = (uint8_t)(number >> 8 * i);
    }
}

void curve_long_nonce(uint8_t out[CURVE_NONCE], const char *prefix, const uint8_t sent[CURVE_LONG])
{
    memcpy(out, prefix, CURVE_NONCE - CURVE_LONG);
    memcpy(out + CURVE_NONCE - CURVE_LONG, sent, CURVE_LONG);
}

uint64_t curve_number(const uint8_t sent[CURVE_SHORT])
{
    uint64_t number = 0;

    for (int i = 0; i < CURVE_SHORT; i++) {
        number = number << 8 | sent[i];
    }
    return number;
}

void curve_next_nonce(uint8_t sent[CURVE_SHORT], uint8_t nonce[CURVE_NONCE], struct curve *curve,
                      const char *prefix)
{
    curve_short_nonce(nonce, prefix, ++curve->sent);
    memcpy(sent, nonce + CURVE_NONCE - CURVE_SHORT, CURVE_SHORT);
}

bool curve_has_risen(struct curve *curve, const uint8_t sent[CURVE_SHORT])
{
    uint64_t number = curve_number(sent);
    bool has_risen = number > curve->seen;

    if (has_risen) {
        curve->seen = number;
    }
    return has_risen;
}

uint8_t *curve_command(struct curve *curve, const char *name, size_t size)
{
    size_t length = strlen(name);
    uint8_t *at = curve->reply + zmtp_command_head(curve->reply, size);

    assert(ZMTP_HEAD + size <= sizeof curve->reply);
    *at = (uint8_t)length;
    memcpy(at + 1, name, length);
    return at + 1 + length;
}

size_t curve_reply_size(const struct curve *curve, const uint8_t *end)
{
    return (size_t)(end - curve->reply);
}

struct curve_step curve_refuse(struct curve *curve, const char *why)
{
    (void)zmtp_refuse(&curve->reader, ZMTP_NO_ZMTP, "%s", why);
    return (struct curve_step){CURVE_BROKEN, 0};
}

static enum curve_news refuse_peer(struct curve *curve, const char *why)
{
    return curve_refuse(curve, why).news;
}

struct curve_step curve_complete(struct curve *curve, size_t reply_size)
{
    /* The short-term secret is needed for the handshake only; what is not there cannot leak
     * (forward secrecy). */
    sodium_memzero(&curve->brief, sizeof curve->brief);
    curve->as_server = NULL;
    curve->as_client = NULL;
    curve->stage = CURVE_AT_TRAFFIC;
    /* During the handshake the largest frame is a command (CURVE_COMMAND): who has proved no key
     * cannot make us hold more. */
    curve->reader.message_max = curve->message_max + FRAME_MORE;
    return (struct curve_step){CURVE_READY, reply_size};
}

/* ------------------------------------------------------------------------ beginning and end */

static void begin_curve(struct curve *curve, size_t message_max)
{
    memset(curve, 0, sizeof *curve);
    /* Frames, not messages: a message of several frames exists inside the boxes only. */
    zmtp_reader_init_frames(&curve->reader, CURVE_COMMAND, "CURVE");
    curve->message_max = message_max;
    crypto_box_keypair(curve->brief.public, curve->brief.secret);
}

void curve_init_server(struct curve *curve, const struct curve_server *server, size_t message_max)
{
    begin_curve(curve, message_max);
    curve->is_server = true;
    curve->as_server = server;
}

bool curve_init_client(struct curve *curve, const struct curve_client *client, size_t message_max)
{
    begin_curve(curve, message_max);
    curve->as_client = client;
    return strlen(client->identity) <= CURVE_IDENTITY &&
           /* Fails for a server's key that is a point of low order, with which the shared key
            * would be known to everybody. */
           crypto_box_beforenm(curve->shared, client->server, curve->brief.secret) == 0;
}

void curve_deinit(struct curve *curve)
{
    zmtp_reader_deinit(&curve->reader);
    free(curve->plain);
    sodium_memzero(curve, sizeof *curve);
}

void curve_greeting(uint8_t out[ZMTP_GREETING], const struct curve *curve)
{
    zmtp_greeting_of(out, curve->reader.mechanism, curve->is_server);
}

bool curve_is_ready(const struct curve *curve)
{
    return curve->stage == CURVE_AT_TRAFFIC && curve->reader.broken == ZMTP_SOUND;
}

/* ------------------------------------------------------------------------ sealing */

static size_t seal(uint8_t *out, struct curve *curve, uint8_t flags, const void *data, size_t size)
{
    size_t head = zmtp_head(out, FRAME_MORE + size, false);
    uint8_t nonce[CURVE_NONCE];
    uint8_t *frame = out + head, *box = frame + BOX_AT;

    assert(curve->stage == CURVE_AT_TRAFFIC);
    memcpy(frame, message_name, NAME);
    curve_next_nonce(frame + NONCE_AT, nonce, curve,
                     curve->is_server ? "CurveZMQMESSAGES" : "CurveZMQMESSAGEC");
    box[CURVE_MAC] = flags;
    if (size > 0) {
        /* Written where it is sealed in place: crypto_box_easy allows message and box to
         * overlap. */
        memcpy(box + CURVE_MAC + 1, data, size);
    }
    (void)crypto_box_easy_afternm(box, box + CURVE_MAC, size + 1, nonce, curve->shared);
    return head + FRAME_MORE + size;
}

size_t curve_seal(uint8_t *out, struct curve *curve, const void *data, size_t size)
{
    return seal(out, curve, 0, data, size);
}

size_t curve_seal_ping(uint8_t out[CURVE_WRITTEN], struct curve *curve, int dead_ms)
{
    enum { TENTH_MS = 100 };
    int tenths = dead_ms / TENTH_MS;
    const uint8_t ping[] = {4, 'P', 'I', 'N', 'G', (uint8_t)(tenths >> 8), (uint8_t)tenths};

    return seal(out, curve, FLAG_COMMAND, ping, sizeof ping);
}

/* ------------------------------------------------------------------------ opening */

/* A large block is freed after use, a small one is kept. */
static bool make_room(struct curve *curve, size_t size)
{
    size_t room = PLAIN_FIRST;

    while (room < size) {
        room *= 2;
    }
    /* So a thousand quiet connections that once got a large message do not hold a thousand large
     * blocks. */
    if (room > curve->plain_room || curve->plain_room > PLAIN_LASTING) {
        free(curve->plain);
        curve->plain = malloc(room);
        curve->plain_room = curve->plain == NULL ? 0 : room;
    }
    return curve->plain != NULL;
}

/* PING: its time, then the context that the PONG returns. */
static enum curve_news take_ping(struct curve_item *out, struct curve *curve, const uint8_t *body,
                                 size_t size)
{
    enum { NAME_AND_TIME = 5 + 2 };
    uint8_t pong[5 + ZMTP_CONTEXT] = {4, 'P', 'O', 'N', 'G'};
    size_t context = size < NAME_AND_TIME ? ZMTP_CONTEXT + 1 : size - NAME_AND_TIME;

    /* RFC 37: a context has at most 16 bytes. */
    if (context > ZMTP_CONTEXT) {
        return refuse_peer(curve, "its PING has a wrong size");
    }
    memcpy(pong + 5, body + NAME_AND_TIME, context);
    out->reply = curve->reply;
    out->reply_size = seal(curve->reply, curve, FLAG_COMMAND, pong, 5 + context);
    return CURVE_PING;
}

/* Other commands than these are for other sockets: as libzmq, nothing is done. */
static enum curve_news take_inner_command(struct curve_item *out, struct curve *curve,
                                          const uint8_t *body, size_t size)
{
    /* A PONG, and what is called so below, is only a sign of life. */
    if (zmtp_is_named(body, size, "PING")) {
        return take_ping(out, curve, body, size);
    }
    return CURVE_PONG;
}

/* A frame of a message of several. */
static enum curve_news take_part(struct curve_item *out, struct curve *curve, size_t size,
                                 bool is_last)
{
    /* Counted, not kept: bgref's messages have one frame, and the caller says so to the author. */
    curve->dropped = (curve->parts == 0 ? 0 : curve->dropped) + size;
    curve->parts++;
    if (curve->parts > ZMTP_PARTS || curve->dropped > curve->message_max) {
        (void)zmtp_refuse(&curve->reader, ZMTP_ENDLESS,
                          "a message of more than %d frames or %zu bytes; one frame is asked for",
                          ZMTP_PARTS, curve->message_max);
        return CURVE_BROKEN;
    }
    if (!is_last) {
        return CURVE_MORE;
    }
    out->parts = curve->parts;
    out->size = curve->dropped;
    curve->parts = 0;
    return CURVE_DROPPED;
}

static enum curve_news take_plain(struct curve_item *out, struct curve *curve, size_t size)
{
    uint8_t flags = curve->plain[0];

    if ((flags & FLAG_COMMAND) != 0) {
        return take_inner_command(out, curve, curve->plain + 1, size - 1);
    }
    if (curve->parts > 0 || (flags & FLAG_MORE) != 0) {
        return take_part(out, curve, size - 1, (flags & FLAG_MORE) == 0);
    }
    out->data = curve->plain + 1;
    out->size = size - 1;
    return CURVE_MESSAGE;
}

/* The number is compared when the box was opened: nobody but the other side can raise it. */
static enum curve_news take_traffic(struct curve_item *out, struct curve *curve,
                                    const struct zmtp_item *frame)
{
    uint8_t nonce[CURVE_NONCE];

    /* One byte of flags is always in the box, so a shorter frame cannot be opened. */
    if (frame->size < FRAME_MORE || memcmp(frame->data, message_name, NAME) != 0) {
        return refuse_peer(curve, "a frame that is not a MESSAGE of CURVE");
    }
    if (!make_room(curve, frame->size)) {
        (void)zmtp_refuse(&curve->reader, ZMTP_MEMORY, "no memory for a message");
        return CURVE_BROKEN;
    }
    curve_short_nonce(nonce, curve->is_server ? "CurveZMQMESSAGEC" : "CurveZMQMESSAGES",
                      curve_number(frame->data + NONCE_AT));
    if (crypto_box_open_easy_afternm(curve->plain, frame->data + BOX_AT, frame->size - BOX_AT,
                                     nonce, curve->shared) != 0) {
        return refuse_peer(curve, "a message that cannot be opened");
    }
    if (!curve_has_risen(curve, frame->data + NONCE_AT)) {
        return refuse_peer(curve, "a message that came before");
    }
    return take_plain(out, curve, frame->size - BOX_AT - CURVE_MAC);
}

/* ------------------------------------------------------------------------ the handshake */

/* The server's reason not to let us in: a length and the text. */
static struct curve_step take_error(struct curve *curve, const uint8_t *body, size_t size)
{
    enum { TEXT_AT = 7 };
    size_t length = size < TEXT_AT ? 0 : body[TEXT_AT - 1];

    if (size < TEXT_AT || length > size - TEXT_AT) {
        return curve_refuse(curve, "its ERROR is cut off");
    }
    curve->is_refused = true;
    snprintf(curve->refusal, sizeof curve->refusal, "%.*s", (int)length,
             (const char *)body + TEXT_AT);
    for (char *at = curve->refusal; *at != '\0'; at++) {
        /* It may come before the server has proved its key: the text is anybody's. */
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    }
    (void)zmtp_refuse(&curve->reader, ZMTP_REFUSED, "it sends ERROR: %.100s", curve->refusal);
    return (struct curve_step){CURVE_BROKEN, 0};
}

/* What each side expects at a stage. */
static const struct {
    const char *name;
    struct curve_step (*take)(struct curve *curve, const uint8_t *body, size_t size);
} expected[2][2] = {
    {{"WELCOME", curve_take_welcome}, {"READY", curve_take_ready}},
    {{"HELLO", curve_take_hello}, {"INITIATE", curve_take_initiate}},
};

static struct curve_step take_handshake(struct curve *curve, const struct zmtp_item *frame)
{
    int second = curve->stage == CURVE_AT_SECOND;

    /* In the handshake commands do have the flag. */
    if (!frame->is_command) {
        return curve_refuse(curve, "a message before its handshake is complete");
    }
    if (zmtp_is_named(frame->data, frame->size, expected[curve->is_server][second].name)) {
        return expected[curve->is_server][second].take(curve, frame->data, frame->size);
    }
    if (!curve->is_server && zmtp_is_named(frame->data, frame->size, "ERROR")) {
        return take_error(curve, frame->data, frame->size);
    }
    return curve_refuse(curve, "a command that is not the next one of a handshake");
}

static struct curve_step take_greeting(struct curve *curve)
{
    if (!curve->is_server) {
        return curve_greeted(curve);
    }
    /* The client speaks first (HELLO); a server waits. */
    curve->stage = CURVE_AT_FIRST;
    return (struct curve_step){CURVE_MORE, 0};
}

static enum curve_news take_frame(struct curve_item *out, struct curve *curve,
                                  const struct zmtp_item *frame, enum zmtp_news what)
{
    struct curve_step step;

    if (curve->stage == CURVE_AT_TRAFFIC) {
        return take_traffic(out, curve, frame);
    }
    step = what == ZMTP_READY ? take_greeting(curve) : take_handshake(curve, frame);
    out->reply = curve->reply;
    out->reply_size = step.reply_size;
    return step.news;
}

enum curve_news curve_read(struct curve_item *out, struct curve *curve, const uint8_t **at,
                           const uint8_t *end)
{
    struct zmtp_item frame;
    enum curve_news news = CURVE_MORE;

    *out = (struct curve_item){.data = NULL};
    while (news == CURVE_MORE) {
        enum zmtp_news what = zmtp_read(&frame, &curve->reader, at, end);

        if (what == ZMTP_MORE || what == ZMTP_BROKEN) {
            return what == ZMTP_MORE ? CURVE_MORE : CURVE_BROKEN;
        }
        news = take_frame(out, curve, &frame, what);
    }
    return news;
}
