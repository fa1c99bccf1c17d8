#define _GNU_SOURCE /* struct ucred */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

#include "folder.h"

enum { CLOSING_MOMENTS = 50, OVER_THE_LIMIT = 4, NAME = 256, DOOR_FDS = 4 };

/* In messages. A bot sends at most 1,024 answers, and 1,000 other messages a second: if more than
 * SEND_QUEUE wait, it does not receive. The receive queue holds back only the sender, so it may be
 * large. */
enum { SEND_QUEUE = 1100, RECEIVE_QUEUE = 256 };

struct door {
    link_peer peer; /* 0: this place is free */
    link_owns_fn owns;
    void *user;
    char endpoint[LINK_ENDPOINT];
    void *router, *monitor;
    uint8_t name[NAME]; /* libzmq's identity of the connection */
    int name_size;      /* 0: no connection has sent a message */
    int fd;             /* the connection's descriptor, owned by libzmq */
    int copy;           /* our copy of fd: shows after the end which side closed; -1 none */
    pid_t pid;
    bool delimits;
};

struct zmq_link {
    struct link base;
    struct folder folder;
    void *context;
    int64_t message_max;
    int epoll_fd; /* watches the descriptors of all sockets */
    struct door **doors;
    int door_count, next; /* next: the door to be read next */
    uint32_t doors_made;
    zmq_msg_t frame;
    bool holding; /* frame is initialised */
};

static struct zmq_link *mine(struct link *link)
{
    return (struct zmq_link *)link;
}

static struct door *find_door(const struct zmq_link *link, link_peer peer)
{
    for (int i = 0; i < link->door_count && peer != 0; i++) {
        if (link->doors[i]->peer == peer) {
            return link->doors[i];
        }
    }
    return NULL;
}

static void frame_release(struct zmq_link *link)
{
    if (link->holding) {
        zmq_msg_close(&link->frame);
        link->holding = false;
    }
}

/* ------------------------------------------------------------- doors */

static void watch_socket(const struct zmq_link *link, void *socket, bool watched)
{
    int fd = -1;
    size_t size = sizeof fd;
    struct epoll_event event = {.events = EPOLLIN};

    if (zmq_getsockopt(socket, ZMQ_FD, &fd, &size) == 0) {
        epoll_ctl(link->epoll_fd, watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &event);
    }
}

static void drop_door(struct zmq_link *link, struct door *door)
{
    frame_release(link);
    if (door->router != NULL) {
        watch_socket(link, door->router, false);
        zmq_socket_monitor(door->router, NULL, 0);
        zmq_close(door->router);
    }
    if (door->monitor != NULL) {
        watch_socket(link, door->monitor, false);
        zmq_close(door->monitor);
    }
    if (door->copy >= 0) {
        close(door->copy);
    }
    if (door->endpoint[0] != '\0') {
        folder_remove_door(door->endpoint);
    }
    memset(door, 0, sizeof *door);
    door->copy = -1;
}

static struct door *new_door(struct zmq_link *link)
{
    struct door **doors;

    for (int i = 0; i < link->door_count; i++) {
        if (link->doors[i]->peer == 0) {
            return link->doors[i];
        }
    }
    doors = realloc(link->doors, (size_t)(link->door_count + 1) * sizeof *doors);
    link->doors = doors == NULL ? link->doors : doors;
    if (doors == NULL || (doors[link->door_count] = calloc(1, sizeof **doors)) == NULL) {
        return NULL;
    }
    doors[link->door_count]->copy = -1;
    return doors[link->door_count++];
}

static void set_int(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

static enum bg_status bind_door(struct zmq_link *link, struct door *door, struct bg_error *err)
{
    /* MAXMSGSIZE drops a peer without a report, so set it far above the limit that bots know. */
    int64_t most = OVER_THE_LIMIT * link->message_max;
    char monitor[64];

    door->router = zmq_socket(link->context, ZMQ_ROUTER);
    door->monitor = zmq_socket(link->context, ZMQ_PAIR);
    if (door->router == NULL || door->monitor == NULL) {
        return bg_error_set(err, BG_E_LINK, "router socket: %s", zmq_strerror(errno));
    }
    set_int(door->router, ZMQ_ROUTER_MANDATORY, 1);
    set_int(door->router, ZMQ_LINGER, 0);
    set_int(door->router, ZMQ_SNDHWM, SEND_QUEUE);
    set_int(door->router, ZMQ_RCVHWM, RECEIVE_QUEUE);
    zmq_setsockopt(door->router, ZMQ_MAXMSGSIZE, &most, sizeof most);
    snprintf(monitor, sizeof monitor, "inproc://lost-%u", link->doors_made);
    if (zmq_socket_monitor(door->router, monitor, ZMQ_EVENT_DISCONNECTED) != 0 ||
        zmq_connect(door->monitor, monitor) != 0) {
        return bg_error_set(err, BG_E_LINK, "socket monitor: %s", zmq_strerror(errno));
    }
    if (zmq_bind(door->router, door->endpoint) != 0) {
        return folder_refuse(err, folder_path_of(door->endpoint), errno);
    }
    watch_socket(link, door->router, true);
    watch_socket(link, door->monitor, true);
    return BG_OK;
}

static enum bg_status zmq_link_open(link_peer *peer, char endpoint[LINK_ENDPOINT],
                                    struct link *base, link_owns_fn owns, void *user,
                                    struct bg_error *err)
{
    struct zmq_link *link = mine(base);
    struct door *door = new_door(link);
    enum bg_status status;

    if (door == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a door for a bot");
    }
    door->peer = ++link->doors_made;
    door->owns = owns;
    door->user = user;
    status = folder_door(door->endpoint, &link->folder, err);
    if (status == BG_OK) {
        status = bind_door(link, door, err);
    }
    if (status != BG_OK) {
        drop_door(link, door);
        return status;
    }
    *peer = door->peer;
    memcpy(endpoint, door->endpoint, LINK_ENDPOINT);
    return BG_OK;
}

/* Removes the path. The listener stays: libzmq would close the connection with it. Messages of a
 * process that connects by a hard link are ignored. */
static void zmq_link_shut(struct link *base, link_peer peer)
{
    const struct door *door = find_door(mine(base), peer);

    if (door != NULL) {
        folder_remove_door(door->endpoint);
    }
}

static void zmq_link_close(struct link *base, link_peer peer)
{
    struct door *door = find_door(mine(base), peer);

    if (door != NULL) {
        drop_door(mine(base), door);
    }
}

/* ------------------------------------------------------------- sending */

static enum bg_status send_failed(struct bg_error *err)
{
    if (errno == EAGAIN) {
        return bg_error_set(err, BG_E_TIMEOUT, "peer does not receive");
    }
    if (errno == EHOSTUNREACH) {
        return bg_error_set(err, BG_E_CLOSED, "peer is gone");
    }
    return bg_error_set(err, BG_E_LINK, "send: %s", zmq_strerror(errno));
}

static enum bg_status zmq_link_send(struct link *base, link_peer peer, const void *data,
                                    size_t size, struct bg_error *err)
{
    struct door *door = find_door(mine(base), peer);

    if (door == NULL || door->name_size == 0) {
        return bg_error_set(err, BG_E_CLOSED, "peer is gone");
    }
    /* With ROUTER_MANDATORY libzmq refuses the identity frame; after it the body always fits. */
    if (zmq_send(door->router, door->name, (size_t)door->name_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) <
            0 ||
        (door->delimits && zmq_send(door->router, "", 0, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) ||
        zmq_send(door->router, data, size, ZMQ_DONTWAIT) < 0) {
        return send_failed(err);
    }
    return BG_OK;
}

/* ------------------------------------------------------------- receiving */

/* Drops the remaining frames of a message; returns their size in all. */
static size_t skip_parts(struct zmq_link *link, const struct door *door)
{
    size_t size = zmq_msg_size(&link->frame);

    while (zmq_msg_more(&link->frame)) {
        zmq_msg_close(&link->frame);
        zmq_msg_init(&link->frame);
        if (zmq_msg_recv(&link->frame, door->router, ZMQ_DONTWAIT) < 0) {
            break;
        }
        size += zmq_msg_size(&link->frame);
    }
    return size;
}

/* The first process that sends a message by this door becomes its connection. */
static void adopt(struct door *door, const uint8_t *name, int size, int fd, pid_t pid)
{
    memcpy(door->name, name, (size_t)size);
    door->name_size = size;
    door->fd = fd;
    door->copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    door->pid = pid;
}

static pid_t pid_of(int fd)
{
    struct ucred credentials = {0, 0, 0};
    socklen_t size = sizeof credentials;

    return fd < 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0
               ? 0
               : credentials.pid;
}

static void take_body(struct link_frame *out, struct zmq_link *link, struct door *door,
                      const uint8_t *name, int size)
{
    int fd = zmq_msg_get(&link->frame, ZMQ_SRCFD);
    pid_t pid = pid_of(fd);
    bool is_first_empty = zmq_msg_size(&link->frame) == 0;
    bool has_parts = zmq_msg_more(&link->frame) != 0;

    *out = (struct link_frame){LINK_MESSAGE, door->peer, door->user, pid, NULL, 0, LINK_CLOSED, ""};
    out->size = has_parts ? skip_parts(link, door) : zmq_msg_size(&link->frame);
    if (pid == 0 || !door->owns(door->user, pid)) {
        out->what = LINK_STRANGER;
        return;
    }
    if (door->name_size == 0) {
        adopt(door, name, size, fd, pid);
    }
    if (size != door->name_size || memcmp(name, door->name, (size_t)size) != 0) {
        out->what = LINK_COMMAND; /* a second connection of the same bot: only counted */
    } else if (has_parts) {
        out->what = is_first_empty ? LINK_DELIMITED : LINK_PARTS;
        door->delimits |= is_first_empty;
    } else {
        out->data = zmq_msg_data(&link->frame);
    }
}

/* Takes the next message of this door. Returns false if there is none. */
static bool take_message(struct link_frame *out, struct zmq_link *link, struct door *door)
{
    uint8_t name[NAME];
    int size = zmq_recv(door->router, name, sizeof name, ZMQ_DONTWAIT);

    if (size < 0) {
        return false;
    }
    frame_release(link);
    zmq_msg_init(&link->frame);
    link->holding = true;
    /* A DEALER's message of one frame: identity, then body. A lone identity has no body. */
    if (zmq_msg_recv(&link->frame, door->router, ZMQ_DONTWAIT) < 0) {
        return false;
    }
    take_body(out, link, door, name, size);
    return true;
}

/* Returns the descriptor of the next connection that libzmq has closed; -1: none. */
static int next_ended(const struct door *door)
{
    unsigned char event[6]; /* 16 bits: the event; 32 bits: the descriptor */
    int32_t fd;
    char address[256];

    if (zmq_recv(door->monitor, event, sizeof event, ZMQ_DONTWAIT) != (int)sizeof event) {
        return -1;
    }
    zmq_recv(door->monitor, address, sizeof address, ZMQ_DONTWAIT);
    memcpy(&fd, event + 2, sizeof fd);
    return fd;
}

/* True when both are the same socket. */
static bool is_same_socket(int fd, int copy)
{
    struct stat of_fd, of_copy;

    return fstat(fd, &of_fd) == 0 && fstat(copy, &of_copy) == 0 && of_fd.st_dev == of_copy.st_dev &&
           of_fd.st_ino == of_copy.st_ino;
}

/* Returns true if libzmq's event is about this connection, not about another one with the same
 * descriptor number. libzmq reports an end just before it closes the descriptor: a connection that
 * is still open a moment later is another one. *by_us: the socket was still good when libzmq closed
 * it. */
static bool has_ended(bool *by_us, const struct door *door)
{
    const struct timespec moment = {0, 100000};
    char byte;
    ssize_t size = recv(door->copy, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    *by_us = size > 0 || (size < 0 && errno == EAGAIN);
    for (int i = 0; i < CLOSING_MOMENTS && *by_us; i++) {
        if (!is_same_socket(door->fd, door->copy)) {
            return true;
        }
        nanosleep(&moment, NULL);
    }
    return !*by_us;
}

static bool take_loss(struct link_frame *out, struct door *door)
{
    int fd;

    while ((fd = next_ended(door)) >= 0) {
        bool by_us;

        if (door->copy < 0 || door->fd != fd || !has_ended(&by_us, door)) {
            continue;
        }
        close(door->copy);
        door->copy = -1;
        door->name_size = 0;
        *out = (struct link_frame){
            .what = LINK_LOST,
            .peer = door->peer,
            .user = door->user,
            .pid = door->pid,
            .end = by_us ? LINK_OVERSIZED : LINK_CLOSED,
            .text = by_us ? "a message far above the limit, or bytes that are not ZeroMQ's protocol"
                          : "it closed its connection"};
        return true;
    }
    return false;
}

/* Reads the doors in turns, so that a bot that sends a lot cannot block the others. */
static enum bg_status zmq_link_receive(struct link_frame *out, struct link *base, int64_t now_ns,
                                       struct bg_error *err)
{
    struct zmq_link *link = mine(base);

    (void)now_ns;
    (void)err;
    for (int i = 0; i < link->door_count; i++) {
        struct door *door = link->doors[link->next++ % link->door_count];

        link->next %= link->door_count;
        if (door->peer != 0 && (take_message(out, link, door) || take_loss(out, door))) {
            return BG_OK;
        }
    }
    return BG_E_TIMEOUT;
}

/* The descriptors report changes only, so first look for messages that are already there. */
static bool has_news(const struct zmq_link *link)
{
    for (int i = 0; i < link->door_count; i++) {
        void *const sockets[] = {link->doors[i]->router, link->doors[i]->monitor};

        for (int j = 0; j < 2 && link->doors[i]->peer != 0; j++) {
            int events = 0;
            size_t size = sizeof events;

            if (zmq_getsockopt(sockets[j], ZMQ_EVENTS, &events, &size) == 0 &&
                (events & ZMQ_POLLIN) != 0) {
                return true;
            }
        }
    }
    return false;
}

static enum bg_status zmq_link_wait(struct link_woken *out, struct link *base, int fd,
                                    int64_t timeout_ns, struct bg_error *err)
{
    struct zmq_link *link = mine(base);
    zmq_pollitem_t items[2] = {{NULL, link->epoll_fd, ZMQ_POLLIN, 0}, {NULL, fd, ZMQ_POLLIN, 0}};
    /* Rounded up: waking slightly late is fine; otherwise the loop would spin until the time
     * comes. */
    long timeout_ms = timeout_ns < 0 ? -1 : (long)((timeout_ns + 999999) / 1000000);

    bool had_news = has_news(link);

    if (zmq_poll(items, fd < 0 ? 1 : 2, had_news ? 0 : timeout_ms) < 0 && errno != EINTR) {
        return bg_error_set(err, BG_E_LINK, "poll: %s", zmq_strerror(errno));
    }
    *out = (struct link_woken){fd >= 0 && items[1].revents != 0, !had_news};
    return BG_OK;
}

static int zmq_link_frame_fd(const struct link *base)
{
    return ((const struct zmq_link *)base)->epoll_fd;
}

/* ------------------------------------------------------------- the link */

static void zmq_link_destroy(struct link *base)
{
    struct zmq_link *link = mine(base);

    if (link == NULL) {
        return;
    }
    for (int i = 0; i < link->door_count; i++) {
        if (link->doors[i]->peer != 0) {
            drop_door(link, link->doors[i]);
        }
        free(link->doors[i]);
    }
    free(link->doors);
    if (link->epoll_fd >= 0) {
        close(link->epoll_fd);
    }
    if (link->context != NULL) {
        zmq_ctx_term(link->context);
    }
    folder_close(&link->folder);
    free(link);
}

static const struct link_ops zmq_link_ops = {
    zmq_link_destroy, zmq_link_open, zmq_link_shut,     zmq_link_close, zmq_link_send,
    zmq_link_receive, zmq_link_wait, zmq_link_frame_fd, DOOR_FDS,
};

enum bg_status link_zmq_open(struct link **out, size_t message_bytes, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct zmq_link *link = calloc(1, sizeof *link);

    if (link == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "link state");
    }
    link->base.ops = &zmq_link_ops;
    link->folder.lock_fd = -1;
    link->message_max = (int64_t)message_bytes;
    link->context = zmq_ctx_new();
    link->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (link->context == NULL || link->epoll_fd < 0) {
        status = bg_error_set(err, BG_E_LINK, "libzmq: %s", strerror(errno));
        goto done;
    }
    status = folder_open(&link->folder, err);
    if (status == BG_OK) {
        *out = &link->base;
        link = NULL; /* now the caller's */
    }
done:
    zmq_link_destroy(link == NULL ? NULL : &link->base);
    return status;
}
