/* watched.h - descriptors that an epoll watches for functions. */
#ifndef HOST_DOOR_WATCHED_H
#define HOST_DOOR_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

/* events: of epoll. */
typedef void (*watched_fn)(void *user, uint32_t events);

/* The owner keeps it until the end of a round in which it was closed: an event may still name it.
 */
struct watched {
    int fd; /* -1: none */
    uint32_t events;
    watched_fn fn;
    void *user;
};

/* Starts to watch; never closes fd. Returns false with errno. */
bool watched_begin(struct watched *watched, int epoll, int fd, uint32_t events);
void watched_change(struct watched *watched, int epoll, uint32_t events);
/* Stops to watch, also where others hold the descriptor's connection, and returns the descriptor.
 */
int watched_end(struct watched *watched, int epoll);

/* Waits at most wait_ms (-1: without end) and calls what is due. *now_ns: the monotonic time after
 * the wait, set before the calls; woke(user) is the first one, NULL: nothing. Returns false if the
 * system fails. */
bool watched_round(int64_t *now_ns, int epoll, int wait_ms, void (*woke)(void *user), void *user);

#endif
