/* Both sides share the frames (zmtp.h), the nonces and the traffic; what differs is the handshake,
 * a table of four functions (expected), two for each half of RFC 26. Crypto is libsodium's
 * crypto_box, which is NaCl's and so CurveZMQ's; nothing here is cryptography of our own.
 *
 * Nonces: RFC 26 wants the short ones to rise within a connection, and a receiver that checks it
 * (has_risen) takes no message twice. Keys are new for each connection (begin_curve), so
 * numbers may begin at 1 again, and a recorded connection cannot be played back.
 *
 * The server differs from the RFC's idea in one thing: the cookie is no sealed state that a server
 * without memory reads back. A connection has memory here in any case (its socket), and the doorman
 * has limited how many there are, so the cookie is only a random number (write_welcome). Nothing is
 * decided by the client's word: who it is follows from the key that its vouch proves, and the
 * metadata can only make it unfit.
 *
 * A client knows the server's long-term key before it connects (HOST.bgref), so WELCOME proves the
 * server before the client has said who it is (is_server_proven): nobody on the way learns an
 * author's key. */
#include "curve.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

enum { MAC = 16, NONCE = 24, SHORT = 8 /* the part of a nonce that is sent */, LONG = 16 };

/* Stages of a connection: what is expected next. */
enum { AT_GREETING, AT_FIRST, AT_SECOND, AT_TRAFFIC };

/* Sizes and places in the commands of a handshake. */
enum {
    HELLO = 200,
    HELLO_VERSION_AT = 6,
    HELLO_PADDING = 72,
    HELLO_KEY_AT = 80,
    HELLO_NONCE_AT = 112,
    HELLO_BOX_AT = 120,
    HELLO_BOX = 80,
    WELCOME = 168,
    WELCOME_NONCE_AT = 8,
    WELCOME_BOX_AT = 24,
    WELCOME_BOX = 144,
    INITIATE_NAME = 9,
    INITIATE_COOKIE_AT = 9,
    INITIATE_NONCE_AT = 105,
    INITIATE_BOX_AT = 113,
    VOUCH = 80,
    VOUCHED_AT = CURVE_KEY + LONG, /* in the opened box of INITIATE, as the next one */
    METADATA_AT = VOUCHED_AT + VOUCH,
    READY_NAME = 6,
    READY_NONCE_AT = 6,
    READY_BOX_AT = 14
};

/* What a step of the handshake says: the news, with the reply already in curve->reply. */
struct step {
    enum curve_news news;
    size_t reply_size;
};

_Static_assert((int)crypto_box_PUBLICKEYBYTES == (int)CURVE_KEY, "size of a public key");
_Static_assert((int)crypto_box_BEFORENMBYTES == (int)CURVE_KEY, "size of a shared key");
_Static_assert((int)crypto_box_MACBYTES == (int)MAC, "size of a proof");
_Static_assert((int)crypto_box_NONCEBYTES == (int)NONCE, "size of a nonce");

/* In the box of a MESSAGE, before its content. */
enum { FLAG_MORE = 1, FLAG_COMMAND = 2 };

enum {
    NAME = 8, /* of MESSAGE, with the byte of its length */
    NONCE_AT = NAME,
    BOX_AT = NAME + SHORT,
    FRAME_MORE = BOX_AT + MAC + 1, /* bytes that a frame has more than its message */
    PLAIN_FIRST = 512,
    PLAIN_LASTING = 4096
};

_Static_assert((int)CURVE_OVERHEAD == (int)ZMTP_HEAD + (int)FRAME_MORE, "a sealed message");

/* libzmq puts the command's name into an ordinary message frame, against RFC 26: the flag of a
 * command is not set. It is what all clients send. */
static const char message_name[] = "\7MESSAGE";

/* ------------------------------------------------------------------------ for both sides */

/* Write a nonce: a prefix, and a number or bytes that are sent with it. */
static void short_nonce(uint8_t out[NONCE], const char *prefix, uint64_t number)
{
    memcpy(out, prefix, NONCE - SHORT);
    for (int i = 0; i < SHORT; i++) {
        out[NONCE - 1 - i] = (uint8_t)(number >> 8 * i);
    }
}

static void long_nonce(uint8_t out[NONCE], const char *prefix, const uint8_t sent[LONG])
{
    memcpy(out, prefix, NONCE - LONG);
    memcpy(out + NONCE - LONG, sent, LONG);
}

static uint64_t number_of(const uint8_t sent[SHORT])
{
    uint64_t number = 0;

    for (int i = 0; i < SHORT; i++) {
        number = number << 8 | sent[i];
    }
    return number;
}

/* Writes the next number, which no command had before, and the nonce made of it. */
static void next_nonce(uint8_t sent[SHORT], uint8_t nonce[NONCE], struct curve *curve,
                       const char *prefix)
{
    short_nonce(nonce, prefix, ++curve->sent);
    memcpy(sent, nonce + NONCE - SHORT, SHORT);
}

/* Returns whether this number has risen, and keeps it. Call when its command was opened. */
static bool has_risen(struct curve *curve, const uint8_t sent[SHORT])
{
    uint64_t number = number_of(sent);
    bool has_risen = number > curve->seen;

    if (has_risen) {
        curve->seen = number;
    }
    return has_risen;
}

/* Writes the head and the name of a command whose body has `size` bytes; returns where it goes on.
 */
static uint8_t *begin_command(struct curve *curve, const char *name, size_t size)
{
    size_t length = strlen(name);
    uint8_t *at = curve->reply + zmtp_command_head(curve->reply, size);

    assert(ZMTP_HEAD + size <= sizeof curve->reply);
    *at = (uint8_t)length;
    memcpy(at + 1, name, length);
    return at + 1 + length;
}

/* The bytes of the reply up to here. */
static size_t size_of_reply(const struct curve *curve, const uint8_t *end)
{
    return (size_t)(end - curve->reply);
}

/* Breaks the connection. */
static struct step refuse(struct curve *curve, const char *why)
{
    (void)zmtp_refuse(&curve->reader, ZMTP_NO_ZMTP, "%s", why);
    return (struct step){CURVE_BROKEN, 0};
}

/* The handshake is complete. */
static struct step complete_handshake(struct curve *curve, size_t reply_size)
{
    /* The short-term secret is needed for the handshake only; what is not there cannot leak
     * (forward secrecy). */
    sodium_memzero(&curve->brief, sizeof curve->brief);
    curve->as_server = NULL;
    curve->as_client = NULL;
    curve->stage = AT_TRAFFIC;
    /* During the handshake the largest frame is a command (CURVE_COMMAND): who has proved no key
     * cannot make us hold more. */
    curve->reader.message_max = curve->message_max + FRAME_MORE;
    return (struct step){CURVE_READY, reply_size};
}

static const char socket_type[] = "Socket-Type", identity[] = "Identity";

/* ------------------------------------------------------------------------ the server: HELLO */

/* The server keeps what it knows of a connection, so the cookie has nothing to say: it is a number
 * that only who has opened this WELCOME can send back. */
static struct step write_welcome(struct curve *curve, const uint8_t between[CURVE_KEY])
{
    uint8_t plain[CURVE_KEY + CURVE_COOKIE], nonce[NONCE], sent[LONG];
    uint8_t *at = begin_command(curve, "WELCOME", WELCOME);

    randombytes_buf(curve->brief.cookie, sizeof curve->brief.cookie);
    memcpy(plain, curve->brief.public, CURVE_KEY);
    memcpy(plain + CURVE_KEY, curve->brief.cookie, CURVE_COOKIE);
    randombytes_buf(sent, sizeof sent);
    long_nonce(nonce, "WELCOME-", sent);
    memcpy(at, sent, sizeof sent);
    (void)crypto_box_easy_afternm(at + LONG, plain, sizeof plain, nonce, between);
    sodium_memzero(plain, sizeof plain);
    curve->stage = AT_SECOND;
    return (struct step){CURVE_REPLY, size_of_reply(curve, at + LONG + WELCOME_BOX)};
}

static struct step take_hello(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t zeros[HELLO_BOX - MAC], nonce[NONCE], between[CURVE_KEY];
    struct step step;
    bool opened;

    /* All three are refused without an ERROR: what is no CURVE client would not understand it. */
    if (size != HELLO || body[HELLO_VERSION_AT] != 1 || body[HELLO_VERSION_AT + 1] != 0) {
        return refuse(curve, "its HELLO is not one of CURVE 1.0");
    }
    memcpy(curve->brief.peer, body + HELLO_KEY_AT, CURVE_KEY);
    short_nonce(nonce, "CurveZMQHELLO---", number_of(body + HELLO_NONCE_AT));
    /* The box has zeros only. That it opens shows that the client knows this server's key; a
     * scanner that does not ends here. */
    opened =
        crypto_box_beforenm(between, curve->brief.peer, curve->as_server->secret) == 0 &&
        crypto_box_open_easy_afternm(zeros, body + HELLO_BOX_AT, HELLO_BOX, nonce, between) == 0 &&
        has_risen(curve, body + HELLO_NONCE_AT);
    step = opened ? write_welcome(curve, between)
                  : refuse(curve, "its HELLO is not for this server's key");
    sodium_memzero(between, sizeof between);
    return step;
}

/* ------------------------------------------------------------------------ the server: INITIATE */

/* Whether the client has the secret of the long-term key that it names: the vouch binds that key to
 * this connection's keys and to this server. */
static bool is_vouched(const struct curve *curve, const uint8_t *plain)
{
    uint8_t vouched[VOUCH - MAC], nonce[NONCE];

    long_nonce(nonce, "VOUCH---", plain + CURVE_KEY);
    /* The server's key in the vouch: another host cannot pass on here the vouch that it got */
    return crypto_box_open_easy(vouched, plain + CURVE_KEY + LONG, VOUCH, nonce, plain,
                                curve->brief.secret) == 0 &&
           sodium_memcmp(vouched, curve->brief.peer, CURVE_KEY) == 0 &&
           sodium_memcmp(vouched + CURVE_KEY, curve->as_server->public, CURVE_KEY) == 0;
}

/* Reads the metadata. Returns NULL, or what is wrong with it. */
static const char *read_metadata(struct curve *curve, const uint8_t *at, const uint8_t *end)
{
    static const char *const fits[] = {"DEALER", "REQ", "ROUTER"}; /* our side is a ROUTER */
    struct zmtp_property property;
    bool is_fit = false;

    while (zmtp_property_next(&property, &at, end)) {
        if (zmtp_property_is(&property, identity) && property.value_size <= CURVE_IDENTITY) {
            memcpy(curve->identity, property.value, property.value_size);
            curve->identity_size = property.value_size;
        }
        for (size_t i = 0; zmtp_property_is(&property, socket_type) && i < 3; i++) {
            is_fit = is_fit || (property.value_size == strlen(fits[i]) &&
                                memcmp(property.value, fits[i], property.value_size) == 0);
        }
    }
    /* REQ and ROUTER fit a ROUTER by the RFC, and libzmq lets them in; a bot that uses one fails
     * later by its own means. */
    return at != end ? "its INITIATE is cut off" : !is_fit ? "its socket is not a DEALER" : NULL;
}

static struct step write_ready(struct curve *curve)
{
    uint8_t data[sizeof socket_type + sizeof identity + 2 * 4 + ZMTP_SOCKET_TYPE];
    uint8_t nonce[NONCE];
    /* What libzmq's client asks for: without a Socket-Type that fits it ends the connection. */
    size_t size = zmtp_property(data, socket_type, "ROUTER", strlen("ROUTER"));
    uint8_t *at;

    size += zmtp_property(data + size, identity, "", 0);
    at = begin_command(curve, "READY", READY_NAME + SHORT + MAC + size);
    next_nonce(at, nonce, curve, "CurveZMQREADY---");
    (void)crypto_box_easy_afternm(at + SHORT, data, size, nonce, curve->shared);
    return complete_handshake(curve, size_of_reply(curve, at + SHORT + MAC + size));
}

static struct step write_error(struct curve *curve, const char *reason)
{
    size_t size = zmtp_error(curve->reply, reason);

    (void)refuse(curve, "it is not let in");
    return (struct step){CURVE_BROKEN, size};
}

/* The opened box: the client's key, its vouch, the metadata. */
static struct step take_opened(struct curve *curve, const uint8_t *plain, size_t size)
{
    const char *wrong, *refusal;

    if (!is_vouched(curve, plain)) {
        return refuse(curve, "it does not prove its key");
    }
    wrong = read_metadata(curve, plain + METADATA_AT, plain + size);
    if (wrong != NULL) {
        return refuse(curve, wrong);
    }
    memcpy(curve->peer, plain, CURVE_KEY);
    refusal = curve->as_server->refusal(curve->as_server->user, curve->peer);
    /* Asked only now, behind all proofs: who does not hold the secret of a key learns not even
     * whether the key is known. */
    return refusal == NULL ? write_ready(curve) : write_error(curve, refusal);
}

static struct step take_initiate(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_COMMAND], nonce[NONCE];
    size_t box = size < INITIATE_BOX_AT ? 0 : size - INITIATE_BOX_AT;

    /* Compared in constant time, though the cookie was sealed: the time would tell how many
     * bytes of a guess are right. */
    if (box < MAC + METADATA_AT || box > sizeof plain ||
        sodium_memcmp(body + INITIATE_COOKIE_AT, curve->brief.cookie, CURVE_COOKIE) != 0) {
        return refuse(curve, "its INITIATE has not the cookie of this connection");
    }
    short_nonce(nonce, "CurveZMQINITIATE", number_of(body + INITIATE_NONCE_AT));
    if (crypto_box_beforenm(curve->shared, curve->brief.peer, curve->brief.secret) != 0 ||
        crypto_box_open_easy_afternm(plain, body + INITIATE_BOX_AT, box, nonce, curve->shared) !=
            0 ||
        !has_risen(curve, body + INITIATE_NONCE_AT)) {
        return refuse(curve, "its INITIATE cannot be opened");
    }
    return take_opened(curve, plain, box - MAC);
}

/* ------------------------------------------------------------------------ the client */

static struct step write_hello(struct curve *curve)
{
    static const uint8_t zeros[HELLO_BOX - MAC];
    uint8_t nonce[NONCE];
    uint8_t *at = begin_command(curve, "HELLO", HELLO);

    /* The padding makes HELLO larger than WELCOME: nobody can make a server send more than was
     * sent to it. */
    memset(at, 0, 2 + HELLO_PADDING);
    at[0] = 1; /* CURVE 1.0 */
    at += 2 + HELLO_PADDING;
    memcpy(at, curve->brief.public, CURVE_KEY);
    at += CURVE_KEY;
    next_nonce(at, nonce, curve, "CurveZMQHELLO---");
    at += SHORT;
    /* The key was tried by curve_init_client. */
    (void)crypto_box_easy_afternm(at, zeros, sizeof zeros, nonce, curve->shared);
    curve->stage = AT_FIRST;
    return (struct step){CURVE_REPLY, size_of_reply(curve, at + HELLO_BOX)};
}

/* Writes the client's key and its vouch: that this connection's short-term key, for this server, is
 * its own. Returns false if the server's short-term key is none. */
static bool write_vouch(uint8_t *plain, const struct curve *curve)
{
    uint8_t vouched[2 * CURVE_KEY], nonce[NONCE];

    memcpy(plain, curve->as_client->public, CURVE_KEY);
    memcpy(vouched, curve->brief.public, CURVE_KEY);
    memcpy(vouched + CURVE_KEY, curve->as_client->server, CURVE_KEY);
    /* Sealed by the long-term secret, which seals in other connections too: its nonce is drawn,
     * as a number that counts in this connection could come twice. */
    randombytes_buf(plain + CURVE_KEY, LONG);
    long_nonce(nonce, "VOUCH---", plain + CURVE_KEY);
    return crypto_box_easy(plain + VOUCHED_AT, vouched, sizeof vouched, nonce, curve->brief.peer,
                           curve->as_client->secret) == 0;
}

static struct step write_initiate(struct curve *curve)
{
    uint8_t plain[CURVE_WRITTEN], nonce[NONCE];
    const char *name = curve->as_client->identity;
    size_t size = METADATA_AT;
    uint8_t *at;

    /* From here on the short-term keys of both sides; the first shared key was with the server's
     * long-term one. */
    if (crypto_box_beforenm(curve->shared, curve->brief.peer, curve->brief.secret) != 0 ||
        !write_vouch(plain, curve)) {
        return refuse(curve, "its short-term key is none");
    }
    size += zmtp_property(plain + size, "Socket-Type", "DEALER", strlen("DEALER"));
    size += zmtp_property(plain + size, "Identity", name, strlen(name));
    /* The identity of a socket of libzmq is its routing id; the server reads in it that this is
     * a joiner, and which place and run. */
    at = begin_command(curve, "INITIATE", INITIATE_NAME + CURVE_COOKIE + SHORT + MAC + size);
    memcpy(at, curve->brief.cookie, CURVE_COOKIE);
    at += CURVE_COOKIE;
    next_nonce(at, nonce, curve, "CurveZMQINITIATE");
    at += SHORT;
    (void)crypto_box_easy_afternm(at, plain, size, nonce, curve->shared);
    curve->stage = AT_SECOND;
    return (struct step){CURVE_REPLY, size_of_reply(curve, at + MAC + size)};
}

static struct step take_welcome(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_KEY + CURVE_COOKIE], nonce[NONCE];

    /* Fixed by the RFC; so the box below lies within what came. */
    if (size != WELCOME) {
        return refuse(curve, "its WELCOME has another size");
    }
    long_nonce(nonce, "WELCOME-", body + WELCOME_NONCE_AT);
    if (crypto_box_open_easy_afternm(plain, body + WELCOME_BOX_AT, WELCOME_BOX, nonce,
                                     curve->shared) != 0) {
        return refuse(curve, "it does not prove its key");
    }
    curve->is_server_proven = true;
    memcpy(curve->brief.peer, plain, CURVE_KEY);
    memcpy(curve->brief.cookie, plain + CURVE_KEY, CURVE_COOKIE);
    sodium_memzero(plain, sizeof plain);
    return write_initiate(curve);
}

/* The metadata has nothing that a client needs. */
static struct step take_server_ready(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_COMMAND], nonce[NONCE];

    if (size < READY_BOX_AT + MAC || size > sizeof plain) {
        return refuse(curve, "its READY is cut off");
    }
    short_nonce(nonce, "CurveZMQREADY---", number_of(body + READY_NONCE_AT));
    if (crypto_box_open_easy_afternm(plain, body + READY_BOX_AT, size - READY_BOX_AT, nonce,
                                     curve->shared) != 0 ||
        !has_risen(curve, body + READY_NONCE_AT)) {
        return refuse(curve, "its READY cannot be opened");
    }
    return complete_handshake(curve, 0);
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
    return curve->stage == AT_TRAFFIC && curve->reader.broken == ZMTP_SOUND;
}

/* ------------------------------------------------------------------------ sealing */

static size_t seal(uint8_t *out, struct curve *curve, uint8_t flags, const void *data, size_t size)
{
    size_t head = zmtp_head(out, FRAME_MORE + size, false);
    uint8_t nonce[NONCE];
    uint8_t *frame = out + head, *box = frame + BOX_AT;

    assert(curve->stage == AT_TRAFFIC);
    memcpy(frame, message_name, NAME);
    next_nonce(frame + NONCE_AT, nonce, curve,
               curve->is_server ? "CurveZMQMESSAGES" : "CurveZMQMESSAGEC");
    box[MAC] = flags;
    if (size > 0) {
        /* Written where it is sealed in place: crypto_box_easy allows message and box to
         * overlap. */
        memcpy(box + MAC + 1, data, size);
    }
    (void)crypto_box_easy_afternm(box, box + MAC, size + 1, nonce, curve->shared);
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
        return refuse(curve, "its PING has a wrong size").news;
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
    uint8_t nonce[NONCE];

    /* One byte of flags is always in the box, so a shorter frame cannot be opened. */
    if (frame->size < FRAME_MORE || memcmp(frame->data, message_name, NAME) != 0) {
        return refuse(curve, "a frame that is not a MESSAGE of CURVE").news;
    }
    if (!make_room(curve, frame->size)) {
        (void)zmtp_refuse(&curve->reader, ZMTP_MEMORY, "no memory for a message");
        return CURVE_BROKEN;
    }
    short_nonce(nonce, curve->is_server ? "CurveZMQMESSAGEC" : "CurveZMQMESSAGES",
                number_of(frame->data + NONCE_AT));
    if (crypto_box_open_easy_afternm(curve->plain, frame->data + BOX_AT, frame->size - BOX_AT,
                                     nonce, curve->shared) != 0) {
        return refuse(curve, "a message that cannot be opened").news;
    }
    if (!has_risen(curve, frame->data + NONCE_AT)) {
        return refuse(curve, "a message that came before").news;
    }
    return take_plain(out, curve, frame->size - BOX_AT - MAC);
}

/* ------------------------------------------------------------------------ the handshake */

/* The server's reason not to let us in: a length and the text. */
static struct step take_error(struct curve *curve, const uint8_t *body, size_t size)
{
    enum { TEXT_AT = 7 };
    size_t length = size < TEXT_AT ? 0 : body[TEXT_AT - 1];

    if (size < TEXT_AT || length > size - TEXT_AT) {
        return refuse(curve, "its ERROR is cut off");
    }
    curve->is_refused = true;
    snprintf(curve->refusal, sizeof curve->refusal, "%.*s", (int)length,
             (const char *)body + TEXT_AT);
    for (char *at = curve->refusal; *at != '\0'; at++) {
        /* It may come before the server has proved its key: the text is anybody's. */
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    }
    (void)zmtp_refuse(&curve->reader, ZMTP_REFUSED, "it sends ERROR: %.100s", curve->refusal);
    return (struct step){CURVE_BROKEN, 0};
}

/* What each side expects at a stage. */
static const struct {
    const char *name;
    struct step (*take)(struct curve *curve, const uint8_t *body, size_t size);
} expected[2][2] = {
    {{"WELCOME", take_welcome}, {"READY", take_server_ready}},
    {{"HELLO", take_hello}, {"INITIATE", take_initiate}},
};

static struct step take_handshake(struct curve *curve, const struct zmtp_item *frame)
{
    int second = curve->stage == AT_SECOND;

    /* In the handshake commands do have the flag. */
    if (!frame->is_command) {
        return refuse(curve, "a message before its handshake is complete");
    }
    if (zmtp_is_named(frame->data, frame->size, expected[curve->is_server][second].name)) {
        return expected[curve->is_server][second].take(curve, frame->data, frame->size);
    }
    if (!curve->is_server && zmtp_is_named(frame->data, frame->size, "ERROR")) {
        return take_error(curve, frame->data, frame->size);
    }
    return refuse(curve, "a command that is not the next one of a handshake");
}

static struct step take_greeting(struct curve *curve)
{
    if (!curve->is_server) {
        return write_hello(curve);
    }
    /* The client speaks first (HELLO); a server waits. */
    curve->stage = AT_FIRST;
    return (struct step){CURVE_MORE, 0};
}

static enum curve_news take_frame(struct curve_item *out, struct curve *curve,
                                  const struct zmtp_item *frame, enum zmtp_news what)
{
    struct step step;

    if (curve->stage == AT_TRAFFIC) {
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
