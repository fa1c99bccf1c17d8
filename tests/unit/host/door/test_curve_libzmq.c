/* CURVE against libzmq: its DEALER at our server, our client at its ROUTER. */
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sodium.h>
#include <zmq.h>

#include "door/curve.h"
#include "support/suite.h"

enum {
    MESSAGE_MAX = 1 << 18,
    ROUNDS = 1000, /* of waiting, before a test gives up */
    ROUND_MS = 20,
    INPUT = 65536
};

static uint8_t server_public[CURVE_KEY], server_secret[CURVE_KEY];
static uint8_t client_public[CURVE_KEY], client_secret[CURVE_KEY];
static void *context, *socket_of_libzmq, *zap;
static const char *status; /* of ZAP's answer, or our server's refusal; NULL: it lets in */
static struct curve curve;
static struct curve_item item;
static int fd;
static uint8_t input[INPUT];
static const uint8_t *at, *end;
static int pings;

static void send_all(const void *data, size_t size)
{
    const uint8_t *from = data;

    while (size > 0) {
        ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);

        ck_assert_int_gt(sent, 0);
        from += sent;
        size -= (size_t)sent;
    }
}

/* Answers a question of libzmq's, if there is one. */
static void serve_zap(void)
{
    char id[16];
    int size = zap == NULL ? -1 : zmq_recv(zap, id, 0, ZMQ_DONTWAIT), more = 1;
    size_t length = sizeof more;

    for (int frame = 1; size >= 0 && more != 0; frame++) {
        int got;

        zmq_getsockopt(zap, ZMQ_RCVMORE, &more, &length);
        got = more == 0 ? 0 : zmq_recv(zap, frame == 1 ? id : (char *)input, 16, 0);
        size = frame == 1 ? got : size;
    }
    if (size >= 0) {
        const char *answer[] = {"1.0", id, status == NULL ? "200" : status, "", "anna", ""};

        for (int i = 0; i < 6; i++) {
            zmq_send(zap, answer[i], i == 1 ? (size_t)size : strlen(answer[i]),
                     i < 5 ? ZMQ_SNDMORE : 0);
        }
    }
}

/* Reads our side until a news that is wanted, or the end. Pings are counted, and answered. */
static enum curve_news next(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct pollfd place = {fd, POLLIN, 0};
        enum curve_news news = curve_read(&item, &curve, &at, end);
        ssize_t size;

        send_all(item.reply, item.reply_size);
        pings += news == CURVE_PING;
        if (news == CURVE_REPLY || news == CURVE_PING) {
            continue;
        }
        if (news != CURVE_MORE) {
            return news;
        }
        serve_zap();
        if (poll(&place, 1, ROUND_MS) == 1) {
            size = recv(fd, input, sizeof input, 0);
            if (size <= 0) {
                return CURVE_BROKEN;
            }
            at = input;
            end = input + size;
        }
    }
    ck_abort_msg("nothing has come");
    return CURVE_BROKEN;
}

static void set_int(int option, int value)
{
    ck_assert_int_eq(zmq_setsockopt(socket_of_libzmq, option, &value, sizeof value), 0);
}

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    crypto_box_keypair(server_public, server_secret);
    crypto_box_keypair(client_public, client_secret);
    context = zmq_ctx_new();
    zap = NULL;
    status = NULL;
    at = end = input;
    pings = 0;
    fd = -1;
}

static void tear_down(void)
{
    curve_deinit(&curve);
    if (fd >= 0) {
        close(fd);
    }
    zmq_close(socket_of_libzmq);
    if (zap != NULL) {
        zmq_close(zap);
    }
    zmq_ctx_term(context);
}

static void greet(void)
{
    uint8_t greeting[ZMTP_GREETING];

    curve_greeting(greeting, &curve);
    send_all(greeting, sizeof greeting);
}

/* ------------------------------------------------------------------------ our server */

static const char *refusal(void *user, const uint8_t key[CURVE_KEY])
{
    ck_assert_mem_eq(key, client_public, CURVE_KEY);
    return status;
}

static const struct curve_server as_server = {
    .public = server_public, .secret = server_secret, .refusal = refusal};

static int listen_here(char endpoint[64])
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(bind(listener, (struct sockaddr *)&own, sizeof own), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&own, &size), 0);
    snprintf(endpoint, 64, "tcp://127.0.0.1:%d", ntohs(own.sin_port));
    return listener;
}

/* A libzmq client of this type connects to our server. */
static void meet_client(int type)
{
    char endpoint[64];
    int listener = listen_here(endpoint);

    socket_of_libzmq = zmq_socket(context, type);
    zmq_setsockopt(socket_of_libzmq, ZMQ_CURVE_SERVERKEY, server_public, CURVE_KEY);
    zmq_setsockopt(socket_of_libzmq, ZMQ_CURVE_PUBLICKEY, client_public, CURVE_KEY);
    zmq_setsockopt(socket_of_libzmq, ZMQ_CURVE_SECRETKEY, client_secret, CURVE_KEY);
    zmq_setsockopt(socket_of_libzmq, ZMQ_ROUTING_ID, "bgref-join-2-x", 14);
    set_int(ZMQ_LINGER, 0);
    set_int(ZMQ_HEARTBEAT_IVL, 100);
    set_int(ZMQ_RCVTIMEO, ROUNDS * ROUND_MS);
    ck_assert_int_eq(zmq_connect(socket_of_libzmq, endpoint), 0);
    fd = accept(listener, NULL, NULL);
    ck_assert_int_ge(fd, 0);
    close(listener);
    curve_init_server(&curve, &as_server, MESSAGE_MAX);
    greet();
}

static void seal_and_send(const void *data, size_t size)
{
    uint8_t *frame = malloc(size + CURVE_OVERHEAD);

    ck_assert_ptr_nonnull(frame);
    send_all(frame, curve_seal(frame, &curve, data, size));
    free(frame);
}

static const size_t sizes[] = {0, 1, 5, 200, 222, 223, 255, 256, 60000, 70000};

static void exchange(size_t size)
{
    uint8_t *text = malloc(size + 1), *back = malloc(size + 1);

    ck_assert(text != NULL && back != NULL);
    randombytes_buf(text, size + 1);
    ck_assert_int_eq(zmq_send(socket_of_libzmq, text, size, 0), (int)size);
    ck_assert_int_eq(next(), CURVE_MESSAGE);
    ck_assert_uint_eq(item.size, size);
    ck_assert_mem_eq(item.data, text, size);
    seal_and_send(text, size);
    ck_assert_int_eq(zmq_recv(socket_of_libzmq, back, size + 1, 0), (int)size);
    ck_assert_mem_eq(text, back, size);
    free(text);
    free(back);
}

TEST(a_dealer_of_libzmq_plays_at_our_server)
{
    meet_client(ZMQ_DEALER);
    ck_assert_int_eq(next(), CURVE_READY);
    ck_assert_mem_eq(curve.peer, client_public, CURVE_KEY);
    ck_assert_uint_eq(curve.identity_size, 14);
    ck_assert_mem_eq(curve.identity, "bgref-join-2-x", 14);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        exchange(sizes[i]);
    }
}

/* libzmq pings ten times a second, and closes a line on which no answer comes. */
TEST(pings_go_both_ways)
{
    uint8_t frame[CURVE_WRITTEN];

    meet_client(ZMQ_DEALER);
    ck_assert_int_eq(next(), CURVE_READY);
    send_all(frame, curve_seal_ping(frame, &curve, 15000));
    ck_assert_int_eq(next(), CURVE_PONG);
    for (int i = 0; pings < 3 && i < 100; i++) {
        exchange(10);
        poll(NULL, 0, ROUND_MS);
    }
    ck_assert_int_ge(pings, 3);
}

TEST(frames_of_a_dealer_are_counted)
{
    meet_client(ZMQ_DEALER);
    zmq_send(socket_of_libzmq, "", 0, ZMQ_SNDMORE);
    zmq_send(socket_of_libzmq, "two", 3, 0);
    zmq_send(socket_of_libzmq, "one", 3, 0);
    ck_assert_int_eq(next(), CURVE_READY);
    ck_assert_int_eq(next(), CURVE_DROPPED);
    ck_assert_int_eq(item.parts, 2);
    ck_assert_uint_eq(item.size, 3);
    ck_assert_int_eq(next(), CURVE_MESSAGE);
}

TEST(another_socket_than_a_dealer_is_refused)
{
    meet_client(ZMQ_PUSH);
    ck_assert_int_eq(next(), CURVE_BROKEN);
    ck_assert_ptr_nonnull(strstr(curve.reader.why, "DEALER"));
}

/* What libzmq tells its user of our ERROR. */
static int event_of_refusal(uint32_t *value)
{
    void *monitor = zmq_socket(context, ZMQ_PAIR);
    const int wait_ms = ROUNDS * ROUND_MS,
              wanted = ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_DISCONNECTED;
    uint8_t event[6] = {0};
    uint16_t kind;

    zmq_setsockopt(monitor, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms);
    ck_assert_int_eq(zmq_socket_monitor(socket_of_libzmq, "inproc://monitor", wanted), 0);
    ck_assert_int_eq(zmq_connect(monitor, "inproc://monitor"), 0);
    ck_assert_int_eq(next(), CURVE_BROKEN);
    close(fd);
    fd = -1;
    ck_assert_int_eq(zmq_recv(monitor, event, sizeof event, 0), sizeof event);
    zmq_close(monitor);
    memcpy(&kind, event, sizeof kind);
    memcpy(value, event + 2, sizeof *value);
    return kind;
}

TEST(an_unknown_key_is_told_by_the_event_that_join_knows)
{
    uint32_t value;

    status = CURVE_UNKNOWN_KEY;
    meet_client(ZMQ_DEALER);
    ck_assert_int_eq(event_of_refusal(&value), ZMQ_EVENT_HANDSHAKE_FAILED_AUTH);
    ck_assert_uint_eq(value, 400);
}

TEST(a_refusal_in_words_is_a_lost_line_for_libzmq)
{
    uint32_t value;

    status = "too many handshakes of this key in a minute";
    meet_client(ZMQ_DEALER);
    ck_assert_int_eq(event_of_refusal(&value), ZMQ_EVENT_DISCONNECTED);
}

/* ------------------------------------------------------------------------ our client */

static const struct curve_client as_client = {.server = server_public,
                                              .public = client_public,
                                              .secret = client_secret,
                                              .identity = "bgref-join-0-abc"};

/* Our client connects to a ROUTER of libzmq. */
static void meet_router(void)
{
    const int yes = 1;
    char endpoint[64];
    size_t size = sizeof endpoint;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    zap = zmq_socket(context, ZMQ_REP);
    ck_assert_int_eq(zmq_bind(zap, "inproc://zeromq.zap.01"), 0);
    socket_of_libzmq = zmq_socket(context, ZMQ_ROUTER);
    zmq_setsockopt(socket_of_libzmq, ZMQ_CURVE_SERVER, &yes, sizeof yes);
    zmq_setsockopt(socket_of_libzmq, ZMQ_CURVE_SECRETKEY, server_secret, CURVE_KEY);
    zmq_setsockopt(socket_of_libzmq, ZMQ_ZAP_DOMAIN, "bots", 4);
    set_int(ZMQ_LINGER, 0);
    set_int(ZMQ_HEARTBEAT_IVL, 100);
    set_int(ZMQ_RCVTIMEO, ROUNDS * ROUND_MS);
    ck_assert_int_eq(zmq_bind(socket_of_libzmq, "tcp://127.0.0.1:*"), 0);
    zmq_getsockopt(socket_of_libzmq, ZMQ_LAST_ENDPOINT, endpoint, &size);
    address.sin_port = htons((uint16_t)strtol(strrchr(endpoint, ':') + 1, NULL, 10));
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert(curve_init_client(&curve, &as_client, MESSAGE_MAX));
    greet();
}

TEST(our_client_plays_at_a_router_of_libzmq)
{
    meet_router();
    ck_assert_int_eq(next(), CURVE_READY);
    ck_assert(curve.is_server_proven);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *text = malloc(sizes[i] + 1), *back = malloc(sizes[i] + 1), id[256];

        ck_assert(text != NULL && back != NULL);
        randombytes_buf(text, sizes[i] + 1);
        seal_and_send(text, sizes[i]);
        ck_assert_int_eq(zmq_recv(socket_of_libzmq, id, sizeof id, 0),
                         (int)strlen(as_client.identity));
        ck_assert_mem_eq(id, as_client.identity, strlen(as_client.identity));
        ck_assert_int_eq(zmq_recv(socket_of_libzmq, back, sizes[i] + 1, 0), (int)sizes[i]);
        ck_assert_mem_eq(text, back, sizes[i]);
        zmq_send(socket_of_libzmq, as_client.identity, strlen(as_client.identity), ZMQ_SNDMORE);
        zmq_send(socket_of_libzmq, text, sizes[i], 0);
        ck_assert_int_eq(next(), CURVE_MESSAGE);
        ck_assert_uint_eq(item.size, sizes[i]);
        ck_assert_mem_eq(text, item.data, sizes[i]);
        free(text);
        free(back);
    }
}

TEST(our_client_is_told_that_its_key_is_unknown)
{
    status = "400";
    meet_router();
    ck_assert_int_eq(next(), CURVE_BROKEN);
    ck_assert(curve.is_refused && curve.is_server_proven);
    ck_assert_str_eq(curve.refusal, CURVE_UNKNOWN_KEY);
}

SUITE_FIXTURE(set_up, tear_down)
