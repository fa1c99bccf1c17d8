/* What epoll is given with a descriptor is a place and a kind, not a pointer: a door that is
 * closed while events of it are in the batch is found, and they are dropped (forget_events). All
 * connections are read into one buffer, one after the other; a frame that is not complete is
 * kept by the connection's own reader, so memory grows with what bots have begun to send and not
 * with their number. */
#define _GNU_SOURCE /* accept4, struct ucred */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/memory.h"
#include "folder.h"
#include "wire/backlog.h"
#include "wire/zmtp.h"

enum {
    INPUT = 64 * 1024,  /* most bytes read from one connection before the others get a turn */
    EVENTS = 64,        /* most events of one epoll_wait */
    WAITING_ROOM = 8,   /* connections that wait in the kernel to be accepted */
    LOOK_MS = 50,       /* longest wait while something may become too old */
    SLOT_BITS = 16,     /* bits of a peer's number for the place; the others count doors */
    OVER_THE_LIMIT = 4, /* frames up to this many times the limit are passed on, to be charged */
    DELIMITER = 2       /* bytes of an empty frame */
};

#define LONGEST_STEP_NS                                                                            \
    INT64_C(100000000) /* after a longer gap, in which the referee was stopped, nothing becomes    \
                          older */
#define LOOP_EVENT UINT64_MAX
#define NO_EVENT   (UINT64_MAX - 1)

struct link_zmtp_door {
    link_peer peer; /* 0: this place is free */
    link_owns_fn owns;
    void *user;
    char endpoint[LINK_ENDPOINT];
    int listener; /* -1: shut */
    int attempts; /* connections that ended before a message */
    int fd;       /* the connection; -1 none */
    pid_t pid;
    bool is_ready; /* its handshake is complete */
    bool has_said; /* it has sent a message */
    bool delimits; /* a REQ socket: needs an empty frame before each message */
    bool writing;  /* waits until the peer accepts more */
    int64_t begun_ns;
    struct zmtp_reader reader;
    struct backlog backlog;
    enum link_end end; /* to be reported, while the door is listed in `ended` */
    char text[200];
};

struct zmtp_link {
    struct link base;
    struct folder folder;
    size_t message_max;
    int epoll_fd, loop_fd;
    int spare_fd;                  /* closed for a moment if no descriptors are left */
    struct link_zmtp_door **doors; /* owned; a door keeps its place */
    size_t room;
    int door_count;
    uint32_t doors_made;
    int *ended; /* places of the doors whose end is to be reported; room as in doors */
    int ended_count;
    struct epoll_event events[EVENTS];
    int event_at, event_count;
    bool has_looked;                /* epoll was read since receive last returned BG_E_TIMEOUT */
    bool waits;                     /* wait() is used, and reads epoll itself */
    struct link_zmtp_door *reading; /* its bytes are in input; NULL none */
    const struct link_zmtp_door *lending; /* the last frame lends its bytes */
    uint8_t *limbo; /* owned: bytes still lent, of a connection that has ended */
    const uint8_t *at, *input_end;
    int64_t now_ns,
        age_ns; /* time of the last call; a clock that does not run while the referee is stopped */
    bool is_aging; /* something may become too old */
    uint8_t input[INPUT];
};

static struct zmtp_link *mine(struct link *link)
{
    return (struct zmtp_link *)link;
}

static struct link_zmtp_door *find_door(const struct zmtp_link *link, link_peer peer)
{
    int slot = (int)(peer & ((1 << SLOT_BITS) - 1));

    return peer != 0 && slot < link->door_count && link->doors[slot]->peer == peer
               ? link->doors[slot]
               : NULL;
}

static int slot_of(const struct link_zmtp_door *door)
{
    return (int)(door->peer & ((1 << SLOT_BITS) - 1));
}

static uint64_t event_of(const struct link_zmtp_door *door, bool is_connection)
{
    return (uint64_t)slot_of(door) << 1 | (is_connection ? 1 : 0);
}

/* ------------------------------------------------------------- listening and ending */

static void listen_to(struct zmtp_link *link, const struct link_zmtp_door *door, bool listening)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = event_of(door, false)};

    if (door->listener >= 0) {
        epoll_ctl(link->epoll_fd, listening ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, door->listener,
                  &event);
    }
}

/* Drops the events found for this descriptor before it was closed: its number can be reused. */
static void forget_events(struct zmtp_link *link, uint64_t event)
{
    for (int i = link->event_at; i < link->event_count; i++) {
        if (link->events[i].data.u64 == event) {
            link->events[i].data.u64 = NO_EVENT;
        }
    }
}

static void drop_connection(struct zmtp_link *link, struct link_zmtp_door *door)
{
    if (door->fd < 0) {
        return;
    }
    forget_events(link, event_of(door, true));
    if (link->reading == door) {
        link->reading = NULL;
    }
    if (link->lending == door) {
        link->lending = NULL;
        /* The caller may still read the frame that it has got: its bytes live until the next
         * receive(). */
        link->limbo = door->reader.kept;
        door->reader.kept = NULL;
    }
    close(door->fd); /* epoll removes a file when its last descriptor closes */
    door->fd = -1;
    door->is_ready = door->has_said = door->delimits = door->writing = false;
    zmtp_reader_deinit(&door->reader);
    backlog_deinit(&door->backlog);
}

static void shut_door(struct zmtp_link *link, struct link_zmtp_door *door)
{
    if (door->listener >= 0) {
        forget_events(link, event_of(door, false));
        close(door->listener);
        door->listener = -1;
        folder_remove_door(door->endpoint);
    }
}

/* Ends the connection. A start may lose LINK_ATTEMPTS connections before its first message; every
 * other end is reported. */
static void end_connection(struct zmtp_link *link, struct link_zmtp_door *door, enum link_end end,
                           const char *text)
{
    bool is_lost_early = end == LINK_CLOSED && !door->has_said && door->listener >= 0;

    snprintf(door->text, sizeof door->text, "%s", text);
    drop_connection(link, door);
    if (is_lost_early && ++door->attempts < LINK_ATTEMPTS) {
        listen_to(link, door, true);
        return;
    }
    if (is_lost_early) {
        end = LINK_TIRED;
        snprintf(door->text, sizeof door->text,
                 "%d connections ended before a first message; the last one: %.100s", LINK_ATTEMPTS,
                 text);
    }
    door->end = end;
    link->ended[link->ended_count++] = slot_of(door);
}

/* ------------------------------------------------------------- sending */

static void want_writing(struct zmtp_link *link, struct link_zmtp_door *door)
{
    bool wanted = door->backlog.size > 0;
    struct epoll_event event = {.events = EPOLLIN | (wanted ? EPOLLOUT : 0),
                                .data.u64 = event_of(door, true)};

    if (wanted != door->writing) {
        epoll_ctl(link->epoll_fd, EPOLL_CTL_MOD, door->fd, &event);
        door->writing = wanted;
    }
    link->is_aging |= wanted;
}

/* Sends the bytes unchanged. */
static enum bg_status push(struct zmtp_link *link, struct link_zmtp_door *door, const void *data,
                           size_t size)
{
    enum bg_status status =
        backlog_send(&door->backlog, door->fd, NULL, 0, data, size, link->age_ns);

    want_writing(link, door);
    return status;
}

static enum bg_status zmtp_link_send(struct link *base, link_peer peer, const void *data,
                                     size_t size, struct bg_error *err)
{
    struct zmtp_link *link = mine(base);
    struct link_zmtp_door *door = find_door(link, peer);
    uint8_t head[DELIMITER + ZMTP_HEAD];
    size_t head_size = 0;
    enum bg_status status;

    if (door == NULL || !door->is_ready) {
        return bg_error_set(err, BG_E_CLOSED, "peer is gone");
    }
    if (door->backlog.size > LINK_UNSENT) {
        return bg_error_set(err, BG_E_TIMEOUT, "peer does not receive");
    }
    if (door->delimits) {
        head_size = zmtp_head(head, 0, true);
    }
    head_size += zmtp_head(head + head_size, size, false);
    status = backlog_send(&door->backlog, door->fd, head, head_size, data, size, link->age_ns);
    want_writing(link, door);
    if (status == BG_E_CLOSED) {
        return bg_error_set(err, status, "peer is gone");
    }
    return status == BG_OK ? status : bg_error_set(err, status, "bytes that wait for a peer");
}

/* ------------------------------------------------------------- coming in */

static int accept_from(struct zmtp_link *link, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0 && (errno == EMFILE || errno == ENFILE) && link->spare_fd >= 0) {
        /* Without a free descriptor the connection would stay queued and wake the loop without
         * end. */
        close(link->spare_fd);
        fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            close(fd);
        }
        link->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return -1;
    }
    return fd;
}

static void greet_peer(struct zmtp_link *link, struct link_zmtp_door *door)
{
    uint8_t hail[ZMTP_GREETING + ZMTP_WRITTEN];

    zmtp_greeting(hail);
    /* libzmq sends its greeting in stages and waits for ours; we send all of ours at once. */
    (void)push(link, door, hail, ZMTP_GREETING + zmtp_ready(hail + ZMTP_GREETING, "ROUTER"));
}

/* Accepts a connection. Returns true if it was refused: *out reports a stranger. */
static bool take_connection(struct link_frame *out, struct zmtp_link *link,
                            struct link_zmtp_door *door)
{
    struct ucred credentials = {0, 0, 0};
    socklen_t size = sizeof credentials;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = event_of(door, true)};
    int fd = accept_from(link, door->listener);

    if (fd < 0) {
        return false;
    }
    /* The kernel has noted who called connect(); handing the socket to another process changes
     * nothing in it. */
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0 || credentials.pid == 0 ||
        !door->owns(door->user, credentials.pid)) {
        close(fd);
        *out = (struct link_frame){LINK_STRANGER, door->peer, door->user, credentials.pid,
                                   .end = LINK_CLOSED};
        return true;
    }
    if (epoll_ctl(link->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        return false;
    }
    listen_to(link, door, false); /* one connection at a time */
    door->fd = fd;
    door->pid = credentials.pid;
    door->begun_ns = link->age_ns;
    link->is_aging = true;
    zmtp_reader_init(&door->reader, OVER_THE_LIMIT * link->message_max);
    greet_peer(link, door);
    return false;
}

/* Handles the peer's READY. Bots are DEALER sockets; a REQ socket is accepted, so that it can get a
 * Refusal. */
static void take_ready(struct zmtp_link *link, struct link_zmtp_door *door)
{
    const char *type = door->reader.socket_type;
    uint8_t error[ZMTP_WRITTEN];
    char text[96];

    door->delimits = strcmp(type, "REQ") == 0;
    if (strcmp(type, "DEALER") == 0 || door->delimits) {
        door->is_ready = true;
        return;
    }
    snprintf(text, sizeof text, "its socket is a %s; a bot needs a DEALER", type);
    (void)push(link, door, error, zmtp_error(error, text));
    end_connection(link, door, LINK_GARBLED, text);
}

static void take_break(struct zmtp_link *link, struct link_zmtp_door *door)
{
    static const enum link_end ends[] = {
        [ZMTP_SOUND] = LINK_GARBLED,       [ZMTP_NO_ZMTP] = LINK_GARBLED,
        [ZMTP_OVERSIZED] = LINK_OVERSIZED, [ZMTP_ENDLESS] = LINK_ENDLESS,
        [ZMTP_REFUSED] = LINK_CLOSED,      [ZMTP_MEMORY] = LINK_OVERSIZED,
    };
    char why[sizeof door->reader.why];

    memcpy(why, door->reader.why, sizeof why);
    end_connection(link, door, ends[door->reader.broken], why);
}

static void fill(struct link_frame *out, const struct link_zmtp_door *door, enum link_what what,
                 const struct zmtp_item *item)
{
    *out = (struct link_frame){what,       door->peer, door->user,  door->pid,
                               item->data, item->size, LINK_CLOSED, ""};
}

static void pong(struct zmtp_link *link, struct link_zmtp_door *door, const struct zmtp_item *item)
{
    uint8_t reply[ZMTP_WRITTEN];
    size_t size = zmtp_pong(reply, item->data, item->size);

    if (door->backlog.size <=
        LINK_UNSENT) { /* otherwise it is ended as a peer that does not read */
        (void)push(link, door, reply, size);
    }
}

/* Takes the next frame from the bytes read last. Returns false if there is none. */
static bool take_item(struct link_frame *out, struct zmtp_link *link)
{
    while (link->reading != NULL) {
        struct link_zmtp_door *door = link->reading;
        struct zmtp_item item;

        switch (zmtp_read(&item, &door->reader, &link->at, link->input_end)) {
        case ZMTP_MORE:
            link->reading = NULL;
            break;
        case ZMTP_READY:
            take_ready(link, door);
            break;
        case ZMTP_MESSAGE:
            door->has_said = true;
            link->lending = door;
            fill(out, door, LINK_MESSAGE, &item);
            return true;
        case ZMTP_DROPPED:
            door->has_said = true;
            door->delimits |= item.delimited;
            fill(out, door, item.delimited ? LINK_DELIMITED : LINK_PARTS, &item);
            return true;
        case ZMTP_PING:
            pong(link, door, &item);
            fill(out, door, LINK_COMMAND, &item);
            return true;
        case ZMTP_PONG:
            fill(out, door, LINK_COMMAND, &item);
            return true;
        case ZMTP_BROKEN:
            take_break(link, door);
            return false;
        }
    }
    return false;
}

static void read_some(struct zmtp_link *link, struct link_zmtp_door *door)
{
    /* Once: epoll reports what is left again, after the others had their turn. */
    ssize_t size = recv(door->fd, link->input, sizeof link->input, MSG_DONTWAIT);

    if (size > 0) {
        link->reading = door;
        link->at = link->input;
        link->input_end = link->input + size;
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        end_connection(link, door, LINK_CLOSED, "it closed its connection");
    }
}

static void take_connection_event(struct zmtp_link *link, struct link_zmtp_door *door,
                                  uint32_t events)
{
    if ((events & EPOLLOUT) != 0) {
        /* A peer that is gone is found by reading, after its last bytes. */
        (void)backlog_flush(&door->backlog, door->fd, link->age_ns);
        want_writing(link, door);
    }
    if ((events & ~(uint32_t)EPOLLOUT) != 0) {
        read_some(link, door);
    }
}

/* Handles the next ready descriptor. Returns false if there is none. *got_frame: *out has a
 * frame. */
static bool take_event(bool *got_frame, struct link_frame *out, struct zmtp_link *link)
{
    while (link->event_at < link->event_count) {
        const struct epoll_event *event = &link->events[link->event_at++];
        uint64_t slot = event->data.u64 >> 1;
        struct link_zmtp_door *door;

        if (event->data.u64 == LOOP_EVENT || event->data.u64 == NO_EVENT) {
            continue;
        }
        door = link->doors[slot];
        if ((event->data.u64 & 1) != 0) {
            take_connection_event(link, door, event->events);
        } else {
            *got_frame = take_connection(out, link, door);
        }
        return true;
    }
    return false;
}

/* ------------------------------------------------------------- becoming too old */

static void pass_time(struct zmtp_link *link, int64_t now_ns)
{
    int64_t step_ns = now_ns - link->now_ns;

    link->age_ns += step_ns > LONGEST_STEP_NS ? LONGEST_STEP_NS : step_ns > 0 ? step_ns : 0;
    link->now_ns = now_ns;
}

static void end_too_old(struct zmtp_link *link)
{
    link->is_aging = false;
    for (int i = 0; i < link->door_count; i++) {
        struct link_zmtp_door *door = link->doors[i];

        if (door->peer == 0 || door->fd < 0 || (door->is_ready && door->backlog.size == 0)) {
            continue;
        }
        link->is_aging = true;
        if (!door->is_ready && link->age_ns - door->begun_ns > LINK_HANDSHAKE_NS) {
            end_connection(link, door, LINK_CLOSED,
                           "it did not complete the ZeroMQ handshake in time");
        } else if (backlog_age(&door->backlog, link->age_ns) > LINK_UNREAD_NS) {
            end_connection(link, door, LINK_UNREAD, "it does not read the messages sent to it");
        }
    }
}

/* ------------------------------------------------------------- the link */

static void look(struct zmtp_link *link, int timeout_ms)
{
    int count = epoll_wait(link->epoll_fd, link->events, EVENTS, timeout_ms);

    link->event_at = 0;
    /* Interrupted by a signal: as if nothing had come; the loop sees the signal and waits again. */
    link->event_count = count < 0 ? 0 : count;
}

static bool take_ended(struct link_frame *out, struct zmtp_link *link)
{
    struct link_zmtp_door *door;

    if (link->ended_count == 0) {
        return false;
    }
    door = link->doors[link->ended[0]];
    memmove(link->ended, link->ended + 1, (size_t)--link->ended_count * sizeof *link->ended);
    *out = (struct link_frame){LINK_LOST, door->peer, door->user, door->pid,
                               NULL,      0,          door->end,  door->text};
    return true;
}

static enum bg_status zmtp_link_receive(struct link_frame *out, struct link *base, int64_t now_ns,
                                        struct bg_error *err)
{
    struct zmtp_link *link = mine(base);
    bool got_frame = false;

    (void)err;
    free(link->limbo);
    link->limbo = NULL;
    link->lending = NULL;
    pass_time(link, now_ns);
    for (;;) {
        if (got_frame || take_item(out, link) || take_ended(out, link)) {
            return BG_OK;
        }
        if (take_event(&got_frame, out, link)) {
            continue;
        }
        /* A loop that waits in another link has not read our epoll. */
        if (!link->waits && !link->has_looked) {
            link->has_looked = true;
            look(link, 0);
            continue;
        }
        if (link->is_aging) {
            end_too_old(link);
        }
        if (link->ended_count == 0) {
            link->has_looked = false;
            return BG_E_TIMEOUT;
        }
    }
}

static bool is_ready(int fd)
{
    struct pollfd poll_fd = {fd, POLLIN, 0};

    return fd >= 0 && poll(&poll_fd, 1, 0) == 1;
}

static enum bg_status zmtp_link_wait(struct link_woken *out, struct link *base, int fd,
                                     int64_t timeout_ns, struct bg_error *err)
{
    struct zmtp_link *link = mine(base);
    /* Rounded up: waking slightly late is fine; otherwise the loop would spin until the time
     * comes. */
    int64_t timeout_ms = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;

    link->waits = true;
    if (fd >= 0 && link->loop_fd != fd) {
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = LOOP_EVENT};

        if (epoll_ctl(link->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
            return bg_error_set(err, BG_E_SYSTEM, "watch the loop: %s", strerror(errno));
        }
        link->loop_fd = fd;
    }
    /* Something is at hand, so there is no wait; only the loop's own descriptor is looked at. */
    if (link->reading != NULL || link->ended_count > 0 || link->event_at < link->event_count) {
        *out = (struct link_woken){is_ready(fd), false};
        return BG_OK;
    }
    if (link->is_aging && (timeout_ms < 0 || timeout_ms > LOOK_MS)) {
        timeout_ms = LOOK_MS;
    }
    look(link, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);
    *out = (struct link_woken){false, true};
    for (int i = 0; i < link->event_count; i++) {
        out->fd_ready |= link->events[i].data.u64 == LOOP_EVENT;
    }
    return BG_OK;
}

static int zmtp_link_frame_fd(const struct link *base)
{
    return ((const struct zmtp_link *)base)->epoll_fd;
}

/* ------------------------------------------------------------- doors */

static struct link_zmtp_door *new_door(struct zmtp_link *link)
{
    size_t ended_room = link->room;
    struct link_zmtp_door *door;

    for (int i = 0; i < link->door_count; i++) {
        if (link->doors[i]->peer == 0) {
            link->doors[i]->peer = (link_peer)++link->doors_made << SLOT_BITS | (link_peer)i;
            return link->doors[i];
        }
    }
    if (link->door_count == 1 << SLOT_BITS) {
        return NULL;
    }
    link->ended =
        memory_list(link->ended, &ended_room, (size_t)link->door_count + 1, sizeof *link->ended);
    link->doors = memory_list(link->doors, &link->room, (size_t)link->door_count + 1,
                              sizeof(struct link_zmtp_door *));
    door = memory_zeroed(1, sizeof *door);
    door->peer = (link_peer)++link->doors_made << SLOT_BITS | (link_peer)link->door_count;
    link->doors[link->door_count++] = door;
    return door;
}

static enum bg_status bind_door(struct zmtp_link *link, struct link_zmtp_door *door,
                                struct bg_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = folder_path_of(door->endpoint);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    door->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (door->listener < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "socket: %s", strerror(errno));
    }
    if (bind(door->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(door->listener, WAITING_ROOM) != 0) {
        return folder_refuse(err, path, errno);
    }
    listen_to(link, door, true);
    return BG_OK;
}

static void free_door(struct zmtp_link *link, struct link_zmtp_door *door)
{
    drop_connection(link, door);
    shut_door(link, door);
    for (int i = 0; i < link->ended_count; i++) {
        if (link->ended[i] == slot_of(door)) {
            link->ended_count--;
            memmove(link->ended + i, link->ended + i + 1,
                    (size_t)(link->ended_count - i) * sizeof *link->ended);
            break; /* a door is listed once */
        }
    }
    memset(door, 0, sizeof *door);
}

static enum bg_status zmtp_link_open(link_peer *peer, char endpoint[LINK_ENDPOINT],
                                     struct link *base, link_owns_fn owns, void *user,
                                     struct bg_error *err)
{
    struct zmtp_link *link = mine(base);
    struct link_zmtp_door *door = new_door(link);
    enum bg_status status;

    if (door == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "more than %d doors for bots", 1 << SLOT_BITS);
    }
    door->listener = door->fd = -1;
    door->owns = owns;
    door->user = user;
    status = folder_door(door->endpoint, &link->folder, err);
    if (status == BG_OK) {
        status = bind_door(link, door, err);
    }
    if (status != BG_OK) {
        if (door->endpoint[0] != '\0') {
            folder_remove_door(door->endpoint);
        }
        free_door(link, door);
        return status;
    }
    *peer = door->peer;
    memcpy(endpoint, door->endpoint, LINK_ENDPOINT);
    return BG_OK;
}

static void zmtp_link_shut(struct link *base, link_peer peer)
{
    struct link_zmtp_door *door = find_door(mine(base), peer);

    if (door != NULL) {
        shut_door(mine(base), door);
    }
}

static void zmtp_link_close(struct link *base, link_peer peer)
{
    struct link_zmtp_door *door = find_door(mine(base), peer);

    if (door != NULL) {
        free_door(mine(base), door);
    }
}

static void zmtp_link_destroy(struct link *base)
{
    struct zmtp_link *link = mine(base);

    if (link == NULL) {
        return;
    }
    for (int i = 0; i < link->door_count; i++) {
        if (link->doors[i]->peer != 0) {
            free_door(link, link->doors[i]);
        }
        free(link->doors[i]);
    }
    free(link->doors);
    free(link->ended);
    free(link->limbo);
    if (link->epoll_fd >= 0) {
        close(link->epoll_fd);
    }
    if (link->spare_fd >= 0) {
        close(link->spare_fd);
    }
    folder_close(&link->folder);
    free(link);
}

static const struct link_ops zmtp_link_ops = {
    zmtp_link_destroy, zmtp_link_open,    zmtp_link_shut, zmtp_link_close,
    zmtp_link_send,    zmtp_link_receive, zmtp_link_wait, zmtp_link_frame_fd,
};

enum bg_status link_zmtp_open(struct link **out, size_t message_bytes, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct zmtp_link *link = memory_zeroed(1, sizeof *link);

    link->base.ops = &zmtp_link_ops;
    link->message_max = message_bytes;
    link->folder.lock_fd = link->loop_fd = -1;
    link->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    link->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (link->epoll_fd < 0 || link->spare_fd < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "epoll: %s", strerror(errno));
        goto done;
    }
    status = folder_open(&link->folder, err);
    if (status == BG_OK) {
        *out = &link->base;
        link = NULL; /* now the caller's */
    }
done:
    zmtp_link_destroy(link == NULL ? NULL : &link->base);
    return status;
}
