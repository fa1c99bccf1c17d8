/* The client's own connection against a peer of bare bytes: whatever bytes the peer sends, in
 * whatever pieces, or does not send. Both ends are in this process; if a channel waits, its peer is
 * a second process. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/channel.h"
#include "support/suite.h"
#include "wire/zmtp.h"

enum { WAIT_MS = 20000, BYTES = 8 << 20 };

static char folder[] = "/tmp/bgref-unit-XXXXXX", endpoint[80];
static int listener, peer;
static struct channel *channel;
static uint8_t bytes[BYTES];
static const void *data;
static size_t size;

/* ---------------------------------------------------------------- the peer's side */

static void listen_here(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "%s/bot", folder);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_ge(listener, 0);
    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
}

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(endpoint, sizeof endpoint, "ipc://%s/bot", folder);
    unsetenv("BGREF_CLIENT");
    listener = peer = -1;
}

static void tear_down(void)
{
    channel_close(channel);
    close(listener);
    close(peer);
    unlink(endpoint + strlen("ipc://"));
    rmdir(folder);
}

static void put(const void *from, size_t count)
{
    const uint8_t *at = from;

    while (count > 0) {
        ssize_t sent = send(peer, at, count, MSG_NOSIGNAL);

        ck_assert_int_gt(sent, 0);
        at += sent;
        count -= (size_t)sent;
    }
}

static size_t handshake(uint8_t *out, const char *type)
{
    zmtp_greeting(out);
    return ZMTP_GREETING + zmtp_ready(out + ZMTP_GREETING, type);
}

static size_t frame(uint8_t *out, const void *body, size_t count, bool more)
{
    size_t head = zmtp_head(out, count, more);

    memcpy(out + head, body, count);
    return head + count;
}

static void put_frame(const char *text)
{
    static uint8_t out[1024];

    put(out, frame(out, text, strlen(text), false));
}

/* The bytes that the channel sent, at least count of them. */
static void get(uint8_t *out, size_t count)
{
    while (count > 0) {
        struct pollfd readable = {peer, POLLIN, 0};
        ssize_t got;

        ck_assert_int_eq(poll(&readable, 1, WAIT_MS), 1);
        got = recv(peer, out, count, 0);
        ck_assert_int_gt(got, 0);
        out += got;
        count -= (size_t)got;
    }
}

static bool has_bytes(void)
{
    struct pollfd readable = {peer, POLLIN, 0};

    return poll(&readable, 1, 0) == 1;
}

static void meet(void)
{
    listen_here();
    assert_ok(channel_open(&channel, endpoint, &error));
    peer = accept(listener, NULL, NULL);
    ck_assert_int_ge(peer, 0);
}

/* Up to the end of the handshake. */
static void get_ready(void)
{
    uint8_t ours[ZMTP_GREETING + ZMTP_WRITTEN], theirs[ZMTP_GREETING + ZMTP_WRITTEN];
    size_t length = handshake(ours, "DEALER");

    meet();
    put(ours, handshake(ours, "ROUTER"));
    ck_assert_int_eq(channel_take(channel, &data, &size, &error), BG_E_TIMEOUT);
    get(theirs, length);
    handshake(ours, "DEALER");
    ck_assert_mem_eq(theirs, ours, length);
}

#define RECEIVES(timeout_ms, status)                                                               \
    ck_assert_msg(channel_receive(channel, timeout_ms, &data, &size, &error) == (status), "%s",    \
                  error.text)

#define SAYS(words) ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text)

static bool is(const char *text)
{
    return size == strlen(text) && memcmp(data, text, size) == 0;
}

/* ---------------------------------------------------------------- messages in and out */

TEST(messages_arrive_complete_for_any_split_of_the_bytes)
{
    static const char ping[] = "\x04\x09\x04PING\0\0ab";
    uint8_t theirs[ZMTP_GREETING + ZMTP_WRITTEN];
    size_t length = handshake(bytes, "ROUTER");
    int messages = 0;

    length += frame(bytes + length, "one", 3, false);
    memcpy(bytes + length, ping, sizeof ping - 1);
    length += sizeof ping - 1;
    memset(theirs, 't', sizeof theirs);
    length += frame(bytes + length, theirs, 300, false);
    length += frame(bytes + length, "", 0, false);
    meet();
    for (size_t i = 0; i < length; i++) {
        enum bg_status status;

        put(bytes + i, 1);
        status = channel_take(channel, &data, &size, &error);
        ck_assert_int_eq(status, i == length - 1 || status == BG_OK ? BG_OK : BG_E_TIMEOUT);
        if (status == BG_OK) {
            static const size_t sizes[] = {3, 300, 0};

            ck_assert_int_lt(messages, 3);
            ck_assert_uint_eq(size, sizes[messages]);
            messages++;
        }
    }
    ck_assert_int_eq(messages, 3);
    get(theirs, handshake(bytes, "DEALER"));
    get(theirs, 9);
    ck_assert_mem_eq(theirs, "\x04\x07\x04PONGab", 9);
    ck_assert(!has_bytes());
}

TEST(messages_read_together_are_handed_out_one_by_one)
{
    get_ready();
    put_frame("one");
    put_frame("two");
    RECEIVES(WAIT_MS, BG_OK);
    ck_assert(is("one"));
    RECEIVES(WAIT_MS, BG_OK);
    ck_assert(is("two"));
    RECEIVES(0, BG_E_TIMEOUT);
    ck_assert_int_eq(channel_take(channel, &data, &size, &error), BG_E_TIMEOUT);
}

/* A process that writes count bytes to the peer's end while this one receives. */
static pid_t writer(const uint8_t *from, size_t count)
{
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        while (count > 0) {
            ssize_t sent = send(peer, from, count, MSG_NOSIGNAL);

            if (sent < 0) {
                _exit(1);
            }
            from += sent;
            count -= (size_t)sent;
        }
        _exit(0);
    }
    return pid;
}

static void joined(pid_t pid)
{
    int how = 0;

    ck_assert_int_eq(waitpid(pid, &how, 0), pid);
    ck_assert(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

TEST(a_message_larger_than_every_buffer_arrives_complete)
{
    static uint8_t large[BYTES - 100];
    size_t length;
    pid_t pid;

    for (size_t i = 0; i < sizeof large; i++) {
        large[i] = (uint8_t)(i * 7 + (i >> 8));
    }
    get_ready();
    length = frame(bytes, large, sizeof large, false);
    length += frame(bytes + length, "after", 5, false);
    pid = writer(bytes, length);
    RECEIVES(-1, BG_OK);
    ck_assert_uint_eq(size, sizeof large);
    ck_assert_mem_eq(data, large, sizeof large);
    RECEIVES(WAIT_MS, BG_OK);
    ck_assert(is("after"));
    joined(pid);
}

static uint8_t body[BYTES / 8];

/* A process that reads late: count messages like body. */
static pid_t late_reader(int count)
{
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        static uint8_t got[sizeof body + ZMTP_HEAD];

        for (int i = 0; i < count; i++) {
            get(got, sizeof got);
            ck_assert_int_eq(got[ZMTP_HEAD], i);
            ck_assert_mem_eq(got + ZMTP_HEAD + 1, body + 1, sizeof body - 1);
        }
        put_frame("thanks");
        _exit(0);
    }
    return pid;
}

/* More than the kernel takes: sending does not wait, and the rest is sent while the channel
 * receives. */
TEST(sending_never_waits_and_nothing_is_lost)
{
    pid_t pid;

    memset(body, 'x', sizeof body);
    get_ready();
    for (int i = 0; i < 3; i++) {
        body[0] = (uint8_t)i;
        assert_ok(channel_send(channel, body, sizeof body, &error));
    }
    RECEIVES(0, BG_E_TIMEOUT); /* not read yet */
    pid = late_reader(3);
    RECEIVES(-1, BG_OK);
    ck_assert(is("thanks"));
    joined(pid);
}

TEST(closing_sends_waiting_messages)
{
    pid_t pid;

    memset(body, 'x', sizeof body);
    body[0] = 0;
    get_ready();
    assert_ok(channel_send(channel, body, sizeof body, &error));
    pid = late_reader(1);
    channel_close(channel);
    channel = NULL;
    joined(pid);
}

/* A bot with its own loop waits for the descriptor: it must be readable whenever there is a
 * message, if the bot has read the channel until it was empty. */
TEST(the_descriptor_is_readable_while_a_message_waits)
{
    struct pollfd readable = {-1, POLLIN, 0};

    get_ready();
    readable.fd = channel_fd(channel);
    ck_assert_int_eq(poll(&readable, 1, 0), 0);
    for (int round = 0; round < 100; round++) {
        put_frame("one");
        put_frame("two");
        ck_assert_int_eq(poll(&readable, 1, WAIT_MS), 1);
        RECEIVES(0, BG_OK);
        RECEIVES(0, BG_OK);
        ck_assert(is("two"));
        RECEIVES(0, BG_E_TIMEOUT);
        ck_assert_int_eq(poll(&readable, 1, 0), 0);
    }
    close(peer);
    peer = -1;
    ck_assert_int_eq(poll(&readable, 1, WAIT_MS), 1);
    RECEIVES(0, BG_E_CLOSED);
}

/* The peer sends far more than the kernel holds while the program is busy. */
TEST(messages_are_read_in_the_background_while_the_program_is_busy)
{
    enum { FRAMES = 1000, BODY = 1000 };
    static uint8_t piece[BODY];
    size_t length = 0;

    get_ready();
    for (int i = 0; i < FRAMES; i++) {
        memset(piece, i % 251, sizeof piece);
        length += frame(bytes + length, piece, sizeof piece, false);
    }
    assert_ok(channel_read_on(channel, &error));
    for (int round = 0; round < 2; round++) {
        ck_assert(!channel_holds(channel)); /* so a lone answer is sent without a look */
        joined(writer(bytes, length));
        ck_assert(channel_holds(channel));
        for (int i = 0; i < FRAMES; i++) {
            RECEIVES(i % 2 == 0 ? -1 : WAIT_MS, BG_OK);
            ck_assert_uint_eq(size, BODY);
            ck_assert_int_eq(((const uint8_t *)data)[BODY - 1], i % 251);
        }
        RECEIVES(0, BG_E_TIMEOUT);
        RECEIVES(700, BG_E_TIMEOUT); /* longer than the time between two looks */
    }
}

/* It would sleep in its poll while its message is already read. _i: it asks for the descriptor
 * before the background reading begins, as in `prepare`, or after. */
TEST_LOOP(no_background_reading_if_the_program_waits_by_itself, 0, 2)
{
    struct pollfd readable = {-1, POLLIN, 0};

    get_ready();
    readable.fd = _i == 0 ? channel_fd(channel) : -1;
    assert_ok(channel_read_on(channel, &error));
    readable.fd = _i == 0 ? readable.fd : channel_fd(channel);
    RECEIVES(0, BG_E_TIMEOUT);
    put_frame("one");
    poll(NULL, 0, 700); /* longer than the time between two looks */
    ck_assert_int_eq(poll(&readable, 1, 0), 1);
    RECEIVES(0, BG_OK);
    close(peer);
    peer = -1;
    RECEIVES(-1, BG_E_CLOSED);
}

/* A message that arrives while the thread looks still wakes the program. */
TEST(background_reading_loses_no_wakeup)
{
    static const int limits_ms[] = {-1, WAIT_MS};
    uint8_t got[ZMTP_HEAD];
    pid_t pid;

    get_ready();
    assert_ok(channel_read_on(channel, &error));
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        for (int i = 0; i < 600; i++) {
            put_frame("question");
            get(got, 2 + 1);
            poll(NULL, 0, i % 3);
        }
        _exit(0);
    }
    for (int i = 0; i < 600; i++) {
        RECEIVES(limits_ms[i % 2], BG_OK);
        ck_assert(is("question"));
        assert_ok(channel_send(channel, "!", 1, &error));
    }
    joined(pid);
}

/* The peer reads each answer while the program already waits for the next message. */
TEST(a_peer_that_reads_wakes_nobody)
{
    enum { ROUNDS = 200 };
    struct rusage before, after;
    uint8_t got[ZMTP_HEAD];
    pid_t pid;

    get_ready();
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        for (int i = 0; i < ROUNDS; i++) {
            put_frame("question");
            poll(NULL, 0, 1);
            get(got, 2 + 1);
            poll(NULL, 0, 1);
        }
        _exit(0);
    }
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < ROUNDS; i++) {
        RECEIVES(-1, BG_OK);
        assert_ok(channel_send(channel, "!", 1, &error));
    }
    getrusage(RUSAGE_SELF, &after);
    joined(pid);
    ck_assert_int_lt(after.ru_nvcsw - before.ru_nvcsw, ROUNDS * 3 / 2); /* one sleep a message */
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
    signals = signals + 1;
}

/* Interrupted while waiting, with and without a time limit. */
TEST_LOOP(signals_do_not_end_a_wait, 0, 2)
{
    struct sigaction action = {.sa_handler = on_signal};
    int limit_ms = _i == 0 ? -1 : WAIT_MS;
    pid_t bot = getpid(), pid;

    sigaction(SIGUSR1, &action, NULL);
    get_ready();
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        for (int i = 0; i < 20; i++) {
            poll(NULL, 0, 5);
            kill(bot, SIGUSR1);
        }
        put_frame("at last");
        _exit(0);
    }
    RECEIVES(limit_ms, BG_OK);
    ck_assert(is("at last"));
    ck_assert_int_gt(signals, 0);
    joined(pid);
}

TEST(a_time_limit_holds)
{
    struct timespec begun, over;
    int64_t took_ms;

    get_ready();
    clock_gettime(CLOCK_MONOTONIC, &begun);
    RECEIVES(50, BG_E_TIMEOUT);
    clock_gettime(CLOCK_MONOTONIC, &over);
    took_ms = (over.tv_sec - begun.tv_sec) * 1000 + (over.tv_nsec - begun.tv_nsec) / 1000000;
    ck_assert_int_ge(took_ms, 49);
}

/* ---------------------------------------------------------------- connections that fail */

TEST(a_referee_that_listens_late_is_reached)
{
    uint8_t ours[ZMTP_GREETING + ZMTP_WRITTEN], theirs[ZMTP_GREETING + ZMTP_WRITTEN + 10];
    pid_t pid;

    assert_ok(channel_open(&channel, endpoint, &error));
    assert_ok(channel_send(channel, "hello", 5, &error));
    RECEIVES(30, BG_E_TIMEOUT);
    SAYS("No such file or directory");
    ck_assert_int_eq(channel_take(channel, &data, &size, &error), BG_E_TIMEOUT);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        listen_here();
        peer = accept(listener, NULL, NULL);
        put(ours, handshake(ours, "ROUTER"));
        get(theirs, handshake(ours, "DEALER") + 2 + 5); /* the greeting, then waiting messages */
        put_frame("hello to you");
        _exit(0);
    }
    RECEIVES(-1, BG_OK);
    ck_assert(is("hello to you"));
    joined(pid);
}

static const struct {
    const char *what, *input;
    size_t size;
    enum bg_status status;
    const char *words;
} strangers[] = {
    {"a web server", "HTTP/1.1 400 Bad Request\r\n", 26, BG_E_LINK,
     "is not a referee: its first byte is 0x48; ZeroMQ begins with 0xff"},
    {"ZMTP 2", "\xff\0\0\0\0\0\0\0\1\x7f\1\5", 12, BG_E_LINK, "is not a referee: it speaks ZMTP 1"},
    {"zeros", "\0\0\0", 3, BG_E_LINK, "is not a referee: its first byte is 0x00"},
    {"silence and an end", "", 0, BG_E_CLOSED, "closes the connection before a word"},
    {"half a greeting", "\xff\0\0\0\0\0\0\0\1\x7f\3", 11, BG_E_CLOSED,
     "closes the connection before a word"},
};

TEST_ROWS(a_peer_that_is_not_a_referee_is_named, strangers)
{
    meet();
    put(strangers[_i].input, strangers[_i].size);
    shutdown(peer, SHUT_WR);
    RECEIVES(WAIT_MS, strangers[_i].status);
    SAYS(strangers[_i].words);
    ck_assert_ptr_eq(strchr(error.text, '\n'), NULL);
    RECEIVES(WAIT_MS, strangers[_i].status); /* and stays so */
}

TEST(another_mechanism_is_named)
{
    size_t length = handshake(bytes, "ROUTER");

    memcpy(bytes + 12, "CURVE", 5);
    meet();
    put(bytes, length);
    RECEIVES(WAIT_MS, BG_E_LINK);
    SAYS("its security mechanism is CURVE");
}

TEST(a_socket_of_another_kind_is_named)
{
    meet();
    put(bytes, handshake(bytes, "PUB"));
    RECEIVES(WAIT_MS, BG_E_LINK);
    SAYS("is not a referee: its socket is a PUB, not a ROUTER");
}

TEST(a_refused_handshake_gives_the_reason)
{
    zmtp_greeting(bytes);
    meet();
    put(bytes, ZMTP_GREETING + zmtp_error(bytes + ZMTP_GREETING, "the house is full"));
    RECEIVES(WAIT_MS, BG_E_REFUSED);
    SAYS("refuses the connection: it sends ERROR: the house is full");
}

TEST(a_silent_peer_is_named)
{
    meet();
    RECEIVES(20, BG_E_TIMEOUT);
    SAYS("does not complete ZeroMQ's handshake");
}

TEST(bytes_out_of_order_after_the_handshake_are_named)
{
    static const struct {
        const char *input;
        size_t size;
        enum bg_status status;
        const char *words;
    } rows[] = {
        {"\x08", 1, BG_E_LINK, "a frame with the flags 0x08"},
        {"\x02\x7f\0\0\0\0\0\0\0", 9, BG_E_LINK, "a frame of 9151314442816847872 bytes"},
        {"\x04\x04\x03XYZ", 6, BG_E_LINK, "a command"},
        {"\x01\x01"
         "a\x00\x01"
         "b",
         6, BG_E_FORMAT, "a message of 2 frames"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        get_ready();
        put(rows[i].input, rows[i].size);
        RECEIVES(WAIT_MS, rows[i].status);
        SAYS(rows[i].words);
        channel_close(channel);
        channel = NULL;
        close(peer);
        close(listener);
        unlink(endpoint + strlen("ipc://"));
    }
}

/* The last messages of a referee that has ended are still read; sending then does not fail. */
TEST(last_messages_are_read_before_the_end)
{
    get_ready();
    put_frame("one");
    put_frame("goodbye");
    put("\0\x05he", 4); /* the end comes in the middle of a message */
    close(peer);
    peer = -1;
    assert_ok(channel_send(channel, "answer", 6, &error));
    assert_ok(channel_send(channel, "answer", 6, &error));
    RECEIVES(-1, BG_OK);
    ck_assert(is("one"));
    RECEIVES(-1, BG_OK);
    ck_assert(is("goodbye"));
    assert_ok(channel_send(channel, "answer", 6, &error));
    RECEIVES(-1, BG_E_CLOSED);
    SAYS("the referee is gone");
    ck_assert_int_eq(channel_take(channel, &data, &size, &error), BG_E_CLOSED);
}

TEST(impossible_endpoints_are_explained_at_once)
{
    char path[200];

    snprintf(path, sizeof path, "ipc:///tmp/%0120d", 1);
    ck_assert_int_eq(channel_open(&channel, path, &error), BG_E_LINK);
    SAYS("longer than 107 bytes");
    ck_assert_int_eq(channel_open(&channel, "ipc:///dev/null/bot", &error), BG_E_LINK);
    SAYS("connect ipc:///dev/null/bot: Not a directory");
    setenv("BGREF_CLIENT", "pigeon", 1);
    ck_assert_int_eq(channel_open(&channel, endpoint, &error), BG_E_ARGUMENT);
    SAYS("BGREF_CLIENT is pigeon: socket or libzmq is possible");
    setenv("BGREF_CLIENT", "socket", 1);
    ck_assert_int_eq(channel_open(&channel, "tcp://127.0.0.1:9", &error), BG_E_ARGUMENT);
    SAYS("that is for ipc://PATH");
}

SUITE_FIXTURE(set_up, tear_down)
