/* The author's line at a host of this test: what is sent when, what is said of its ends. */
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sodium.h>

#include "door/curve.h"
#include "door/gateway.h"
#include "cmd/remote_line.h"
#include "support/suite.h"

enum { ROUNDS = 3000, ROUND_MS = 10, MOST = 1 << 20, GOT = 64, TEXT = 64 };

static struct join_secret host_key, own;
static struct host_file host;
static struct remote_line *line;
static int listener;
static const char *refusal; /* of the host; NULL: it lets in */

/* The host's side. */
static struct {
    int fd;
    struct curve curve;
    struct curve_server setup;
    char got[GOT][TEXT];
    int count;
    bool has_ended;
} side;

/* What the line has said. */
static enum remote_news news[GOT];
static int news_count;
static char taken[GOT][TEXT];
static int taken_count, taken_before_loss;

static const char *refuse(void *user, const uint8_t key[CURVE_KEY])
{
    ck_assert_mem_eq(key, own.public.key, CURVE_KEY);
    return refusal;
}

static void make_key(struct join_secret *out)
{
    ck_assert_int_eq(crypto_box_keypair(out->public.key, out->key), 0);
}

static void listen_at(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    const int yes = 1;

    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ck_assert_int_eq(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listener, 5), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(host.endpoint, sizeof host.endpoint, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
}

static void set_up(void)
{
    ck_assert_int_ge(sodium_init(), 0);
    make_key(&host_key);
    make_key(&own);
    memcpy(host.key, host_key.public.key, sizeof host.key);
    memset(&side, 0, sizeof side);
    side.fd = -1;
    side.setup = (struct curve_server){
        .public = host_key.public.key, .secret = host_key.key, .refusal = refuse};
    refusal = NULL;
    news_count = taken_count = 0;
    taken_before_loss = -1;
    listen_at(0);
}

static void hang_up(void)
{
    if (side.fd >= 0) {
        close(side.fd);
        side.fd = -1;
        curve_deinit(&side.curve);
    }
}

static void tear_down(void)
{
    remote_line_close(line);
    line = NULL;
    hang_up();
    close(listener);
}

static void open_line(void)
{
    assert_ok(remote_line_open(&line, &host, &own, 3, &error));
}

static void put(const void *data, size_t size)
{
    ck_assert_int_eq(send(side.fd, data, size, MSG_NOSIGNAL), (ssize_t)size);
}

static void say(const char *text)
{
    uint8_t sealed[TEXT + CURVE_OVERHEAD];

    put(sealed, curve_seal(sealed, &side.curve, text, strlen(text)));
}

static void serve_host(void)
{
    static uint8_t input[MOST];
    uint8_t greeting[ZMTP_GREETING];
    struct curve_item item;
    enum curve_news what;
    const uint8_t *at = input;
    ssize_t got;

    if (side.fd < 0) {
        side.fd = accept(listener, NULL, NULL);
        if (side.fd < 0) {
            return;
        }
        curve_init_server(&side.curve, &side.setup, MOST);
        curve_greeting(greeting, &side.curve);
        put(greeting, sizeof greeting);
    }
    got = recv(side.fd, input, sizeof input, MSG_DONTWAIT);
    side.has_ended = got == 0;
    if (got <= 0) {
        return;
    }
    do {
        what = curve_read(&item, &side.curve, &at, input + got);
        if (item.reply_size > 0) {
            put(item.reply, item.reply_size);
        }
        if (what == CURVE_MESSAGE && side.count < GOT) {
            snprintf(side.got[side.count++], TEXT, "%.*s", (int)item.size, item.data);
        }
    } while (what != CURVE_MORE && what != CURVE_BROKEN);
    if (what == CURVE_BROKEN) {
        hang_up();
    }
}

static void serve_line(void)
{
    const void *data;
    size_t size;
    enum remote_news next;

    do {
        while (remote_line_take(&data, &size, line)) {
            ck_assert_int_lt(taken_count, GOT);
            snprintf(taken[taken_count++], TEXT, "%.*s", (int)size, (const char *)data);
        }
        next = remote_line_news(line);
        if (next != REMOTE_NOTHING && news_count < GOT) {
            news[news_count++] = next;
            taken_before_loss = next == REMOTE_LOST ? taken_count : taken_before_loss;
        }
    } while (next != REMOTE_NOTHING);
}

static bool has(enum remote_news wanted)
{
    for (int i = 0; i < news_count; i++) {
        if (news[i] == wanted) {
            return true;
        }
    }
    return false;
}

static bool is_proven(void)
{
    return has(REMOTE_PROVEN);
}

/* Serves the line, and the host's side if it serves, until the condition holds; waits as an event
 * loop does, for the line's descriptor. */
static void until(bool (*condition)(void), bool host_serves)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct pollfd wait = {remote_line_fd(line), POLLIN, 0};

        serve_line();
        if (host_serves) {
            serve_host();
        }
        if (condition()) {
            return;
        }
        (void)poll(&wait, 1, ROUND_MS);
    }
    ck_abort_msg("waited in vain; news %d, last %d: %s", news_count,
                 news_count > 0 ? (int)news[news_count - 1] : -1, remote_line_why(line));
}

static bool host_has_three(void)
{
    return side.count == 3;
}

TEST(messages_of_before_are_sent_in_their_order_when_the_line_stands)
{
    open_line();
    ck_assert(remote_line_send(line, "one", 3));
    ck_assert(remote_line_send(line, "two", 3));
    until(is_proven, true);
    ck_assert(remote_line_send(line, "three", 5));
    until(host_has_three, true);
    ck_assert_str_eq(side.got[0], "one");
    ck_assert_str_eq(side.got[1], "two");
    ck_assert_str_eq(side.got[2], "three");
    ck_assert_int_eq(news_count, 1);
    ck_assert_mem_eq(side.curve.identity, GATEWAY_JOINER "3-", strlen(GATEWAY_JOINER "3-"));
}

static bool is_lost(void)
{
    return has(REMOTE_LOST);
}

TEST(what_the_host_said_before_it_closed_is_taken_before_the_loss)
{
    open_line();
    until(is_proven, true);
    say("stay");
    say("goodbye");
    hang_up();
    (void)remote_line_send(line, "too late", 8); /* the kernel answers with a reset */
    (void)remote_line_send(line, "too late", 8);
    until(is_lost, false);
    ck_assert_int_eq(taken_before_loss, 2);
    ck_assert_str_eq(taken[1], "goodbye");
    ck_assert_int_eq(news_count, 2);
    ck_assert(!remote_line_send(line, "x", 1)); /* its end is final */
    for (int i = 0; i < 50; i++) {
        struct pollfd wait = {remote_line_fd(line), POLLIN, 0};

        ck_assert_int_eq(poll(&wait, 1, ROUND_MS), 0);
        serve_line();
    }
    ck_assert_int_eq(news_count, 2);
}

static bool is_absent(void)
{
    return has(REMOTE_ABSENT);
}

TEST(nobody_there_is_told_and_tried_again)
{
    int port;

    ck_assert_int_eq(sscanf(host.endpoint, "tcp://127.0.0.1:%d", &port), 1);
    close(listener);
    open_line();
    ck_assert(remote_line_send(line, "hello", 5));
    until(is_absent, false);
    ck_assert_str_eq(remote_line_why(line), "127.0.0.1: Connection refused");
    listen_at(port);
    until(is_proven, true);
}

static bool is_forbidden(void)
{
    return has(REMOTE_FORBIDDEN);
}

TEST(a_key_that_the_host_does_not_know_is_final)
{
    refusal = CURVE_UNKNOWN_KEY;
    open_line();
    until(is_forbidden, true);
    ck_assert_int_eq(news_count, 1);
    ck_assert(!remote_line_send(line, "x", 1));
}

static bool is_turned(void)
{
    return has(REMOTE_TURNED);
}

TEST(words_of_the_host_are_passed_on_and_it_is_tried_again)
{
    refusal = "come back in a minute";
    open_line();
    ck_assert(remote_line_send(line, "hello", 5));
    until(is_turned, true);
    ck_assert_str_eq(remote_line_why(line), "come back in a minute");
    refusal = NULL;
    until(is_proven, true);
}

static bool is_unproven_twice(void)
{
    int times = 0;

    for (int i = 0; i < news_count; i++) {
        times += news[i] == REMOTE_UNPROVEN;
    }
    return times == 2;
}

TEST(another_host_is_not_believed)
{
    struct join_secret other;

    make_key(&other);
    side.setup.public = other.public.key;
    side.setup.secret = other.key;
    open_line();
    ck_assert(remote_line_send(line, "secret", 6));
    until(is_unproven_twice, true);
    ck_assert_int_eq(side.count, 0);
    ck_assert(!has(REMOTE_PROVEN));
}

/* An ERROR in clear text, of somebody who has proved nothing, ends nothing for good. */
TEST(an_error_of_who_has_proved_nothing_is_not_believed)
{
    static const uint8_t unknown[] = "\4\12\5ERROR\003400";
    uint8_t greeting[ZMTP_GREETING];
    struct curve as_host;

    curve_init_server(&as_host, &side.setup, MOST);
    curve_greeting(greeting, &as_host);
    curve_deinit(&as_host);
    open_line();
    for (int i = 0; i < ROUNDS && !has(REMOTE_TURNED); i++) {
        struct pollfd wait = {remote_line_fd(line), POLLIN, 0};
        int fd = accept(listener, NULL, NULL);

        if (fd >= 0) {
            ck_assert_int_eq(send(fd, greeting, sizeof greeting, 0), sizeof greeting);
            ck_assert_int_eq(send(fd, unknown, sizeof unknown - 1, 0), sizeof unknown - 1);
            (void)shutdown(fd, SHUT_WR);
        }
        serve_line();
        (void)poll(&wait, 1, ROUND_MS);
        if (fd >= 0) {
            close(fd);
        }
    }
    ck_assert(has(REMOTE_TURNED));
    ck_assert(!has(REMOTE_FORBIDDEN));
    ck_assert_str_eq(remote_line_why(line), "400 (said before the host has proved its key)");
}

/* As a doorman turns away: its few bytes, and a reset, before the line has looked. */
static void turn_away(const char *words)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    uint8_t bytes[ZMTP_GREETING + ZMTP_WRITTEN];
    size_t size = ZMTP_GREETING;
    struct pollfd wait = {listener, POLLIN, 0};
    int fd;

    serve_line(); /* it dials */
    ck_assert_int_eq(poll(&wait, 1, 10000), 1);
    fd = accept(listener, NULL, NULL);
    zmtp_greeting_of(bytes, "CURVE", true);
    size += words == NULL ? 0 : zmtp_error(bytes + size, words);
    if (words != NULL) {
        ck_assert_int_eq(send(fd, bytes, size, 0), (ssize_t)size);
    }
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
    close(fd);
}

TEST(the_reason_of_a_doorman_outlives_its_reset)
{
    open_line();
    turn_away("more than 8 connections of its address");
    until(is_turned, false);
    ck_assert_int_eq(news_count, 1);
    ck_assert_str_eq(remote_line_why(line), "more than 8 connections of its address (said before "
                                            "the host has proved its key)");
    until(is_proven, true); /* it was tried again */
}

static bool is_silent(void)
{
    return has(REMOTE_SILENT);
}

TEST(an_end_without_a_byte_is_not_taken_for_a_wrong_key)
{
    open_line();
    turn_away(NULL);
    until(is_silent, false);
    ck_assert_int_eq(news_count, 1);
    until(is_proven, true);
}

TEST(a_host_that_does_not_read_has_a_limit_and_gets_all_that_was_taken)
{
    static char large[60000];
    int accepted = 0;

    memset(large, 'x', sizeof large);
    open_line();
    until(is_proven, true);
    while (remote_line_send(line, large, sizeof large)) {
        ck_assert_int_lt(++accepted, 2000);
    }
    ck_assert_int_gt(accepted, 10);
    side.count = 0;
    for (int i = 0; i < ROUNDS && side.count < (accepted < GOT ? accepted : GOT); i++) {
        serve_line();
        serve_host();
    }
    ck_assert_int_eq(side.count, accepted < GOT ? accepted : GOT);
    ck_assert(!has(REMOTE_LOST));
}

TEST(an_address_of_another_form_is_refused)
{
    snprintf(host.endpoint, sizeof host.endpoint, "ipc:///tmp/x");
    ck_assert_int_eq(remote_line_open(&line, &host, &own, 0, &error), BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "is not an address like tcp://"));
    line = NULL;
}

SUITE_FIXTURE(set_up, tear_down)
