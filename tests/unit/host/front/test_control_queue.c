/* Messages between processes of a door whose socket is full: none is lost, none overtakes. */
#include "support/suite.h"

#include <front/control.h>
#include <front/control_queue.h>

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGES = 5000 }; /* a socket has room for some hundreds */

static int ends[2];
static struct control_queue queue;
static struct loop *loop;
static int taken, stuck, looks;

static void open_pair(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    ck_assert_int_eq(loop_create(&loop, NULL), BG_OK);
    taken = stuck = looks = 0;
}

static void close_pair(void)
{
    control_queue_close(&queue);
    loop_destroy(loop);
    close(ends[0]);
    close(ends[1]);
}

/* Takes what has come, which must be the next numbers. */
static void take_all(void)
{
    char text[CONTROL_TEXT], expected[CONTROL_TEXT];

    while (control_take(text, ends[1]) == CONTROL_LINE) {
        snprintf(expected, sizeof expected, "open bot%d", taken++);
        ck_assert_str_eq(text, expected);
    }
}

static void send_all(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        ck_assert(control_queue_send(&queue, "open bot%d", i));
    }
}

START_TEST(a_full_socket_loses_nothing_when_its_owner_flushes)
{
    control_queue_open(&queue, ends[0], NULL);
    send_all();
    ck_assert(control_queue_waits(&queue));
    for (int i = 0; i < MESSAGES && taken < MESSAGES; i++) {
        take_all();
        ck_assert(control_queue_flush(&queue));
    }
    ck_assert_int_eq(taken, MESSAGES);
    ck_assert(!control_queue_waits(&queue));
    ck_assert_uint_eq(queue.bytes, 0);
}
END_TEST

static void on_look(void *user, int64_t now_ns)
{
    (void)user;
    (void)now_ns;
    take_all();
    if (taken == MESSAGES || ++looks == MESSAGES) {
        loop_stop(loop);
    } else {
        loop_after(loop, 1000000, on_look, NULL);
    }
}

START_TEST(a_loop_sends_what_waits_without_further_calls)
{
    control_queue_open(&queue, ends[0], loop);
    send_all();
    loop_after(loop, 1000000, on_look, NULL);
    ck_assert_int_eq(loop_run(loop, NULL), BG_OK);
    ck_assert_int_eq(taken, MESSAGES);
}
END_TEST

START_TEST(finishing_waits_for_a_reader_and_not_for_ever)
{
    control_queue_open(&queue, ends[0], NULL);
    send_all();
    control_queue_finish(&queue, 20); /* nobody reads */
    ck_assert(control_queue_waits(&queue));
    for (int i = 0; i < MESSAGES && taken < MESSAGES; i++) {
        take_all();
        control_queue_finish(&queue, 1);
    }
    ck_assert_int_eq(taken, MESSAGES);
}
END_TEST

static void on_stuck(void *user)
{
    ck_assert_ptr_eq(user, &queue);
    stuck++;
}

START_TEST(a_side_that_never_reads_is_given_up_once)
{
    char filler[900];
    int sent = 0;

    memset(filler, 'x', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    control_queue_open(&queue, ends[0], NULL);
    queue.stuck = on_stuck;
    queue.user = &queue;
    while (sent < 1000000 && control_queue_send(&queue, "%s", filler)) {
        sent++;
    }
    ck_assert_int_gt(sent, CONTROL_QUEUE_BYTES / CONTROL_TEXT);
    ck_assert_int_lt(sent, 1000000);
    ck_assert(!control_queue_send(&queue, "again"));
    ck_assert(!control_queue_waits(&queue));
    ck_assert_int_eq(stuck, 1);
}
END_TEST

START_TEST(the_end_of_the_other_side_is_not_reported_as_stuck)
{
    control_queue_open(&queue, ends[0], NULL);
    queue.stuck = on_stuck;
    send_all();
    close(ends[1]);
    ends[1] = -1;
    ck_assert(!control_queue_flush(&queue));
    ck_assert(!control_queue_send(&queue, "again"));
    ck_assert_int_eq(stuck, 0);
}
END_TEST

void suite_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, open_pair, close_pair);
    tcase_add_test(tests, a_full_socket_loses_nothing_when_its_owner_flushes);
    tcase_add_test(tests, a_loop_sends_what_waits_without_further_calls);
    tcase_add_test(tests, finishing_waits_for_a_reader_and_not_for_ever);
    tcase_add_test(tests, a_side_that_never_reads_is_given_up_once);
    tcase_add_test(tests, the_end_of_the_other_side_is_not_reported_as_stuck);
}
