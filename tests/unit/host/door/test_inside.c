/* Messages between processes of a door whose socket is full: none is lost, none overtakes. */
#include "support/suite.h"

#include "door/inside.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGES = 5000 }; /* a socket has room for some hundreds */

static int ends[2];
static struct inside_queue queue;
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
    inside_close(&queue);
    loop_destroy(loop);
    close(ends[0]);
    close(ends[1]);
}

static void take_one(void *user, const Inside__Message *message)
{
    ck_assert(user == NULL && message->kind == INSIDE__KIND__MARK);
    ck_assert_int_eq(message->number, taken++);
}

/* Takes what has come, which must be the next numbers. */
static void take_all(void)
{
    ck_assert(inside_each(ends[1], "test", take_one, NULL));
}

static void send_all(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        ck_assert(inside_send(&queue, INSIDE__KIND__MARK, NULL, i, NULL));
    }
}

TEST(a_full_socket_loses_nothing_when_its_owner_flushes)
{
    inside_open(&queue, ends[0], NULL);
    send_all();
    ck_assert(inside_waits(&queue));
    for (int i = 0; i < MESSAGES && taken < MESSAGES; i++) {
        take_all();
        ck_assert(inside_flush(&queue));
    }
    ck_assert_int_eq(taken, MESSAGES);
    ck_assert(!inside_waits(&queue));
    ck_assert_uint_eq(queue.bytes, 0);
}

static void on_look(void *user, int64_t now_ns)
{
    take_all();
    if (taken == MESSAGES || ++looks == MESSAGES) {
        loop_stop(loop);
    } else {
        loop_after(loop, 1000000, on_look, NULL);
    }
}

TEST(a_loop_sends_what_waits_without_further_calls)
{
    inside_open(&queue, ends[0], loop);
    send_all();
    loop_after(loop, 1000000, on_look, NULL);
    ck_assert_int_eq(loop_run(loop, NULL), BG_OK);
    ck_assert_int_eq(taken, MESSAGES);
}

TEST(finishing_waits_for_a_reader_and_not_for_ever)
{
    inside_open(&queue, ends[0], NULL);
    send_all();
    inside_finish(&queue, 20); /* nobody reads */
    ck_assert(inside_waits(&queue));
    for (int i = 0; i < MESSAGES && taken < MESSAGES; i++) {
        take_all();
        inside_finish(&queue, 1);
    }
    ck_assert_int_eq(taken, MESSAGES);
}

static void on_stuck(void *user)
{
    ck_assert_ptr_eq(user, &queue);
    stuck++;
}

TEST(a_side_that_never_reads_is_given_up_once)
{
    char filler[900];
    int sent = 0;

    memset(filler, 'x', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    inside_open(&queue, ends[0], NULL);
    queue.stuck = on_stuck;
    queue.user = &queue;
    while (sent < 1000000 && inside_send(&queue, INSIDE__KIND__NOTE, NULL, 0, filler)) {
        sent++;
    }
    ck_assert_int_gt(sent, INSIDE_QUEUE_BYTES / INSIDE_TEXT);
    ck_assert_int_lt(sent, 1000000);
    ck_assert(!inside_send(&queue, INSIDE__KIND__MARK, NULL, 0, NULL));
    ck_assert(!inside_waits(&queue));
    ck_assert_int_eq(stuck, 1);
}

TEST(the_end_of_the_other_side_is_not_reported_as_stuck)
{
    inside_open(&queue, ends[0], NULL);
    queue.stuck = on_stuck;
    send_all();
    close(ends[1]);
    ends[1] = -1;
    ck_assert(!inside_flush(&queue));
    ck_assert(!inside_send(&queue, INSIDE__KIND__MARK, NULL, 0, NULL));
    ck_assert_int_eq(stuck, 0);
}

TEST(a_text_is_cut_to_its_limit)
{
    char text[2 * INSIDE_TEXT] = "";
    Inside__Message *read;

    memset(text, 'x', sizeof text - 1);
    inside_open(&queue, ends[0], NULL);
    ck_assert(inside_send(&queue, INSIDE__KIND__NOTE, NULL, 0, text));
    ck_assert_int_eq(inside_take(&read, ends[1], "test"), INSIDE_MESSAGE);
    ck_assert_uint_eq(strlen(read->text), INSIDE_TEXT - 1);
    inside__message__free_unpacked(read, NULL);
}

TEST(the_largest_message_is_within_the_bounds)
{
    char text[INSIDE_TEXT] = "";
    uint64_t counts[INSIDE_COUNTS];
    Inside__Message largest = INSIDE__MESSAGE__INIT;

    memset(text, 'x', sizeof text - 1);
    memset(counts, 0xff, sizeof counts);
    largest.kind = (Inside__Kind)-1;
    largest.number = -1;
    largest.text = text;
    largest.bot = text + INSIDE_TEXT - INSIDE_NAME;
    largest.place = text + INSIDE_TEXT - INSIDE_PLACE;
    largest.counts = counts;
    largest.n_counts = INSIDE_COUNTS;
    /* three terminators are not sent */
    ck_assert_uint_eq(inside__message__get_packed_size(&largest), INSIDE_BYTES - 3);
}

/* Who answers each message with another one would be read without end. */
static void take_and_send(void *user, const Inside__Message *message)
{
    if (++taken < MESSAGES) {
        ck_assert(inside_send(&queue, INSIDE__KIND__MARK, NULL, 0, NULL));
    }
}

TEST(a_side_that_never_stops_sending_does_not_hold_the_reader)
{
    inside_open(&queue, ends[0], NULL);
    ck_assert(inside_send(&queue, INSIDE__KIND__MARK, NULL, 0, NULL));
    ck_assert(inside_each(ends[1], "test", take_and_send, NULL));
    ck_assert_int_eq(taken, INSIDE_AT_ONCE);
}

/* A field cut off, one that is no field, and a text with which it is too large. */
static const struct {
    uint8_t bytes[INSIDE_BYTES + 1];
    size_t size;
} damaged[] = {
    {{0x12, 5, 'a'}, 3},
    {{0xff, 0xff, 0xff}, 3},
    {{0x1a, 0x80 | ((INSIDE_BYTES - 2) & 0x7f), (INSIDE_BYTES - 2) >> 7}, INSIDE_BYTES + 1}};

TEST_ROWS(damaged_bytes_are_the_end_of_the_other_side, damaged)
{
    Inside__Message *read;

    ck_assert_int_gt(send(ends[0], damaged[_i].bytes, damaged[_i].size, 0), 0);
    ck_assert_int_eq(inside_take(&read, ends[1], "test"), INSIDE_ENDED);
    ck_assert_int_eq(inside_take(&read, ends[1], "test"), INSIDE_ENDED); /* it stays so */
}

SUITE_FIXTURE(open_pair, close_pair)
