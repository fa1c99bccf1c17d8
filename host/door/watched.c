/* epoll hands back a pointer, here to a struct with the function to call. Memory behind it must
 * not be freed within a round, since later events of the same epoll_wait may name it: owners
 * close by watched_end(), which sets fd to -1 and so voids those events, and free at the end of
 * the round. */
#define _GNU_SOURCE
#include "watched.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include "base/utc.h"

enum { EVENTS = 128 };

bool watched_begin(struct watched *watched, int epoll, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watched};

    watched->fd = fd;
    watched->events = events;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void watched_change(struct watched *watched, int epoll, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watched};

    /* Most changes ask for what is set already; a system call for each would double those of a
     * small message. */
    if (watched->fd >= 0 && watched->events != events) {
        watched->events = events;
        (void)epoll_ctl(epoll, EPOLL_CTL_MOD, watched->fd, &event);
    }
}

int watched_end(struct watched *watched, int epoll)
{
    int fd = watched->fd;

    if (fd >= 0) {
        /* Explicitly: close() takes a descriptor out of an epoll only when no duplicate is left,
         * and the doorman has one. */
        (void)epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL);
    }
    watched->fd = -1;
    return fd;
}

bool watched_round(int64_t *now_ns, int epoll, int wait_ms, void (*woke)(void *user), void *user)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(epoll, events, EVENTS, wait_ms);
    int error = errno;

    /* One time for all events of a round. */
    *now_ns = utc_steady_ns();
    if (woke != NULL) {
        woke(user);
    }
    for (int i = 0; i < count; i++) {
        struct watched *watched = events[i].data.ptr;

        if (watched->fd >= 0) { /* not closed by an earlier event of this round */
            watched->fn(watched->user, events[i].events);
        }
    }
    return count >= 0 || error == EINTR;
}
