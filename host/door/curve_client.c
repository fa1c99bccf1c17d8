/* The client's half of RFC 26: HELLO, then INITIATE, each an answer to what the server sent. A
 * client knows the server's long-term key before it connects (HOST.bgref), so WELCOME proves the
 * server before the client has said who it is (is_server_proven): nobody on the way learns an
 * author's key. */
#include "curve_side.h"

#include <string.h>

#include <sodium.h>

enum {
    HELLO = 200,
    HELLO_PADDING = 72,
    HELLO_ZEROS = 64,
    WELCOME = 168,
    WELCOME_NONCE_AT = 8,
    WELCOME_BOX_AT = 24,
    WELCOME_BOX = 144,
    INITIATE_NAME = 9,
    VOUCH = 80,
    VOUCHED_AT = CURVE_KEY + CURVE_LONG, /* in the box of INITIATE */
    METADATA_AT = VOUCHED_AT + VOUCH,
    READY_NONCE_AT = 6,
    READY_BOX_AT = 14
};

struct curve_step curve_greeted(struct curve *curve)
{
    static const uint8_t zeros[HELLO_ZEROS];
    uint8_t nonce[CURVE_NONCE];
    uint8_t *at = curve_command(curve, "HELLO", HELLO);

    /* The padding makes HELLO larger than WELCOME: nobody can make a server send more than was
     * sent to it. */
    memset(at, 0, 2 + HELLO_PADDING);
    at[0] = 1; /* CURVE 1.0 */
    at += 2 + HELLO_PADDING;
    memcpy(at, curve->brief.public, CURVE_KEY);
    at += CURVE_KEY;
    curve_next_nonce(at, nonce, curve, "CurveZMQHELLO---");
    at += CURVE_SHORT;
    /* The key was tried by curve_init_client. */
    (void)crypto_box_easy_afternm(at, zeros, sizeof zeros, nonce, curve->shared);
    curve->stage = CURVE_AT_FIRST;
    return (struct curve_step){CURVE_REPLY, curve_reply_size(curve, at + CURVE_MAC + HELLO_ZEROS)};
}

/* Writes the client's key and its vouch: that this connection's short-term key, for this server, is
 * its own. Returns false if the server's short-term key is none. */
static bool write_vouch(uint8_t *plain, const struct curve *curve)
{
    uint8_t vouched[2 * CURVE_KEY], nonce[CURVE_NONCE];

    memcpy(plain, curve->as_client->public, CURVE_KEY);
    memcpy(vouched, curve->brief.public, CURVE_KEY);
    memcpy(vouched + CURVE_KEY, curve->as_client->server, CURVE_KEY);
    /* Sealed by the long-term secret, which seals in other connections too: its nonce is drawn,
     * as a number that counts in this connection could come twice. */
    randombytes_buf(plain + CURVE_KEY, CURVE_LONG);
    curve_long_nonce(nonce, "VOUCH---", plain + CURVE_KEY);
    return crypto_box_easy(plain + VOUCHED_AT, vouched, sizeof vouched, nonce, curve->brief.peer,
                           curve->as_client->secret) == 0;
}

static struct curve_step write_initiate(struct curve *curve)
{
    uint8_t plain[CURVE_WRITTEN], nonce[CURVE_NONCE];
    const char *name = curve->as_client->identity;
    size_t size = METADATA_AT;
    uint8_t *at;

    /* From here on the short-term keys of both sides; the first shared key was with the server's
     * long-term one. */
    if (crypto_box_beforenm(curve->shared, curve->brief.peer, curve->brief.secret) != 0 ||
        !write_vouch(plain, curve)) {
        return curve_refuse(curve, "its short-term key is none");
    }
    size += zmtp_property(plain + size, "Socket-Type", "DEALER", strlen("DEALER"));
    size += zmtp_property(plain + size, "Identity", name, strlen(name));
    /* The identity of a socket of libzmq is its routing id; the server reads in it that this is
     * a joiner, and which place and run. */
    at = curve_command(curve, "INITIATE",
                       INITIATE_NAME + CURVE_COOKIE + CURVE_SHORT + CURVE_MAC + size);
    memcpy(at, curve->brief.cookie, CURVE_COOKIE);
    at += CURVE_COOKIE;
    curve_next_nonce(at, nonce, curve, "CurveZMQINITIATE");
    at += CURVE_SHORT;
    (void)crypto_box_easy_afternm(at, plain, size, nonce, curve->shared);
    curve->stage = CURVE_AT_SECOND;
    return (struct curve_step){CURVE_REPLY, curve_reply_size(curve, at + CURVE_MAC + size)};
}

struct curve_step curve_take_welcome(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_KEY + CURVE_COOKIE], nonce[CURVE_NONCE];

    /* Fixed by the RFC; so the box below lies within what came. */
    if (size != WELCOME) {
        return curve_refuse(curve, "its WELCOME has another size");
    }
    curve_long_nonce(nonce, "WELCOME-", body + WELCOME_NONCE_AT);
    if (crypto_box_open_easy_afternm(plain, body + WELCOME_BOX_AT, WELCOME_BOX, nonce,
                                     curve->shared) != 0) {
        return curve_refuse(curve, "it does not prove its key");
    }
    curve->is_server_proven = true;
    memcpy(curve->brief.peer, plain, CURVE_KEY);
    memcpy(curve->brief.cookie, plain + CURVE_KEY, CURVE_COOKIE);
    sodium_memzero(plain, sizeof plain);
    return write_initiate(curve);
}

/* The metadata has nothing that a client needs. */
struct curve_step curve_take_ready(struct curve *curve, const uint8_t *body, size_t size)
{
    uint8_t plain[CURVE_COMMAND], nonce[CURVE_NONCE];

    if (size < READY_BOX_AT + CURVE_MAC || size > sizeof plain) {
        return curve_refuse(curve, "its READY is cut off");
    }
    curve_short_nonce(nonce, "CurveZMQREADY---", curve_number(body + READY_NONCE_AT));
    if (crypto_box_open_easy_afternm(plain, body + READY_BOX_AT, size - READY_BOX_AT, nonce,
                                     curve->shared) != 0 ||
        !curve_has_risen(curve, body + READY_NONCE_AT)) {
        return curve_refuse(curve, "its READY cannot be opened");
    }
    return curve_complete(curve, 0);
}
