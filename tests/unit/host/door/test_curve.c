/* CURVE without libzmq: both of our sides together, and everything that a dishonest peer can send.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "door/curve.h"
#include "support/suite.h"

enum { MESSAGE_MAX = 2000, STREAM = 1 << 17 };

/* What one side has sent, and the other not yet read. */
struct stream {
    uint8_t bytes[STREAM];
    size_t size;
};

static struct stream to_server, to_client;
static uint8_t server_public[CURVE_KEY], server_secret[CURVE_KEY];
static uint8_t client_public[CURVE_KEY], client_secret[CURVE_KEY];
static const char *reason; /* of the server for refusing; NULL: it lets all in */
static int asked;
static struct curve server, client;
static struct curve_item item;

static void put(struct stream *stream, const void *data, size_t size)
{
    ck_assert_uint_le(stream->size + size, STREAM);
    if (size > 0) {
        memcpy(stream->bytes + stream->size, data, size);
        stream->size += size;
    }
}

static const char *refusal(void *user, const uint8_t key[CURVE_KEY])
{
    ck_assert_mem_eq(key, client_public, CURVE_KEY);
    asked++;
    return reason;
}

static const struct curve_server as_server = {
    .public = server_public, .secret = server_secret, .refusal = refusal};
static const struct curve_client as_client = {.server = server_public,
                                              .public = client_public,
                                              .secret = client_secret,
                                              .identity = "bgref-join-0-abc"};

static void greet(struct stream *stream, const struct curve *curve)
{
    uint8_t greeting[ZMTP_GREETING];

    curve_greeting(greeting, curve);
    put(stream, greeting, sizeof greeting);
}

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    crypto_box_keypair(server_public, server_secret);
    crypto_box_keypair(client_public, client_secret);
    to_server.size = to_client.size = 0;
    reason = NULL;
    asked = 0;
    curve_init_server(&server, &as_server, MESSAGE_MAX);
    ck_assert(curve_init_client(&client, &as_client, MESSAGE_MAX));
    greet(&to_server, &client);
    greet(&to_client, &server);
}

static void tear_down(void)
{
    curve_deinit(&server);
    curve_deinit(&client);
}

/* Reads what has come until the first news that is not a step of the handshake. */
static enum curve_news read_from(struct curve *curve, struct stream *in, struct stream *out)
{
    const uint8_t *at = in->bytes;
    enum curve_news news;

    do {
        news = curve_read(&item, curve, &at, in->bytes + in->size);
        put(out, item.reply, item.reply_size);
    } while (news == CURVE_REPLY);
    in->size -= (size_t)(at - in->bytes);
    memmove(in->bytes, at, in->size);
    return news;
}

static enum curve_news at_server(void)
{
    return read_from(&server, &to_server, &to_client);
}

static enum curve_news at_client(void)
{
    return read_from(&client, &to_client, &to_server);
}

static void shake_hands(void)
{
    ck_assert_int_eq(at_client(), CURVE_MORE); /* HELLO */
    ck_assert_int_eq(at_server(), CURVE_MORE); /* WELCOME */
    ck_assert_int_eq(at_client(), CURVE_MORE); /* INITIATE */
    ck_assert_int_eq(at_server(), CURVE_READY);
    ck_assert_int_eq(at_client(), CURVE_READY);
    ck_assert_int_eq(at_server(), CURVE_MORE);
    ck_assert_int_eq(at_client(), CURVE_MORE);
}

static size_t seal(struct stream *stream, struct curve *curve, const void *data, size_t size)
{
    uint8_t frame[MESSAGE_MAX * 2 + CURVE_OVERHEAD];
    size_t sealed = curve_seal(frame, curve, data, size);

    ck_assert_uint_le(sealed, size + CURVE_OVERHEAD);
    put(stream, frame, sealed);
    return sealed;
}

TEST(both_sides_agree_and_exchange_messages)
{
    static const size_t sizes[] = {0, 1, 5, 222, 223, 300, MESSAGE_MAX};
    uint8_t text[MESSAGE_MAX];

    shake_hands();
    ck_assert_mem_eq(server.peer, client_public, CURVE_KEY);
    ck_assert_uint_eq(server.identity_size, strlen(as_client.identity));
    ck_assert_mem_eq(server.identity, as_client.identity, server.identity_size);
    ck_assert_int_eq(asked, 1);
    ck_assert(client.is_server_proven);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        randombytes_buf(text, sizeof text);
        seal(&to_server, &client, text, sizes[i]);
        seal(&to_client, &server, text, sizes[i]);
        ck_assert_int_eq(at_server(), CURVE_MESSAGE);
        ck_assert_uint_eq(item.size, sizes[i]);
        ck_assert_mem_eq(item.data, text, sizes[i]);
        ck_assert_int_eq(at_client(), CURVE_MESSAGE);
        ck_assert_uint_eq(item.size, sizes[i]);
        ck_assert_mem_eq(item.data, text, sizes[i]);
    }
}

TEST(what_the_handshake_used_is_wiped)
{
    static const uint8_t zeros[sizeof server.brief];

    shake_hands();
    ck_assert_mem_eq(&server.brief, zeros, sizeof zeros);
    ck_assert_mem_eq(&client.brief, zeros, sizeof zeros);
    ck_assert_ptr_null(server.as_server);
}

TEST(a_ping_is_answered_whatever_side_sends_it)
{
    uint8_t frame[CURVE_WRITTEN];

    shake_hands();
    put(&to_server, frame, curve_seal_ping(frame, &client, 15000));
    ck_assert_int_eq(at_server(), CURVE_PING);
    ck_assert_int_eq(at_client(), CURVE_PONG);
    put(&to_client, frame, curve_seal_ping(frame, &server, 15000));
    ck_assert_int_eq(at_client(), CURVE_PING);
    ck_assert_int_eq(at_server(), CURVE_PONG);
    ck_assert_int_eq(at_client(), CURVE_MORE);
}

/* The reasons: libzmq's for an unknown key, and words. */
static const char *const reasons[] = {CURVE_UNKNOWN_KEY, "too many handshakes of this key"};

TEST_LOOP(a_key_that_is_not_let_in_is_told_why, 0, 2)
{
    reason = reasons[_i];
    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_MORE);
    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(at_client(), CURVE_BROKEN);
    ck_assert(client.is_refused && client.is_server_proven);
    ck_assert_str_eq(client.refusal, reason);
    ck_assert_int_eq(client.reader.broken, ZMTP_REFUSED);
    ck_assert(!curve_is_ready(&server));
    to_client.size = 0;
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_uint_eq(to_client.size, 0);
}

TEST(a_server_with_another_key_is_not_proven)
{
    uint8_t other[CURVE_KEY];
    struct curve_server thief = as_server;

    randombytes_buf(other, sizeof other);
    thief.secret = other;
    curve_deinit(&server);
    curve_init_server(&server, &thief, MESSAGE_MAX);
    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_uint_eq(to_client.size, 0);
    ck_assert(!client.is_server_proven);
    ck_assert_int_eq(asked, 0);
}

/* Whoever is in the place of the host cannot make a WELCOME or a READY: each byte of a genuine one
 * is changed in turn. */
TEST_LOOP(a_changed_answer_of_the_server_ends_the_client, 0, 2)
{
    bool is_ready = _i == 1; /* READY, else WELCOME */

    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_MORE);
    if (is_ready) {
        ck_assert_int_eq(at_client(), CURVE_MORE);
        ck_assert_int_eq(at_server(), CURVE_READY);
    }
    for (size_t at = is_ready ? 0 : ZMTP_GREETING; at < to_client.size; at++) {
        struct stream kept = to_client;
        struct curve fresh = client;
        struct stream sent = {.size = 0};

        fresh.reader.kept = NULL;
        kept.bytes[at] ^= 0x10;
        put(&kept, (uint8_t[CURVE_COMMAND]){0}, CURVE_COMMAND);
        ck_assert_msg(read_from(&fresh, &kept, &sent) == CURVE_BROKEN, "byte %zu", at);
        ck_assert_uint_eq(sent.size, 0);
        ck_assert(fresh.is_server_proven == is_ready);
        curve_deinit(&fresh);
    }
}

/* Vouches that prove nothing: for a key of which the client has not the secret, for another
 * connection, for another server. */
TEST_LOOP(a_vouch_for_something_else_proves_no_key, 0, 4)
{
    uint8_t other[CURVE_KEY];
    struct curve_client thief = as_client;

    randombytes_buf(other, sizeof other);
    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_MORE);
    if (_i == 0) {
        thief.secret = other;
    } else if (_i == 1) {
        memcpy(client.brief.public, other, sizeof other);
    } else if (_i == 2) {
        thief.server = other;
    }
    client.as_client = &thief;
    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), _i < 3 ? CURVE_BROKEN : CURVE_READY);
    ck_assert_int_eq(asked, _i < 3 ? 0 : 1);
}

TEST(a_key_that_is_a_point_of_small_order_is_refused)
{
    static const uint8_t zeros[CURVE_KEY];
    struct curve_client wrong = as_client;

    wrong.server = zeros;
    curve_deinit(&client);
    ck_assert(!curve_init_client(&client, &wrong, MESSAGE_MAX));
}

/* Records what the client sends in a whole session. */
static struct stream recorded;

static void note(size_t *known)
{
    put(&recorded, to_server.bytes + *known, to_server.size - *known);
    *known = 0;
}

static void record_session(void)
{
    size_t known = 0;

    recorded.size = 0;
    note(&known); /* the greeting */
    known = to_server.size;
    ck_assert_int_eq(at_client(), CURVE_MORE);
    note(&known); /* HELLO */
    ck_assert_int_eq(at_server(), CURVE_MORE);
    ck_assert_int_eq(at_client(), CURVE_MORE);
    note(&known); /* INITIATE */
    ck_assert_int_eq(at_server(), CURVE_READY);
    ck_assert_int_eq(at_client(), CURVE_READY);
    seal(&recorded, &client, "hello", 5);
}

TEST(a_recorded_session_sent_again_ends_at_its_cookie)
{
    record_session();
    curve_deinit(&server);
    curve_init_server(&server, &as_server, MESSAGE_MAX);
    asked = 0;
    to_client.size = 0;
    put(&to_server, recorded.bytes, recorded.size);
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_ptr_nonnull(strstr(server.reader.why, "cookie"));
    ck_assert_int_eq(asked, 0);
    ck_assert_uint_lt(to_client.size, 200); /* a WELCOME */
}

TEST_LOOP(a_message_sent_again_or_out_of_order_ends_the_connection, 0, 2)
{
    size_t first, second;
    uint8_t both[2 * (MESSAGE_MAX + CURVE_OVERHEAD)];

    shake_hands();
    first = seal(&to_server, &client, "first", 5);
    second = seal(&to_server, &client, "second", 6);
    memcpy(both, to_server.bytes, first + second);
    to_server.size = 0;
    if (_i == 0) { /* again */
        put(&to_server, both, first);
        put(&to_server, both, first);
    } else { /* the other way round */
        put(&to_server, both + first, second);
        put(&to_server, both, first);
    }
    ck_assert_int_eq(at_server(), CURVE_MESSAGE);
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_ptr_nonnull(strstr(server.reader.why, "came before"));
}

/* Each byte of a frame is changed in turn, one bit of it. */
TEST_LOOP(a_changed_message_is_never_read, 0, 5 + CURVE_OVERHEAD)
{
    size_t size;

    shake_hands();
    size = seal(&to_server, &client, "hello", 5);
    if ((size_t)_i >= size) {
        return;
    }
    to_server.bytes[_i] ^= 1;
    put(&to_server, (uint8_t[MESSAGE_MAX]){0}, MESSAGE_MAX); /* a longer frame is complete, too */
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
}

/* A message of one direction is not one of the other. */
TEST(a_message_cannot_be_sent_back)
{
    shake_hands();
    seal(&to_client, &client, "hello", 5);
    ck_assert_int_eq(at_client(), CURVE_BROKEN);
}

/* Each byte of each of the client's handshake commands is changed in turn. */
TEST_LOOP(a_changed_handshake_is_never_completed, 0, 3)
{
    ck_assert_int_eq(at_client(), CURVE_MORE);
    if (_i < 2) { /* the greeting's version may differ, its padding be anything */
        to_server.bytes[_i == 0 ? 0 : 12] ^= 1;
        ck_assert_int_eq(at_server(), CURVE_BROKEN);
        return;
    }
    for (size_t at = ZMTP_GREETING; at < to_server.size; at++) {
        struct stream kept = to_server;
        struct curve fresh;

        kept.bytes[at] ^= 1;
        put(&kept, (uint8_t[CURVE_COMMAND]){0}, CURVE_COMMAND);
        curve_init_server(&fresh, &as_server, MESSAGE_MAX);
        to_client.size = 0;
        /* the version, key, nonce and box are proved by the box; the padding is not */
        if (at < ZMTP_GREETING + 2 + 8 || at >= ZMTP_GREETING + 2 + 80) {
            ck_assert_int_eq(read_from(&fresh, &kept, &to_client), CURVE_BROKEN);
            ck_assert_uint_eq(to_client.size, 0);
        }
        curve_deinit(&fresh);
    }
}

TEST(a_changed_initiate_is_refused)
{
    struct stream kept;

    ck_assert_int_eq(at_client(), CURVE_MORE);
    ck_assert_int_eq(at_server(), CURVE_MORE);
    ck_assert_int_eq(at_client(), CURVE_MORE);
    kept = to_server;
    for (size_t at = 0; at < kept.size; at++) {
        struct curve fresh = server;

        fresh.reader.kept = NULL;
        to_server = kept;
        to_server.bytes[at] ^= 0x10;
        put(&to_server, (uint8_t[CURVE_COMMAND]){0}, CURVE_COMMAND);
        ck_assert_int_eq(read_from(&fresh, &to_server, &to_client), CURVE_BROKEN);
        curve_deinit(&fresh);
    }
    ck_assert_int_eq(asked, 0);
}

static const uint8_t long_command[9] = {6, 0, 0, 0, 0, 0, 0, 4, 1};
static const uint8_t long_message[9] = {2, 0, 0, 0, 0, 0, 0, 8, 0};

TEST_LOOP(an_oversized_command_or_message_is_refused_by_its_head, 0, 2)
{
    at_client();
    if (_i == 0) {
        to_server.size = ZMTP_GREETING;
        put(&to_server, long_command, sizeof long_command);
    } else {
        ck_assert_int_eq(at_server(), CURVE_MORE);
        at_client();
        ck_assert_int_eq(at_server(), CURVE_READY);
        put(&to_server, long_message, sizeof long_message);
    }
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_int_eq(server.reader.broken, ZMTP_OVERSIZED);
    ck_assert_uint_le(server.reader.kept_room, CURVE_COMMAND);
}

/* Seals a frame of a message of several: our side never writes one. */
static void seal_part(bool more, size_t size)
{
    static const char prefix[] = "CurveZMQMESSAGEC";
    uint8_t frame[MESSAGE_MAX + CURVE_OVERHEAD] = {0}, nonce[crypto_box_NONCEBYTES] = {0};
    uint8_t plain[MESSAGE_MAX + 1] = {more};
    size_t head = zmtp_head(frame, 33 + size, false);

    client.sent++;
    memcpy(nonce, prefix, 16);
    for (int i = 0; i < 8; i++) {
        nonce[23 - i] = (uint8_t)(client.sent >> 8 * i);
    }
    memcpy(frame + head, "\7MESSAGE", 8);
    memcpy(frame + head + 8, nonce + 16, 8);
    ck_assert_int_eq(
        crypto_box_easy_afternm(frame + head + 16, plain, 1 + size, nonce, client.shared), 0);
    put(&to_server, frame, head + 33 + size);
}

TEST(a_message_of_several_frames_is_counted_and_dropped)
{
    uint8_t frame[CURVE_WRITTEN];

    shake_hands();
    seal_part(true, 0);
    seal_part(true, 100);
    put(&to_server, frame, curve_seal_ping(frame, &client, 0)); /* between them */
    seal_part(false, 20);
    seal(&to_server, &client, "next", 4);
    ck_assert_int_eq(at_server(), CURVE_PING);
    ck_assert_int_eq(at_server(), CURVE_DROPPED);
    ck_assert_int_eq(item.parts, 3);
    ck_assert_uint_eq(item.size, 120);
    ck_assert_int_eq(at_server(), CURVE_MESSAGE);
}

TEST_LOOP(a_message_without_end_is_refused, 0, 2)
{
    shake_hands();
    for (int i = 0; i <= ZMTP_PARTS; i++) {
        seal_part(true, _i == 0 ? 0 : MESSAGE_MAX / 10);
    }
    ck_assert_int_eq(at_server(), CURVE_BROKEN);
    ck_assert_int_eq(server.reader.broken, ZMTP_ENDLESS);
}

TEST(a_large_message_leaves_no_large_memory)
{
    static uint8_t text[MESSAGE_MAX];

    shake_hands();
    server.message_max = 100000;
    server.reader.message_max = 100033;
    for (int i = 0; i < 2; i++) {
        uint8_t *frame = malloc(50000 + CURVE_OVERHEAD), *large = calloc(1, 50000);

        ck_assert(frame != NULL && large != NULL);
        put(&to_server, frame, curve_seal(frame, &client, large, i == 0 ? 50000 : 10));
        free(frame);
        free(large);
        ck_assert_int_eq(at_server(), CURVE_MESSAGE);
    }
    ck_assert_uint_le(server.plain_room, 4096);
    seal(&to_server, &client, text, sizeof text);
    ck_assert_int_eq(at_server(), CURVE_MESSAGE);
}

SUITE_FIXTURE(set_up, tear_down)
