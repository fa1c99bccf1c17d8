/* Which end of a connection counts as a start of the bot. The other side is a socket, or gone. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/call.h"
#include "door/callers.h"
#include "door/guests.h"
#include "support/suite.h"

enum { STARTS = 2 };
#define NOW_NS INT64_C(1000000000000)

static struct callers callers;
static struct call_common common;
static struct caller caller;
static struct guest guest;
static int ends[2];

static void set_up(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    callers = (struct callers){.epoll = epoll_create1(EPOLL_CLOEXEC), .now_ns = NOW_NS};
    common = (struct call_common){.callers = &callers};
    caller = (struct caller){.callers = &callers, .watched = {.fd = ends[0]}};
    guest = (struct guest){.name = "anna", .starts = STARTS};
    ck_assert_int_ge(callers.epoll, 0);
}

static void tear_down(void)
{
    close(callers.epoll);
    close(ends[0]);
    close(ends[1]);
}

/* Starts more often than is allowed; each start ends as `end` makes it. Returns how many began. */
static int starts_that_end(void (*end)(struct call *call))
{
    int begun = 0;

    for (int i = 0; i < 2 * STARTS; i++) {
        struct call *call = call_create(&common, &caller, &guest);

        ck_assert_ptr_nonnull(call);
        begun += guest_start(&guest, NOW_NS) == 0;
        end(call);
        call_end_start(call);
        ck_assert(call->is_over);
        free(call);
    }
    return begun;
}

static void by_the_host(struct call *call)
{
}

static void by_a_lost_line(struct call *call)
{
    call->caller->watched.fd = -1;
}

static void by_not_reading(struct call *call)
{
    call->is_unread = true;
}

TEST(a_start_that_the_host_ends_does_not_count)
{
    ck_assert_int_eq(starts_that_end(by_the_host), 2 * STARTS);
}

TEST(a_start_counts_whose_line_is_lost_while_something_is_sent)
{
    ck_assert_int_eq(starts_that_end(by_a_lost_line), STARTS);
}

TEST(a_start_counts_of_a_bot_that_does_not_read)
{
    ck_assert_int_eq(starts_that_end(by_not_reading), STARTS);
}

SUITE_FIXTURE(set_up, tear_down)
