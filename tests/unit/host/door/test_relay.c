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

static const struct {
    const char *ended_by;
    bool is_lost, is_unread;
    int begun; /* of twice as many starts as are allowed */
} ends_of_starts[] = {
    {"the host", false, false, 2 * STARTS},
    {"a connection that is lost while something is sent", true, false, STARTS},
    {"a bot that does not read", false, true, STARTS},
};

TEST_ROWS(only_a_start_that_the_host_ends_does_not_count, ends_of_starts)
{
    int begun = 0;

    for (int i = 0; i < 2 * STARTS; i++) {
        struct relay *relay = relay_create(&common, &peer, &bot);

        ck_assert_ptr_nonnull(relay);
        begun += remote_bot_start(&bot, NOW_NS) == 0;
        peer.watched.fd = ends_of_starts[_i].is_lost ? -1 : ends[0];
        relay->is_unread = ends_of_starts[_i].is_unread;
        relay_end_start(relay);
        ck_assert(relay->is_over);
        free(relay);
    }
    ck_assert_msg(begun == ends_of_starts[_i].begun, "%s: %d", ends_of_starts[_i].ended_by, begun);
}

SUITE_FIXTURE(set_up, tear_down)
