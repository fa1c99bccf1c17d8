/* The ROUTER link and the loop: frames, what is refused, deadlines, descriptors, folders. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

#include "loop/loop.h"

#define SECOND_NS INT64_C(1000000000)

enum { MESSAGE_BYTES = 1024 };

static struct link *server;
static struct loop *loop;
static void *context, *dealer;
static struct bg_error err;
static char base[64];

static void set_up(void)
{
    strcpy(base, "/tmp/bgref-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("TMPDIR", base, 1);
    unsetenv("XDG_RUNTIME_DIR");
    ck_assert_int_eq(link_zmq_open(&server, MESSAGE_BYTES, &err), BG_OK);
    ck_assert_int_eq(loop_create(&loop, server, &err), BG_OK);
    context = zmq_ctx_new();
    dealer = zmq_socket(context, ZMQ_DEALER);
    ck_assert_int_eq(zmq_connect(dealer, server->ops->endpoint(server)), 0);
}

static void tear_down(void)
{
    zmq_close(dealer);
    zmq_ctx_term(context);
    loop_destroy(loop);
    link_destroy(server);
    ck_assert_msg(rmdir(base) == 0, "the folder of the socket was left in %s", base);
}

static struct link_peer peer;
static char got[MESSAGE_BYTES * 8];
static size_t got_size;
static pid_t got_pid;
static int frames;

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    (void)user;
    ck_assert_int_ge(lag_ns, 0);
    ck_assert_int_le(received_ns, loop_now(loop));
    peer = frame->peer;
    got_size = frame->size;
    got_pid = server->ops->sender_pid(server);
    memcpy(got, frame->data, frame->size);
    frames++;
    loop_stop(loop);
}

static void too_long(void *user, int64_t now_ns)
{
    (void)user;
    (void)now_ns;
    ck_abort_msg("nothing came within ten seconds");
}

static void receive(void)
{
    loop_on_frame(loop, on_frame, NULL);
    ck_assert_int_eq(loop_after(loop, 10 * SECOND_NS, too_long, &frames, &err), BG_OK);
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    loop_forget(loop, &frames);
}

START_TEST(a_frame_comes_with_its_peer_and_goes_back_to_it)
{
    char back[16];

    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    ck_assert_uint_eq(got_size, 5);
    ck_assert_mem_eq(got, "hello", 5);
    ck_assert_int_eq(got_pid, getpid());
    ck_assert_int_eq(server->ops->send(server, &peer, "welcome", 7, &err), BG_OK);
    ck_assert_int_eq(zmq_recv(dealer, back, sizeof back, 0), 7);
    ck_assert_mem_eq(back, "welcome", 7);
}
END_TEST

START_TEST(a_message_of_several_frames_is_an_empty_one)
{
    ck_assert_int_eq(zmq_send(dealer, "two", 3, ZMQ_SNDMORE), 3);
    ck_assert_int_eq(zmq_send(dealer, "frames", 6, 0), 6);
    receive();
    ck_assert_uint_eq(got_size, 0);
    ck_assert_int_eq(zmq_send(dealer, "next", 4, 0), 4);
    receive();
    ck_assert_uint_eq(got_size, 4);
}
END_TEST

START_TEST(nobody_by_that_name_is_told_as_gone)
{
    struct link_peer nobody = {5, {0, 1, 2, 3, 4}};

    ck_assert_int_eq(server->ops->send(server, &nobody, "x", 1, &err), BG_E_CLOSED);
}
END_TEST

START_TEST(a_peer_that_does_not_read_is_told_not_waited_for)
{
    enum bg_status status = BG_OK;
    static char block[MESSAGE_BYTES];

    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    for (int i = 0; i < 200000 && status == BG_OK; i++) {
        status = server->ops->send(server, &peer, block, sizeof block, &err);
    }
    ck_assert_int_eq(status, BG_E_TIMEOUT);
}
END_TEST

static struct link_loss loss;

static void on_lost(void *user)
{
    (void)user;
    if (server->ops->next_lost(&loss, server)) {
        loop_stop(loop);
    }
}

/* Sends a Hello that is minded, has end do something, and waits until the loss is told. */
static void lose(void (*end)(void))
{
    ck_assert_int_eq(zmq_send(dealer, "hello", 5, 0), 5);
    receive();
    server->ops->mind(server, &peer);
    ck_assert_int_eq(loop_watch(loop, server->ops->lost_fd(server), on_lost, NULL, &err), BG_OK);
    ck_assert_int_eq(loop_after(loop, 10 * SECOND_NS, too_long, &frames, &err), BG_OK);
    end();
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    ck_assert(link_peer_equal(&loss.peer, &peer));
    ck_assert(!server->ops->next_lost(&loss, server));
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

START_TEST(a_connection_that_the_peer_ends_is_told)
{
    lose(close_dealer);
    ck_assert(!loss.by_us);
}
END_TEST

START_TEST(a_connection_dropped_for_a_huge_message_is_told_as_ours)
{
    lose(send_too_much);
    ck_assert(loss.by_us);
}
END_TEST

static int64_t called_ns;

static void note_time(void *user, int64_t now_ns)
{
    (void)user;
    called_ns = now_ns;
    loop_stop(loop);
}

START_TEST(a_deadline_is_never_early)
{
    int64_t before_ns = loop_now(loop);

    loop_on_frame(loop, on_frame, NULL);
    ck_assert_int_eq(loop_after(loop, SECOND_NS / 50, note_time, base, &err), BG_OK);
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    ck_assert_int_ge(called_ns - before_ns, SECOND_NS / 50);
}
END_TEST

static void hold_up(void *user, int64_t now_ns)
{
    (void)user;
    while (loop_now(loop) < now_ns + SECOND_NS / 20) { /* the stall itself */
    }
}

/* What was held up before the loop runs, in it and after it stays counted. */
START_TEST(a_stall_is_counted_once_and_stays)
{
    int64_t first_ns, now_ns = loop_now(loop);

    hold_up(NULL, now_ns);
    now_ns = loop_now(loop);
    first_ns = loop_stalled(loop, now_ns);
    ck_assert_int_ge(first_ns, SECOND_NS / 20);
    loop_on_frame(loop, on_frame, NULL);
    ck_assert_int_eq(loop_after(loop, 0, hold_up, base, &err), BG_OK);
    ck_assert_int_eq(loop_after(loop, SECOND_NS / 10, note_time, base, &err), BG_OK);
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    ck_assert_int_ge(loop_stalled(loop, loop_now(loop)), first_ns + SECOND_NS / 20);
    ck_assert_int_le(loop_stalled(loop, loop_now(loop)) - first_ns, loop_now(loop) - now_ns);
}
END_TEST

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

START_TEST(a_descriptor_is_watched_until_it_is_not)
{
    ck_assert_int_eq(pipe(pipe_fds), 0);
    ck_assert_int_eq(write(pipe_fds[1], "abcd", 4), 4);
    loop_on_frame(loop, on_frame, NULL);
    ck_assert_int_eq(loop_watch(loop, pipe_fds[0], on_pipe, pipe_fds, &err), BG_OK);
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    ck_assert_int_eq(loop_after(loop, SECOND_NS / 100, note_time, base, &err), BG_OK);
    ck_assert_int_eq(loop_run(loop, &err), BG_OK);
    ck_assert_int_eq(pipe_calls, 3);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}
END_TEST

/* Whether an abandoned socket folder of this age is still there after another link was opened. */
static bool survives(const char *name, int age_s)
{
    struct link *second;
    char folder[128], lock[160];
    struct timespec times[2] = {{time(NULL) - age_s, 0}, {time(NULL) - age_s, 0}};
    int fd;

    snprintf(folder, sizeof folder, "%s/%s", base, name);
    snprintf(lock, sizeof lock, "%s/lock", folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    fd = open(lock, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(utimensat(AT_FDCWD, folder, times, 0), 0);
    ck_assert_int_eq(link_zmq_open(&second, MESSAGE_BYTES, &err), BG_OK);
    link_destroy(second);
    if (access(folder, F_OK) != 0) {
        return false;
    }
    unlink(lock);
    rmdir(folder);
    return true;
}

START_TEST(abandoned_folders_are_swept_and_others_left_alone)
{
    ck_assert(!survives("bgref-old", 3600));
    ck_assert(survives("bgref-new", 0));
    ck_assert(survives("somebody-else", 3600));
    ck_assert(access(server->ops->endpoint(server) + strlen("ipc://"), F_OK) == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("link");
    TCase *tests = tcase_create("link");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_frame_comes_with_its_peer_and_goes_back_to_it);
    tcase_add_test(tests, a_message_of_several_frames_is_an_empty_one);
    tcase_add_test(tests, nobody_by_that_name_is_told_as_gone);
    tcase_add_test(tests, a_connection_that_the_peer_ends_is_told);
    tcase_add_test(tests, a_connection_dropped_for_a_huge_message_is_told_as_ours);
    tcase_add_test(tests, a_peer_that_does_not_read_is_told_not_waited_for);
    tcase_add_test(tests, a_deadline_is_never_early);
    tcase_add_test(tests, a_stall_is_counted_once_and_stays);
    tcase_add_test(tests, a_descriptor_is_watched_until_it_is_not);
    tcase_add_test(tests, abandoned_folders_are_swept_and_others_left_alone);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
