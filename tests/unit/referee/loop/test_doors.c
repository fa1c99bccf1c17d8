/* Doors attacked by bots: the limits of a bot at its door, and that the referee and the others do
 * not suffer. Bots are bare sockets here; receive's argument sets the time. */
#define _GNU_SOURCE /* struct ucred */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "loop/link.h"
#include "support/suite.h"
#include "wire/zmtp.h"

#define MS_NS INT64_C(1000000)

enum { MESSAGE_BYTES = 1024, STEP_MS = 50, FRAMES_MOST = 100000 };

static struct link *server;
static char base[64];
static int64_t now_ns;

struct bot {
    link_peer peer;
    char endpoint[LINK_ENDPOINT];
    int fd;
};

static struct bot bot;

static bool owns(void *user, pid_t pid)
{
    return pid == getpid();
}

static void open_door(struct bot *to)
{
    to->fd = -1;
    assert_ok(server->ops->open(&to->peer, to->endpoint, server, owns, to, &error));
}

static void set_up(void)
{
    strcpy(base, "/tmp/bgref-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("TMPDIR", base, 1);
    unsetenv("XDG_RUNTIME_DIR");
    assert_ok(link_zmtp_open(&server, MESSAGE_BYTES, &error));
    now_ns = 1000 * MS_NS;
    open_door(&bot);
}

static void tear_down(void)
{
    link_destroy(server);
    if (bot.fd >= 0) {
        close(bot.fd);
    }
    ck_assert_msg(rmdir(base) == 0, "something was left in %s", base);
}

/* Connects; -1: refused. */
static int knock(const char *endpoint)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    ck_assert_int_ge(fd, 0);
    strcpy(address.sun_path, endpoint + strlen("ipc://"));
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static void say(int fd, const void *data, size_t size)
{
    ck_assert_int_eq(send(fd, data, size, MSG_NOSIGNAL), (ssize_t)size);
}

static void greet(int fd)
{
    uint8_t bytes[ZMTP_GREETING + ZMTP_WRITTEN];

    zmtp_greeting(bytes);
    say(fd, bytes, ZMTP_GREETING + zmtp_ready(bytes + ZMTP_GREETING, "DEALER"));
}

static void say_frame(int fd, const char *text)
{
    uint8_t head[ZMTP_HEAD];

    say(fd, head, zmtp_head(head, strlen(text), false));
    say(fd, text, strlen(text));
}

static void connect_bot(struct bot *to)
{
    to->fd = knock(to->endpoint);
    ck_assert_int_ge(to->fd, 0);
    greet(to->fd);
}

/* Receives the next frame, advancing time if necessary; what==-1: none within this many
 * milliseconds. */
static struct link_frame next_within(int ms)
{
    struct link_frame frame;

    for (int passed = 0; passed <= ms; passed += STEP_MS) {
        /* A connected socket's other end exists immediately: nothing to wait for. */
        for (int i = 0; i < 8; i++) {
            if (server->ops->receive(&frame, server, now_ns, &error) == BG_OK) {
                return frame;
            }
        }
        now_ns += STEP_MS * MS_NS;
    }
    frame.what = (enum link_what) - 1;
    return frame;
}

static struct link_frame next(void)
{
    struct link_frame frame = next_within(0);

    ck_assert_int_ne((int)frame.what, -1);
    return frame;
}

static void assert_nothing(void)
{
    ck_assert_int_eq((int)next_within(0).what, -1);
}

static void assert_lost(enum link_end end, const char *text)
{
    struct link_frame frame = next();

    ck_assert_int_eq(frame.what, LINK_LOST);
    ck_assert_int_eq(frame.end, end);
    ck_assert_msg(strstr(frame.text, text) != NULL, "%s", frame.text);
    ck_assert_uint_eq(frame.peer, bot.peer);
}

static bool is_closed(int fd)
{
    char bytes[4096];
    ssize_t size;

    while ((size = recv(fd, bytes, sizeof bytes, 0)) > 0) {
    }
    return size == 0 || errno == ECONNRESET;
}

TEST(only_one_connection_is_accepted_at_a_time)
{
    int others[4];

    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    for (int i = 0; i < 4; i++) {
        others[i] = knock(bot.endpoint);
        ck_assert_int_ge(others[i], 0);
        say(others[i], "rubbish", 7);
    }
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    assert_nothing();
    server->ops->shut(server, bot.peer);
    assert_nothing();
    for (int i = 0; i < 4; i++) {
        ck_assert(is_closed(others[i]));
        close(others[i]);
    }
    ck_assert_int_eq(knock(bot.endpoint), -1);
    say_frame(bot.fd, "more");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
}

/* A hard link to the socket does not help either. */
TEST(a_hard_link_to_a_closed_socket_is_useless)
{
    char kept[LINK_ENDPOINT];

    snprintf(kept, sizeof kept, "ipc://%s/kept", base);
    ck_assert_int_eq(link(bot.endpoint + strlen("ipc://"), kept + strlen("ipc://")), 0);
    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    server->ops->shut(server, bot.peer);
    ck_assert_int_eq(knock(kept), -1);
    unlink(kept + strlen("ipc://"));
}

TEST(a_start_fails_after_too_many_lost_connections)
{
    for (int i = 0; i < LINK_ATTEMPTS; i++) {
        int fd = knock(bot.endpoint);

        ck_assert_msg(fd >= 0, "attempt %d", i);
        assert_nothing(); /* it is accepted */
        close(fd);
        if (i + 1 < LINK_ATTEMPTS) {
            assert_nothing();
        }
    }
    assert_lost(LINK_TIRED, "8 connections ended before a first message");
    assert_nothing();
}

TEST(an_incomplete_handshake_times_out_and_counts)
{
    int fd = knock(bot.endpoint);
    uint8_t greeting[ZMTP_GREETING];

    zmtp_greeting(greeting);
    say(fd, greeting, 10);
    ck_assert_int_eq((int)next_within(4900).what, -1);
    ck_assert(!is_closed(fd));
    ck_assert_int_eq((int)next_within(200).what, -1);
    ck_assert(is_closed(fd));
    close(fd);
    connect_bot(&bot); /* the next one may connect */
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
}

/* Time in which the referee was stopped is not charged to a bot. */
TEST(a_stopped_referee_charges_no_time)
{
    int fd = knock(bot.endpoint);

    assert_nothing();
    now_ns += 60 * 1000 * MS_NS;
    assert_nothing();
    ck_assert(!is_closed(fd));
    close(fd);
}

TEST(foreign_processes_are_refused_reported_and_not_charged_to_the_bot)
{
    int reported = 0;

    for (int i = 0; i < 3 * LINK_ATTEMPTS; i++) {
        pid_t child = fork();

        if (child == 0) {
            int fd = knock(bot.endpoint);

            greet(fd);
            _exit(0);
        }
        for (int looks = 0; looks < 2000 && reported <= i; looks++) {
            struct link_frame frame = next_within(0);

            if ((int)frame.what == -1) {
                poll(NULL, 0, 1);
                continue;
            }
            ck_assert_int_eq(frame.what, LINK_STRANGER);
            ck_assert_int_eq(frame.pid, child);
            reported++;
        }
        ck_assert_int_eq(reported, i + 1);
    }
    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
}

TEST(an_announced_gigabyte_is_refused_before_it_is_read)
{
    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    server->ops->shut(server, bot.peer);
    say(bot.fd, "\2\0\0\0\0\x40\0\0\0", 9);
    assert_lost(LINK_OVERSIZED, "a frame of 1073741824 bytes; at most 4096 are taken");
    ck_assert(is_closed(bot.fd));
}

TEST(a_message_of_endless_frames_is_refused)
{
    connect_bot(&bot);
    for (int i = 0; i < ZMTP_PARTS + 6; i++) {
        say(bot.fd, "\1\1p", 3);
    }
    assert_lost(LINK_ENDLESS, "more than 64 frames");
}

TEST(a_first_byte_that_is_not_zeromq_is_named)
{
    bot.fd = knock(bot.endpoint);
    say(bot.fd, "GET / HTTP/1.1\r\n\r\n", 18);
    assert_lost(LINK_GARBLED, "its first byte is 0x47; ZeroMQ begins with 0xff");
}

TEST(another_kind_of_socket_is_named)
{
    uint8_t bytes[ZMTP_GREETING + ZMTP_WRITTEN];

    bot.fd = knock(bot.endpoint);
    zmtp_greeting(bytes);
    say(bot.fd, bytes, ZMTP_GREETING + zmtp_ready(bytes + ZMTP_GREETING, "PUB"));
    assert_lost(LINK_GARBLED, "its socket is a PUB; a bot needs a DEALER");
}

TEST(a_ping_is_answered_and_counted)
{
    static const char pong[] = "\4\7\4PONGhi";
    char bytes[512];
    ssize_t size;

    connect_bot(&bot);
    say(bot.fd, "\4\11\4PING\0\1hi", 11);
    ck_assert_int_eq(next().what, LINK_COMMAND);
    size = recv(bot.fd, bytes, sizeof bytes, 0);
    ck_assert_int_gt(size, (ssize_t)sizeof pong);
    ck_assert_mem_eq(bytes + size - (ssize_t)(sizeof pong - 1), pong, sizeof pong - 1);
}

/* A message that cannot be sent for a second ends the connection, even if few bytes are waiting. */
TEST(a_peer_that_does_not_read_is_detected_by_timeout)
{
    static char block[8192];
    int sent = 0;
    struct link_frame frame;

    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    server->ops->shut(server, bot.peer);
    while (server->ops->send(server, bot.peer, block, sizeof block, &error) == BG_OK &&
           sent++ < 30) {
    }
    ck_assert_int_ge(sent, 30); /* more than the kernel takes, less than the link's limit */
    ck_assert_int_eq((int)next_within(900).what, -1);
    frame = next_within(300);
    ck_assert_int_eq(frame.what, LINK_LOST);
    ck_assert_int_eq(frame.end, LINK_UNREAD);
}

/* A peer that reads slowly is not disconnected. */
TEST(a_slow_reader_is_not_reported_as_unread)
{
    static char block[8192];

    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    for (int i = 0; i < 50; i++) {
        int64_t before_ns = now_ns;

        assert_ok(server->ops->send(server, bot.peer, block, sizeof block, &error));
        ck_assert_int_eq((int)next_within(200).what, -1);
        ck_assert_int_gt(now_ns, before_ns);
        for (size_t read = 0; read < sizeof block;) {
            ssize_t size = recv(bot.fd, block, sizeof block - read, 0);

            if (size <= 0) {
                break;
            }
            read += (size_t)size;
        }
    }
}

TEST(sending_beyond_the_buffer_limit_is_refused)
{
    static char block[8192];
    enum bg_status status = BG_OK;
    int sent = 0;

    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    while (status == BG_OK && sent++ < 1000) {
        status = server->ops->send(server, bot.peer, block, sizeof block, &error);
    }
    ck_assert_int_eq(status, BG_E_TIMEOUT);
    ck_assert_int_lt(sent * 8, 1024); /* KiB: our 256 and the kernel's buffers */
}

/* A peer that sends a lot gets one read of 64 KiB, then the others have their turn. */
TEST(a_flooding_peer_does_not_starve_others)
{
    struct bot quiet;
    char many[60000];
    int heard = 0, rounds = 0;

    open_door(&quiet);
    connect_bot(&quiet);
    connect_bot(&bot);
    say_frame(quiet.fd, "hello");
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    ck_assert_int_eq(next().what, LINK_MESSAGE);
    memset(many, 0, sizeof many); /* empty frames */
    say(bot.fd, many, sizeof many);
    say_frame(quiet.fd, "me too");
    for (int i = 0; i < FRAMES_MOST && rounds == 0; i++) {
        struct link_frame frame = next();

        ck_assert_int_eq(frame.what, LINK_MESSAGE);
        if (frame.peer == bot.peer) {
            send(bot.fd, "\0\0", 2, MSG_NOSIGNAL); /* it never stops */
            heard++;
        } else {
            rounds++;
        }
    }
    ck_assert_int_eq(rounds, 1);
    ck_assert_int_le(heard, 2 * 64 * 1024 / 2);
    server->ops->close(server, quiet.peer);
    close(quiet.fd);
}

/* When descriptors run out, connections are refused, and the loop neither spins nor ends. */
TEST(connections_are_refused_when_descriptors_run_out)
{
    int taken[4096], count = 0, fd = knock(bot.endpoint);
    struct rlimit limit = {64, 64}, old;

    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
    limit.rlim_max = old.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    while (count < 4096 && (taken[count] = open("/dev/null", O_RDONLY)) >= 0) {
        count++;
    }
    ck_assert_int_eq(errno, EMFILE);
    assert_nothing();
    while (count > 0) {
        close(taken[--count]);
    }
    ck_assert(is_closed(fd));
    close(fd);
    connect_bot(&bot);
    say_frame(bot.fd, "hello");
    ck_assert_int_eq(next().what, LINK_MESSAGE);
}

SUITE_FIXTURE(set_up, tear_down)
