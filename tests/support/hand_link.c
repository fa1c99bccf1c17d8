#include "hand_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUEUE = 4096 };

static struct {
    struct link base;
    struct hand_door doors[HAND_DOORS];
    int door_count;
    struct link_frame queue[QUEUE]; /* data is owned */
    int first, last;
    void *lent;
    int64_t now_ns;
} hand;

/* ---------------------------------------------------------------- time */

int __real_clock_gettime(clockid_t id, struct timespec *out);
int __wrap_clock_gettime(clockid_t id, struct timespec *out);

int __wrap_clock_gettime(clockid_t id, struct timespec *out)
{
    if (hand.base.ops == NULL || (id != CLOCK_MONOTONIC && id != CLOCK_THREAD_CPUTIME_ID)) {
        return __real_clock_gettime(id, out);
    }
    *out = (struct timespec){(time_t)(hand.now_ns / 1000000000), (long)(hand.now_ns % 1000000000)};
    if (id == CLOCK_THREAD_CPUTIME_ID) { /* work takes no time here */
        *out = (struct timespec){0, 0};
    }
    return 0;
}

/* ------------------------------------------------------------------ the link */

static void hand_destroy(struct link *link)
{
    for (; hand.first != hand.last; hand.first++) {
        free((void *)(uintptr_t)hand.queue[hand.first % QUEUE].data);
    }
    for (int i = 0; i < hand.door_count; i++) {
        free(hand.doors[i].data);
    }
    free(hand.lent);
    memset(&hand, 0, sizeof hand);
}

static enum bg_status open_door(link_peer *peer, char endpoint[LINK_ENDPOINT], struct link *link,
                                link_owns_fn owns, void *user, struct bg_error *err)
{
    struct hand_door *door = &hand.doors[hand.door_count];

    if (hand.door_count == HAND_DOORS || !owns(user, 1)) { /* the test vouches for it */
        abort();
    }
    *door = (struct hand_door){.peer = (link_peer)++hand.door_count, .user = user};
    *peer = door->peer;
    snprintf(endpoint, LINK_ENDPOINT, "hand://%d", hand.door_count);
    return BG_OK;
}

static struct hand_door *door_of(link_peer peer)
{
    return peer == 0 ? NULL : &hand.doors[peer - 1];
}

static void shut_door(struct link *link, link_peer peer)
{
    if (peer != 0) {
        door_of(peer)->shut = true;
    }
}

static void close_door(struct link *link, link_peer peer)
{
    if (peer != 0) {
        door_of(peer)->closed = true;
    }
}

static enum bg_status send_to(struct link *link, link_peer peer, const void *data, size_t size,
                              struct bg_error *err)
{
    struct hand_door *door = door_of(peer);

    if (door == NULL || door->closed) {
        return bg_error_set(err, BG_E_CLOSED, "peer is gone");
    }
    if (door->send_fails != BG_OK) {
        return bg_error_set(err, door->send_fails, "as the test wants it");
    }
    free(door->data);
    door->data = malloc(size + 1);
    memcpy(door->data, data, size);
    door->size = size;
    door->heard++;
    return BG_OK;
}

static enum bg_status receive(struct link_frame *out, struct link *link, int64_t now_ns,
                              struct bg_error *err)
{
    free(hand.lent);
    hand.lent = NULL;
    while (hand.first != hand.last) {
        *out = hand.queue[hand.first++ % QUEUE];
        hand.lent = (void *)(uintptr_t)out->data;
        if (!door_of(out->peer)->closed) {
            return BG_OK;
        }
        free(hand.lent);
        hand.lent = NULL;
    }
    return BG_E_TIMEOUT;
}

static enum bg_status wait_for(struct link_woken *out, struct link *link, int fd,
                               int64_t timeout_ns, struct bg_error *err)
{
    *out = (struct link_woken){false, true};
    if (hand.first == hand.last) {
        hand.now_ns += timeout_ns; /* hand_run always has a deadline */
    }
    return BG_OK;
}

struct link *hand_open(void)
{
    static const struct link_ops ops = {.destroy = hand_destroy,
                                        .open = open_door,
                                        .shut = shut_door,
                                        .close = close_door,
                                        .send = send_to,
                                        .receive = receive,
                                        .wait = wait_for};

    memset(&hand, 0, sizeof hand);
    hand.base.ops = &ops;
    hand.now_ns = 1000000000;
    return &hand.base;
}

int hand_doors(void)
{
    return hand.door_count;
}

struct hand_door *hand_door(int number)
{
    return &hand.doors[number];
}

/* ------------------------------------------------------------ what the test sends */

static void put(int door, struct link_frame frame, const void *data, size_t size)
{
    void *copy = malloc(size + 1);

    if (hand.last - hand.first == QUEUE || copy == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    frame.peer = hand.doors[door].peer;
    frame.user = hand.doors[door].user;
    frame.data = copy;
    frame.size = size;
    hand.queue[hand.last++ % QUEUE] = frame;
}

void hand_say(int door, const void *data, size_t size)
{
    put(door, (struct link_frame){.what = LINK_MESSAGE, .text = ""}, data, size);
}

void hand_lose(int door, enum link_end end, const char *why)
{
    put(door, (struct link_frame){.what = LINK_LOST, .end = end, .text = why}, NULL, 0);
}

void hand_knock(int door, pid_t pid)
{
    put(door, (struct link_frame){.what = LINK_STRANGER, .pid = pid, .text = ""}, NULL, 0);
}

static void stop(void *user, int64_t now_ns)
{
    loop_stop(user);
}

void hand_run(struct loop *loop, int64_t ns)
{
    struct bg_error err;

    loop_after(loop, ns > 0 ? ns : 1, stop, loop);
    if (loop_run(loop, &err) != BG_OK) {
        abort();
    }
}
