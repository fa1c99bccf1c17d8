/* The door of an event at its host: whose fault the end of a connection is. The host is this test.
 */
#include "support/suite.h"

#include "door/inside.h"
#include "door/lent_door.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct competitor bots[2];
static struct lent_door *door;
static const struct session_door *sessions;
static int host;
static struct inside_queue to_event;
static struct loop *loop;

static void open_door(void)
{
    int pair[2];

    strcpy(bots[0].name, "anna");
    strcpy(bots[1].name, "boris");
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    host = pair[0];
    inside_open(&to_event, host, NULL);
    ck_assert(inside_send(&to_event, INSIDE__KIND__GATEWAY, NULL, getpid(), NULL));
    ck_assert_int_eq(loop_create(&loop, NULL), BG_OK);
    const struct lent_door_setup setup = {
        .fd = pair[1], .bots = bots, .bot_count = 2, .loop = loop};
    ck_assert_int_eq(lent_door_open(&door, &setup, NULL), BG_OK);
    sessions = lent_door_of_sessions(door);
    sessions->opened(sessions->user, 0, "ipc://here", false);
    sessions->opened(sessions->user, 1, "ipc://there", false);
}

static void close_door(void)
{
    lent_door_close(door);
    loop_destroy(loop);
    close(host);
}

TEST(a_failure_of_the_host_excuses_every_bot)
{
    ck_assert(!sessions->is_down(sessions->user, 0));
    ck_assert(inside_send(&to_event, INSIDE__KIND__FAILED, NULL, 0, NULL));
    ck_assert(sessions->is_down(sessions->user, 0));
    ck_assert(sessions->is_down(sessions->user, 1));
}

TEST(an_excuse_ends_when_the_bot_comes)
{
    ck_assert(inside_send(&to_event, INSIDE__KIND__FAILED, NULL, 0, NULL));
    sessions->came(sessions->user, 0);
    ck_assert(!sessions->is_down(sessions->user, 0));
    ck_assert(sessions->is_down(sessions->user, 1));
    ck_assert(inside_send(&to_event, INSIDE__KIND__FAILED, NULL, 0, NULL));
    ck_assert(sessions->is_down(sessions->user, 0));
}

TEST(a_wait_that_begins_has_no_excuse)
{
    ck_assert(inside_send(&to_event, INSIDE__KIND__FAILED, NULL, 0, NULL));
    sessions->opened(sessions->user, 0, "ipc://again", true);
    ck_assert(!sessions->is_down(sessions->user, 0));
}

TEST(the_end_of_the_host_excuses_for_good)
{
    close(host);
    host = -1;
    sessions->came(sessions->user, 0);
    ck_assert(sessions->is_down(sessions->user, 0));
}

TEST(the_hosts_word_on_tables_counts_once_it_is_there)
{
    ck_assert_int_eq(sessions->tables(sessions->user, 0, 3), 3);
    ck_assert(inside_send(&to_event, INSIDE__KIND__TABLES, "anna", 1, NULL));
    ck_assert(inside_send(&to_event, INSIDE__KIND__TABLES, "carl", 2, NULL));
    ck_assert(!sessions->is_down(sessions->user, 0)); /* reads the news */
    ck_assert_int_eq(sessions->tables(sessions->user, 0, 3), 1);
    ck_assert_int_eq(sessions->tables(sessions->user, 1, 3), 3);
    ck_assert(inside_send(&to_event, INSIDE__KIND__TABLES, "anna", 0, NULL)); /* any number */
    ck_assert(!sessions->is_down(sessions->user, 0));
    ck_assert_int_eq(sessions->tables(sessions->user, 0, 3), 0);
}

static int heard, looks;

static bool is_ready;

static void hear(void *user, const Inside__Message *message)
{
    ck_assert(user == NULL && !is_ready);
    is_ready = message->kind == INSIDE__KIND__READY;
    heard++;
}

/* A host that reads late: counts what it hears, until `ready`, which comes last. */
static void on_host(void *user, int64_t now_ns)
{
    ck_assert(inside_each(host, "event", hear, NULL));
    if (is_ready || ++looks == 2000) {
        loop_stop(loop);
    } else {
        loop_after(loop, 1000000, on_host, NULL);
    }
}

TEST(nothing_that_the_event_says_is_lost_when_the_host_reads_late)
{
    enum { TIMES = 2000 };

    for (int i = 0; i < TIMES; i++) {
        sessions->opened(sessions->user, i % 2, "ipc://once-more", true);
    }
    lent_door_ready(door);
    loop_after(loop, 1000000, on_host, NULL);
    ck_assert_int_eq(loop_run(loop, NULL), BG_OK);
    ck_assert_int_eq(heard, 2 + TIMES + 1); /* with those of open_door */
}

SUITE_FIXTURE(open_door, close_door)
