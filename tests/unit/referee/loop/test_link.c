/* The links and the loop: frames, refusals, deadlines, descriptors, folders. Each promise is tested
 * with every link. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

#include "loop/loop.h"
#include "support/suite.h"

#define SECOND_NS INT64_C(1000000000)

enum { MESSAGE_BYTES = 1024 };

static struct link *server;
static struct loop *loop;
static void *context, *dealer;
static char base[64], endpoint[LINK_ENDPOINT];
static link_peer peer;
static bool is_owned;

static bool owns(void *user, pid_t pid)
{
    ck_assert_ptr_eq(user, base);
    ck_assert_int_eq(pid, getpid());
    return is_owned;
}

static void connect_anew(int type, int receive_queue)
{
    int no_time = 0;

    if (dealer != NULL) {
        zmq_close(dealer);
    }
    dealer = zmq_socket(context, type);
    zmq_setsockopt(dealer, ZMQ_LINGER, &no_time, sizeof no_time);
    zmq_setsockopt(dealer, ZMQ_RCVHWM, &receive_queue, sizeof receive_queue);
    ck_assert_int_eq(zmq_connect(dealer, endpoint), 0);
}

static int64_t cpu_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * SECOND_NS + used.tv_nsec;
}

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns);

static int64_t made_idle_ns; /* wall time minus processor time when the loop was made */

static void set_up(void)
{
    is_owned = true;
    strcpy(base, "/tmp/bgref-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("TMPDIR", base, 1);
    unsetenv("XDG_RUNTIME_DIR");
    assert_ok(link_zmtp_open(&server, MESSAGE_BYTES, &error));
    assert_ok(loop_create(&loop, &error));
    assert_ok(loop_add_link(loop, server, on_frame, NULL, &error));
    made_idle_ns = loop_now(loop) - cpu_ns();
    assert_ok(server->ops->open(&peer, endpoint, server, owns, base, &error));
    context = zmq_ctx_new();
    connect_anew(ZMQ_DEALER, 1000);
}

static void tear_down(void)
{
    if (dealer != NULL) {
        zmq_close(dealer);
    }
    zmq_ctx_term(context);
    loop_destroy(loop);
    link_destroy(server);
    ck_assert_msg(rmdir(base) == 0, "the folder of the socket was left in %s", base);
}

static char got[MESSAGE_BYTES * 8];
static size_t got_size;
static struct link_frame last; /* without the data it lent */
static int frames;

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    ck_assert_int_ge(lag_ns, 0);
    ck_assert_int_le(received_ns, loop_now(loop));
    last = *frame;
    last.data = last.text = NULL;
    got_size = frame->size;
    if (frame->what == LINK_MESSAGE) {
        memcpy(got, frame->data, frame->size);
    }
    ck_assert_uint_eq(frame->peer, peer);
    ck_assert_ptr_eq(frame->user, base);
    frames++;
    loop_stop(loop);
}

static void too_long(void *user, int64_t now_ns)
{
    ck_abort_msg("nothing came within ten seconds");
}

static void receive(void)
{
    loop_after(loop, 10 * SECOND_NS, too_long, &frames);
    assert_ok(loop_run(loop, &error));
    loop_forget(loop, &frames);
}

TEST(a_reply_goes_to_the_peer_of_the_frame)
{
    char back[16];

    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_uint_eq(got_size, 5);
    ck_assert_mem_eq(got, "hello", 5);
    ck_assert_int_eq(last.what, LINK_MESSAGE);
    ck_assert_int_eq(last.pid, getpid());
    assert_ok(server->ops->send(server, peer, "welcome", 7, &error));
    ck_assert_int_eq(zmq_recv(dealer, back, sizeof back, 0), 7);
    ck_assert_mem_eq(back, "welcome", 7);
}

TEST(a_message_of_several_frames_is_reported_once)
{
    ck_assert_int_eq(zmq_send(dealer, "two", 3, ZMQ_SNDMORE), 3);
    ck_assert_int_eq(zmq_send(dealer, "frames", 6, 0), 6);
    receive();
    ck_assert_int_eq(last.what, LINK_PARTS);
    ck_assert_uint_eq(got_size, 9);
    ck_assert_int_eq(zmq_send(dealer, "next", 4, 0), 4);
    receive();
    ck_assert_int_eq(last.what, LINK_MESSAGE);
    ck_assert_uint_eq(got_size, 4);
}

/* A REQ socket gets its reply in the form that it can read: with an empty frame before it. */
TEST(the_empty_frame_of_a_req_socket_is_handled)
{
    char back[16];

    connect_anew(ZMQ_REQ, 1000);
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_int_eq(last.what, LINK_DELIMITED);
    assert_ok(server->ops->send(server, peer, "no", 2, &error));
    ck_assert_int_eq(zmq_recv(dealer, back, sizeof back, 0), 2);
}

TEST(sending_to_an_absent_peer_is_refused)
{
    link_peer other;
    char path[LINK_ENDPOINT];

    ck_assert_int_eq(server->ops->send(server, 0, "x", 1, &error), BG_E_CLOSED);
    ck_assert_int_eq(server->ops->send(server, peer, "x", 1, &error), BG_E_CLOSED);
    assert_ok(server->ops->open(&other, path, server, owns, base, &error));
    ck_assert(other != peer && strcmp(path, endpoint) != 0);
    server->ops->close(server, other);
    server->ops->close(server, other);
    ck_assert_int_eq(server->ops->send(server, other, "x", 1, &error), BG_E_CLOSED);
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
}

TEST(an_unknown_process_is_refused_and_reported)
{
    is_owned = false;
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_int_eq(last.what, LINK_STRANGER);
    ck_assert_int_eq(last.pid, getpid());
    ck_assert_int_eq(server->ops->send(server, peer, "x", 1, &error), BG_E_CLOSED);
    is_owned = true; /* the next connection is accepted */
    connect_anew(ZMQ_DEALER, 1000);
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_int_eq(last.what, LINK_MESSAGE);
}

TEST(pending_frames_of_a_closed_door_are_dropped)
{
    struct link_frame frame;

    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(zmq_send(dealer, "more", 4, 0), 4);
    }
    receive();
    server->ops->close(server, peer);
    ck_assert_int_eq(server->ops->receive(&frame, server, loop_now(loop), &error), BG_E_TIMEOUT);
}

TEST(a_shut_door_removes_its_path_and_keeps_its_connection)
{
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_int_eq(access(endpoint + strlen("ipc://"), F_OK), 0);
    server->ops->shut(server, peer);
    ck_assert_int_ne(access(endpoint + strlen("ipc://"), F_OK), 0);
    ck_assert_int_eq(zmq_send(dealer, "again", 5, 0), 5);
    receive();
    ck_assert_int_eq(last.what, LINK_MESSAGE);
}

TEST(sending_to_a_peer_that_does_not_read_fails_at_once)
{
    enum bg_status status = BG_OK;
    static char block[MESSAGE_BYTES];

    connect_anew(ZMQ_DEALER, 1);
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    for (int i = 0; i < 200000 && status == BG_OK; i++) {
        status = server->ops->send(server, peer, block, sizeof block, &error);
    }
    ck_assert_int_eq(status, BG_E_TIMEOUT);
}

/* Sends a Hello, calls end, and waits until the loss is reported. */
static void lose(void (*end)(void))
{
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    server->ops->shut(server, peer);
    end();
    receive();
    ck_assert_int_eq(last.what, LINK_LOST);
    ck_assert_int_eq(server->ops->send(server, peer, "x", 1, &error), BG_E_CLOSED);
}

static void close_dealer(void)
{
    zmq_close(dealer);
    dealer = NULL;
}

static void send_too_much(void)
{
    static char block[4 * MESSAGE_BYTES + 1];

    ck_assert_int_eq(zmq_send(dealer, block, sizeof block, 0), (int)sizeof block);
}

TEST(a_connection_ended_by_the_peer_is_reported)
{
    lose(close_dealer);
    ck_assert_int_eq(last.end, LINK_CLOSED);
}

TEST(a_connection_dropped_for_a_huge_message_is_reported_as_oversized)
{
    lose(send_too_much);
    ck_assert_int_eq(last.end, LINK_OVERSIZED);
}

static int64_t called_ns;

static void note_time(void *user, int64_t now_ns)
{
    called_ns = now_ns;
    loop_stop(loop);
}

TEST(a_deadline_is_never_early)
{
    int64_t before_ns = loop_now(loop);

    loop_after(loop, SECOND_NS / 50, note_time, base);
    assert_ok(loop_run(loop, &error));
    ck_assert_int_ge(called_ns - before_ns, SECOND_NS / 50);
}

/* Like a stopped process: time passes without any work. */
static void hold_up(void *user, int64_t now_ns)
{
    const struct timespec moment = {0, SECOND_NS / 20};

    nanosleep(&moment, NULL);
}

static void work(void *user, int64_t now_ns)
{
    while (cpu_ns() < SECOND_NS / 10) {
    }
}

/* On a busy machine only the time spent waiting for a processor counts. */
TEST(work_of_the_loop_is_not_a_stall)
{
    int64_t idle_ns;

    loop_after(loop, 0, work, base);
    loop_after(loop, 0, note_time, base);
    assert_ok(loop_run(loop, &error));
    idle_ns = loop_now(loop) - cpu_ns() - made_idle_ns;
    ck_assert_int_le(loop_stalled(loop, loop_now(loop)), idle_ns + SECOND_NS / 20);
}

/* Delays before the loop runs, in it and after it stay counted. */
TEST(a_stall_is_counted_once)
{
    int64_t first_ns, now_ns = loop_now(loop);

    hold_up(NULL, now_ns);
    now_ns = loop_now(loop);
    first_ns = loop_stalled(loop, now_ns);
    ck_assert_int_ge(first_ns, SECOND_NS / 20);
    loop_after(loop, 0, hold_up, base);
    loop_after(loop, SECOND_NS / 10, note_time, base);
    assert_ok(loop_run(loop, &error));
    ck_assert_int_ge(loop_stalled(loop, loop_now(loop)), first_ns + SECOND_NS / 20);
    ck_assert_int_le(loop_stalled(loop, loop_now(loop)) - first_ns, loop_now(loop) - now_ns);
}

static enum bg_status wait_held_up(struct link_woken *out, struct link *link, int fd,
                                   int64_t timeout_ns, struct bg_error *err)
{
    const struct timespec stop = {0, SECOND_NS / 5};

    nanosleep(&stop, NULL);
    *out = (struct link_woken){false, true};
    loop_stop(loop);
    return BG_OK;
}

static enum bg_status receive_nothing(struct link_frame *out, struct link *link, int64_t now_ns,
                                      struct bg_error *err)
{
    return BG_E_TIMEOUT;
}

/* A stop that ends long before the next deadline is still counted. */
TEST(a_stop_ends_a_long_wait)
{
    static const struct link_ops ops = {.receive = receive_nothing, .wait = wait_held_up};
    struct link held_up = {.ops = &ops};
    int64_t before_ns;

    loop_destroy(loop);
    assert_ok(loop_create(&loop, &error));
    assert_ok(loop_add_link(loop, &held_up, on_frame, NULL, &error));
    loop_after(loop, 60 * SECOND_NS, note_time, base);
    before_ns = loop_stalled(loop, loop_now(loop));
    assert_ok(loop_run(loop, &error));
    ck_assert_int_ge(loop_stalled(loop, loop_now(loop)) - before_ns, SECOND_NS / 5);
}

static int pipe_fds[2], pipe_calls;

static void on_pipe(void *user)
{
    char byte;

    ck_assert_ptr_eq(user, pipe_fds);
    ck_assert_int_eq(read(pipe_fds[0], &byte, 1), 1);
    if (++pipe_calls == 3) {
        loop_unwatch(loop, pipe_fds[0]);
        loop_stop(loop);
    }
}

TEST(a_descriptor_is_watched_until_the_watch_is_removed)
{
    ck_assert_int_eq(pipe(pipe_fds), 0);
    ck_assert_int_eq(write(pipe_fds[1], "abcd", 4), 4);
    assert_ok(loop_watch(loop, pipe_fds[0], on_pipe, pipe_fds, &error));
    assert_ok(loop_run(loop, &error));
    loop_after(loop, SECOND_NS / 100, note_time, base);
    assert_ok(loop_run(loop, &error));
    ck_assert_int_eq(pipe_calls, 3);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}

/* Whether an abandoned socket folder of this age still exists after another link was opened. */
static bool survives(const char *name, int age_s)
{
    static const char lock_text[] = "sockets of a bgref that runs while this file is locked\n";
    struct link *second;
    char folder[128], lock[160], door[160], bot[192];
    struct timespec times[2] = {{time(NULL) - age_s, 0}, {time(NULL) - age_s, 0}};
    int fd;

    snprintf(folder, sizeof folder, "%s/%s", base, name);
    snprintf(lock, sizeof lock, "%s/lock", folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    snprintf(door, sizeof door, "%s/7", folder);
    snprintf(bot, sizeof bot, "%s/bot", door);
    ck_assert_int_eq(mkdir(door, 0700), 0);
    fd = open(bot, O_CREAT | O_WRONLY, 0600); /* replaces its socket */
    ck_assert_int_ge(fd, 0);
    close(fd);
    fd = open(lock, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, lock_text, sizeof lock_text - 1), sizeof lock_text - 1);
    close(fd);
    ck_assert_int_eq(utimensat(AT_FDCWD, folder, times, 0), 0);
    assert_ok(link_zmtp_open(&second, MESSAGE_BYTES, &error));
    link_destroy(second);
    if (access(folder, F_OK) != 0) {
        return false;
    }
    unlink(bot);
    rmdir(door);
    unlink(lock);
    rmdir(folder);
    return true;
}

TEST(abandoned_folders_are_swept_and_others_left_alone)
{
    ck_assert(!survives("bgref-old123", 3600));
    ck_assert(survives("bgref-new123", 0));
    ck_assert(survives("somebody-else", 3600));
    ck_assert(access(endpoint + strlen("ipc://"), F_OK) == 0);
}

SUITE_FIXTURE(set_up, tear_down)
