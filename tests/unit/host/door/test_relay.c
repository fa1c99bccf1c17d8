/* Which end of a connection counts as a start of the bot, and what the referee hears of one that
 * nobody has heard. The other side is a socket, or gone. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "door/inside.h"
#include "door/relay.h"
#include "door/peers.h"
#include "door/remote_bots.h"
#include "support/suite.h"
#include "support/test_folder.h"

enum { STARTS = 2 };
#define NOW_NS INT64_C(1000000000000)

static struct peers peers;
static struct relay_common common;
static struct peer peer;
static struct remote_bot bot;
static int ends[2];

static void set_up(void)
{
    folder_make();
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
    folder_remove();
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

/* A process of a door tells its referee by INSIDE_FD; libcheck may have that descriptor. */
static int take_inside_fd(int *before)
{
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    *before = fcntl(INSIDE_FD, F_DUPFD_CLOEXEC, INSIDE_FD + 1);
    (void)dup2(pair[0], INSIDE_FD);
    close(pair[0]);
    return pair[1];
}

/* A referee that listens, and is never heard: its greeting does not come. */
static int listen_at(char endpoint[LINK_ENDPOINT])
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path_of("bot"));
    snprintf(endpoint, LINK_ENDPOINT, "ipc://%s", path_of("bot"));
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(fd, 1), 0);
    return fd;
}

struct told {
    int lent, left;
    int64_t unheard;
};

static void take_told(void *user, const Inside__Message *message)
{
    struct told *told = user;

    told->lent += message->kind == INSIDE__KIND__LENT;
    told->left += message->kind == INSIDE__KIND__LEFT;
    told->unheard = message->number;
}

static const struct {
    bool lends, keeps_place;
} owners_of_places[] = {{false, true}, {true, false}};

/* A host that lends has perhaps another key for the bot by now, so that it says who comes next. */
TEST_ROWS(the_place_where_nobody_was_heard_is_kept_by_who_owns_it, owners_of_places)
{
    struct relay *relay = relay_create(&common, &peer, &bot);
    int listener = listen_at(bot.endpoint), before, referee;
    struct told told = {0};

    common.lends = owners_of_places[_i].lends;
    relay->has_begun = true;
    relay->first = calloc(1, 1);
    relay->first_size = 1;
    referee = take_inside_fd(&before); /* from here to dup2 nothing is asserted */
    relay_connect(relay);
    relay_end(relay, "it was sent away");
    (void)inside_each(referee, "test", take_told, &told);
    (void)dup2(before, INSIDE_FD);
    ck_assert_int_eq(told.lent, 1);
    ck_assert_int_eq(told.left, 1);
    ck_assert_int_eq(told.unheard, 1);
    ck_assert_int_eq(bot.endpoint[0] != '\0', owners_of_places[_i].keeps_place);
    close(before);
    close(referee);
    close(listener);
    free(relay);
}

SUITE_FIXTURE(set_up, tear_down)
