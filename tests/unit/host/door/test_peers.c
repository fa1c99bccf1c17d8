/* The strangers' connections of a process: what waits for one that does not read, and when each
 * ends. The other side is our client, step by step; time limits are brought near by setting a
 * beginning. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sodium.h>

#include "door/peers.h"
#include "support/suite.h"

enum { MESSAGE = 60000, MESSAGES_MOST = 1000, ROUNDS = 200, STREAM = 1 << 23 };

#define SECOND_NS INT64_C(1000000000)

static struct join_secret host;
static uint8_t client_public[CURVE_KEY], client_secret[CURVE_KEY];
static struct peers peers;
static struct peer *came;                 /* the one that is ready, until it is gone */
static int doorman = -1, line, duplicate; /* the giving side, a connection at both ends */
static int gone_count, taken_count, answered_count;
static int64_t answered_ns;
static struct curve client;
static struct curve_client as_client;
static char folder[64], endpoint[96];

static const char *refusal(void *user, struct peer *peer, const uint8_t key[CURVE_KEY])
{
    came = peer;
    return memcmp(key, client_public, CURVE_KEY) == 0 ? NULL : CURVE_UNKNOWN_KEY;
}

static void message(void *user, struct peer *peer, const void *data, size_t size, int parts)
{
    taken_count += parts;
}

static void gone(void *user, struct peer *peer)
{
    came = came == peer ? NULL : came;
    gone_count++;
}

static void answered(void *user, struct peer *peer, int64_t trip_ns)
{
    ck_assert_ptr_eq(peer, came);
    answered_count++;
    answered_ns = trip_ns;
}

static const struct peers_setup setup = {.host = &host,
                                         .message_max = MESSAGE,
                                         .refusal = refusal,
                                         .message = message,
                                         .gone = gone,
                                         .answered = answered};

/* Serves what has come. */
static void serve(void)
{
    peers.sweep_ns = 0;
    ck_assert(peers_round(&peers));
}

static void send_all(const void *data, size_t size)
{
    ck_assert_int_eq(send(line, data, size, MSG_NOSIGNAL), (ssize_t)size);
}

/* Reads what has come at the client, and counts messages. Returns false at the end of the line. */
static bool read_line(int *messages, size_t *last)
{
    static uint8_t input[STREAM];
    ssize_t size = recv(line, input, sizeof input, MSG_DONTWAIT);
    const uint8_t *at = input;
    enum curve_news news = CURVE_MORE;

    do {
        struct curve_item item;

        news = size > 0 ? curve_read(&item, &client, &at, input + size) : CURVE_MORE;
        if (news == CURVE_MESSAGE) {
            *messages += 1;
            *last = item.size;
        }
        if (news != CURVE_MORE && item.reply_size > 0) {
            send_all(item.reply, item.reply_size);
        }
    } while (news != CURVE_MORE && news != CURVE_BROKEN);
    return size > 0 || (size < 0 && errno == EAGAIN);
}

static void give_line(void)
{
    int ends[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ck_assert(handover_give(doorman, ends[1], "192.0.2.7"));
    duplicate = ends[1]; /* as the doorman has one */
    line = ends[0];
    serve();
}

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    crypto_box_keypair(host.public.key, host.key);
    crypto_box_keypair(client_public, client_secret);
    snprintf(folder, sizeof folder, "/tmp/bgref-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(endpoint, sizeof endpoint, "ipc://%s/door", folder);
    gone_count = taken_count = answered_count = 0;
    came = NULL;
    ck_assert(peers_init(&peers, &setup, handover_listen(endpoint)));
    ck_assert(peers_open(&peers));
    doorman = handover_connect(endpoint + strlen("ipc://"));
    ck_assert_int_ge(doorman, 0);
    serve();
    give_line();
    ck_assert_int_eq(peers.count, 1);
    ck_assert_str_eq(peers.list[0]->address, "192.0.2.7");
}

static void tear_down(void)
{
    peers_deinit(&peers);
    curve_deinit(&client);
    close(doorman);
    close(line);
    close(duplicate);
    ck_assert_int_eq(unlink(endpoint + strlen("ipc://")), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void shake_hands(void)
{
    uint8_t greeting[ZMTP_GREETING];
    size_t last;
    int messages = 0;

    as_client = (struct curve_client){.server = host.public.key,
                                      .public = client_public,
                                      .secret = client_secret,
                                      .identity = "x"};
    ck_assert(curve_init_client(&client, &as_client, MESSAGE));
    curve_greeting(greeting, &client);
    send_all(greeting, sizeof greeting);
    for (int i = 0; i < ROUNDS && !curve_is_ready(&client); i++) {
        serve();
        ck_assert(read_line(&messages, &last));
    }
    ck_assert(curve_is_ready(&client));
    ck_assert_ptr_nonnull(came);
}

/* Sends until too much waits. Returns the number of messages. */
static int fill(void)
{
    static const uint8_t data[MESSAGE];
    int sent = 0;

    while (sent < MESSAGES_MOST && peer_send(came, data, sizeof data)) {
        sent++;
        peer_flush(came);
    }
    ck_assert_int_lt(sent, MESSAGES_MOST);
    return sent;
}

TEST(what_is_owed_comes_behind_a_full_queue)
{
    int sent, messages = 0;
    size_t last = 1;

    shake_hands();
    sent = fill();
    ck_assert_uint_le(came->backlog.size, PEERS_UNSENT + CURVE_OVERHEAD);
    peer_owe(came, "", 0);
    peer_finish(came);
    for (int i = 0; i < ROUNDS && messages <= sent; i++) {
        ck_assert(read_line(&messages, &last));
        serve();
    }
    ck_assert_int_eq(messages, sent + 1);
    ck_assert_uint_eq(last, 0);
}

TEST(an_author_who_never_reads_is_closed)
{
    shake_hands();
    fill();
    peer_owe(came, "", 0);
    peer_finish(came);
    peer_finish(came); /* does not move the end */
    ck_assert_int_gt(came->until_ns, peers.now_ns);
    ck_assert_int_le(came->until_ns, peers.now_ns + 5 * SECOND_NS);
    came->until_ns = peers.now_ns;
    serve();
    ck_assert_int_eq(gone_count, 1);
    ck_assert_int_eq(peers.count, 0);
}

TEST(what_is_owed_without_end_closes_too)
{
    static const uint8_t data[MESSAGE];

    shake_hands();
    fill();
    for (int i = 0; i < 3 && came->watched.fd >= 0; i++) {
        peer_owe(came, data, sizeof data);
    }
    ck_assert_int_lt(came->watched.fd, 0);
    serve();
    ck_assert_int_eq(gone_count, 1);
}

TEST(pings_that_are_not_read_are_answered_within_bounds)
{
    uint8_t ping[CURVE_WRITTEN];

    shake_hands();
    fill();
    for (int i = 0; i < 10 * MESSAGES_MOST && gone_count == 0; i++) {
        size_t size = curve_seal_ping(ping, &client, 0);

        if (send(line, ping, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size) {
            break;
        }
        serve();
    }
    ck_assert_int_eq(gone_count, 1);
}

TEST(a_silent_handshake_ends_in_time)
{
    ck_assert_int_eq(peers.count, 1);
    serve();
    ck_assert_int_eq(peers.count, 1);
    peers.list[0]->begun_ns -= 5 * SECOND_NS;
    serve();
    ck_assert_int_eq(peers.count, 0);
    ck_assert_int_eq(gone_count, 1);
}

/* A bot that plays is measured too, but not closed if it never answers. */
TEST(a_line_is_measured_and_who_answers_no_ping_plays_on)
{
    uint8_t frame[CURVE_OVERHEAD + 5];
    size_t last;
    int messages = 0;

    shake_hands();
    came->begun_ns -= 3600 * SECOND_NS;     /* its handshake is over */
    ck_assert(read_line(&messages, &last)); /* answers the first PING, if it has not yet */
    serve();
    ck_assert_int_eq(answered_count, 1);
    ck_assert_int_eq(came->asked_ns, 0);
    for (int i = 0; i < 10; i++) {
        int64_t before_ns = came->pinged_ns -= 21 * SECOND_NS;

        came->heard_ns -= 4 * SECOND_NS; /* it is not silent */
        send_all(frame, curve_seal(frame, &client, "hello", 5));
        serve();
        ck_assert_int_gt(came->pinged_ns, before_ns);
        ck_assert_int_eq(gone_count, 0);
    }
    ck_assert_int_eq(taken_count, 10);
    ck_assert_int_eq(answered_count, 1);
    came->asked_ns -= SECOND_NS;
    ck_assert(read_line(&messages, &last)); /* answers all of them: one counts, since the first */
    serve();
    ck_assert_int_eq(answered_count, 2);
    ck_assert_int_ge(answered_ns, SECOND_NS);
    ck_assert_int_lt(answered_ns, 20 * SECOND_NS);
}

TEST(a_line_without_a_sign_of_life_is_asked_and_then_closed)
{
    size_t last;
    int messages = 0;

    shake_hands();
    came->begun_ns -= 3600 * SECOND_NS;     /* its handshake is over */
    ck_assert(read_line(&messages, &last)); /* the first PING */
    serve();
    came->heard_ns -= 6 * SECOND_NS;
    came->pinged_ns -= 6 * SECOND_NS;
    serve();
    ck_assert_int_gt(came->pinged_ns, came->heard_ns);
    ck_assert(read_line(&messages, &last)); /* answers the PING */
    came->heard_ns -= 6 * SECOND_NS;
    serve();
    ck_assert_int_le(peers.now_ns - came->heard_ns, SECOND_NS);
    came->heard_ns -= 16 * SECOND_NS;
    serve();
    ck_assert_int_eq(peers.count, 0);
}

TEST(messages_of_one_that_is_ending_are_not_taken)
{
    uint8_t frame[CURVE_OVERHEAD + 5];

    shake_hands();
    for (int i = 0; i < 2; i++) {
        send_all(frame, curve_seal(frame, &client, "hello", 5));
        serve();
        peer_finish(came);
    }
    ck_assert_int_eq(taken_count, 1);
}

/* A connection that the doorman gave ends with the doorman. */
TEST(a_doorman_that_ends_takes_its_connections_along)
{
    shake_hands();
    close(doorman);
    serve();
    ck_assert_int_eq(peers.count, 0);
    doorman = handover_connect(endpoint + strlen("ipc://"));
    serve();
    close(line);
    close(duplicate);
    give_line();
    ck_assert_int_eq(peers.count, 1);
}

/* Another holder of the connection, as the doorman is, sees its end. */
TEST(a_closed_connection_is_shut_down)
{
    char byte;

    shake_hands();
    peer_close(came);
    ck_assert_int_eq(recv(line, &byte, 1, MSG_DONTWAIT), 0);
    serve();
    ck_assert_int_eq(gone_count, 1);
}

SUITE_FIXTURE(set_up, tear_down)
