/* The server's half of RFC 26. It differs from the RFC's idea in one thing: the cookie is no sealed
 * state that a server without memory reads back. A connection has memory here in any case (its
 * socket), and the doorman has limited how many there are, so the cookie is only a random number
 * (write_welcome).
 *
 * Nothing is decided by the client's word: who it is follows from the key that its vouch proves,
 * and the metadata can only make it unfit. */
#include "curve_side.h"

#include <string.h>

#include <sodium.h>

enum {
    HELLO = 200,
    HELLO_VERSION_AT = 6,
    HELLO_KEY_AT = 80,
    HELLO_NONCE_AT = 112,
    HELLO_BOX_AT = 120,
    HELLO_BOX = 80,
    WELCOME = 168,
    WELCOME_BOX = 144,
    INITIATE_COOKIE_AT = 9,
    INITIATE_NONCE_AT = 105,
    INITIATE_BOX_AT = 113,
    VOUCH = 80,
    METADATA_AT = CURVE_KEY + CURVE_LONG + VOUCH, /* in the opened box of INITIATE */
    READY_NAME = 6
};

static const char socket_type[] = "Socket-Type", identity[] = "Identity";

/* ------------------------------------------------------------------------ HELLO */

/* The server keeps what it knows of a connection, so the cookie has nothing to say: it is a number
 * that only who has opened this WELCOME can send back. */
static struct curve_step write_welcome(struct curve *curve, const uint8_t between[CURVE_KEY])
{
    uint8_t plain[CURVE_KEY + CURVE_COOKIE], nonce[CURVE_NONCE], sent[CURVE_LONG];
    uint8_t *at = curve_command(curve, "WELCOME", WELCOME);

    randombytes_buf(curve->brief.cookie, sizeof curve->brief.cookie);
    memcpy(plain, curve->brief.public, CURVE_KEY);
    memcpy(plain + CURVE_KEY, curve->brief.cookie, CURVE_COOKIE);
    randombytes_buf(sent, sizeof sent);
    curve_long_nonce(nonce, "WELCOME-", sent);
    memcpy(at, sent, sizeof sent);
    (void)crypto_box_easy_afternm(at + CURVE_LONG, plain, sizeof plain, nonce, between);
    sodium_memzero(plain, sizeof plain);
    curve->stage = CURVE_AT_SECOND;
    return (struct curve_step){CURVE_REPLY, curve_reply_size(curve, at + CURVE_LONG + WELCOME_BOX)};
}

struct curve_step curve_take_hello(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t zeros[HELLO_BOX - CURVE_MAC], nonce[CURVE_NONCE], between[CURVE_KEY];
    struct curve_step step;
    bool opened;

    /* All three are refused without an ERROR: what is no CURVE client would not understand it. */
    if (size != HELLO || body[HELLO_VERSION_AT] != 1 || body[HELLO_VERSION_AT + 1] != 0) {
        return curve_refuse(curve, "its HELLO is not one of CURVE 1.0");
    }
    memcpy(curve->brief.peer, body + HELLO_KEY_AT, CURVE_KEY);
    curve_short_nonce(nonce, "CurveZMQHELLO---", curve_number(body + HELLO_NONCE_AT));
    /* The box has zeros only. That it opens shows that the client knows this server's key; a
     * scanner that does not ends here. */
    opened =
        crypto_box_beforenm(between, curve->brief.peer, curve->as_server->secret) == 0 &&
        crypto_box_open_easy_afternm(zeros, body + HELLO_BOX_AT, HELLO_BOX, nonce, between) == 0 &&
        curve_has_risen(curve, body + HELLO_NONCE_AT);
    step = opened ? write_welcome(curve, between)
                  : curve_refuse(curve, "its HELLO is not for this server's key");
    sodium_memzero(between, sizeof between);
    return step;
}

/* ------------------------------------------------------------------------ INITIATE */

/* Whether the client has the secret of the long-term key that it names: the vouch binds that key to
 * this connection's keys and to this server. */
static bool is_vouched(const struct curve *curve, const uint8_t *plain)
{
    uint8_t vouched[VOUCH - CURVE_MAC], nonce[CURVE_NONCE];

    curve_long_nonce(nonce, "VOUCH---", plain + CURVE_KEY);
    /* The server's key in the vouch: another host cannot pass on here the vouch that it got */
    return crypto_box_open_easy(vouched, plain + CURVE_KEY + CURVE_LONG, VOUCH, nonce, plain,
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

static struct curve_step write_ready(struct curve *curve)
{
    uint8_t data[sizeof socket_type + sizeof identity + 2 * 4 + ZMTP_SOCKET_TYPE];
    uint8_t nonce[CURVE_NONCE];
    /* What libzmq's client asks for: without a Socket-Type that fits it ends the connection. */
    size_t size = zmtp_property(data, socket_type, "ROUTER", strlen("ROUTER"));
    uint8_t *at;

    size += zmtp_property(data + size, identity, "", 0);
    at = curve_command(curve, "READY", READY_NAME + CURVE_SHORT + CURVE_MAC + size);
    curve_next_nonce(at, nonce, curve, "CurveZMQREADY---");
    (void)crypto_box_easy_afternm(at + CURVE_SHORT, data, size, nonce, curve->shared);
    return curve_complete(curve, curve_reply_size(curve, at + CURVE_SHORT + CURVE_MAC + size));
}

static struct curve_step write_error(struct curve *curve, const char *reason)
{
    size_t size = zmtp_error(curve->reply, reason);

    (void)curve_refuse(curve, "it is not let in");
    return (struct curve_step){CURVE_BROKEN, size};
}

/* The opened box: the client's key, its vouch, the metadata. */
static struct curve_step take_opened(struct curve *curve, const uint8_t *plain, size_t size)
{
    const char *wrong, *refusal;

    if (!is_vouched(curve, plain)) {
        return curve_refuse(curve, "it does not prove its key");
    }
    wrong = read_metadata(curve, plain + METADATA_AT, plain + size);
    if (wrong != NULL) {
        return curve_refuse(curve, wrong);
    }
    memcpy(curve->peer, plain, CURVE_KEY);
    refusal = curve->as_server->refusal(curve->as_server->user, curve->peer);
    /* Asked only now, behind all proofs: who does not hold the secret of a key learns not even
     * whether the key is known. */
    return refusal == NULL ? write_ready(curve) : write_error(curve, refusal);
}

struct curve_step curve_take_initiate(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_COMMAND], nonce[CURVE_NONCE];
    size_t box = size < INITIATE_BOX_AT ? 0 : size - INITIATE_BOX_AT;

    /* Compared in constant time, though the cookie was sealed: the time would tell how many
     * bytes of a guess are right. */
    if (box < CURVE_MAC + METADATA_AT || box > sizeof plain ||
        sodium_memcmp(body + INITIATE_COOKIE_AT, curve->brief.cookie, CURVE_COOKIE) != 0) {
        return curve_refuse(curve, "its INITIATE has not the cookie of this connection");
    }
    curve_short_nonce(nonce, "CurveZMQINITIATE", curve_number(body + INITIATE_NONCE_AT));
    if (crypto_box_beforenm(curve->shared, curve->brief.peer, curve->brief.secret) != 0 ||
        crypto_box_open_easy_afternm(plain, body + INITIATE_BOX_AT, box, nonce, curve->shared) !=
            0 ||
        !curve_has_risen(curve, body + INITIATE_NONCE_AT)) {
        return curve_refuse(curve, "its INITIATE cannot be opened");
    }
    return take_opened(curve, plain, box - CURVE_MAC);
}
