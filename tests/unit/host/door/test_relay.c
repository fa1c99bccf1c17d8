/* Which end of a connection counts as a start of the bot. The other side is a socket, or gone. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/relay.h"
#include "door/peers.h"
#include "door/remote_bots.h"
#include "support/suite.h"

enum { STARTS = 2 };
#define NOW_NS INT64_C(1000000000000)

static struct peers peers;
static struct relay_common common;
static struct peer peer;
static struct remote_bot bot;
static int ends[2];

static void set_up(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    peers = (struct peers){.epoll = epoll_create1(EPOLL_CLOEXEC), .now_ns = NOW_NS};
    common = (struct relay_common){.peers = &peers};
    peer = (struct peer){.peers = &peers, .watched = {.fd = ends[0]}};
    bot = (struct remote_bot){.name = "anna", .starts = STARTS};
    ck_assert_int_ge(peers.epoll, 0);
}

static void tear_down(void)
{
    close(peers.epoll);
    close(ends[0]);
    close(ends[1]);
}

/* Starts more often than is allowed; each start ends as `end` makes it. Returns how many began. */
static int starts_that_end(void (*end)(struct relay *relay))
{
    int begun = 0;

    for (int i = 0; i < 2 * STARTS; i++) {
        struct relay *relay = relay_create(&common, &peer, &bot);

        ck_assert_ptr_nonnull(relay);
        begun += remote_bot_start(&bot, NOW_NS) == 0;
        end(relay);
        relay_end_start(relay);
        ck_assert(relay->is_over);
        free(relay);
    }
    return begun;
}

static void by_the_host(struct relay *relay)
{
}

static void by_a_lost_line(struct relay *relay)
{
    relay->peer->watched.fd = -1;
}

static void by_not_reading(struct relay *relay)
{
    relay->is_unread = true;
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
