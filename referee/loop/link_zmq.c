#define _GNU_SOURCE /* struct ucred, flock */
#include "link.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zmq.h>

/* An ipc path has to fit sun_path with its terminator. */
enum { IPC_PATH_MAX = 107, STALE_SECONDS = 60, CLOSING_MOMENTS = 50 };

/* Messages. A bot owes at most 1,024 answers and 1,000 messages of other kinds a second: when more
 * than these wait, it does not receive. What waits on our side holds back the sender only, and may
 * be large. */
enum { SEND_QUEUE = 1100, RECEIVE_QUEUE = 256 };

#define LOST_ENDPOINT "inproc://lost"

#define FOLDER_NAME "bgref-"

/* A connection whose end is to be told. */
struct minded {
    struct link_peer peer;
    int fd;   /* libzmq's */
    int copy; /* ours of the same connection: after its end it tells which side ended it */
};

struct zmq_link {
    struct link base;
    void *context, *router;
    void *lost; /* the router's monitor */
    struct minded *minded;
    int minded_count, minded_room;
    char folder[LINK_ENDPOINT];
    int lock_fd; /* held while we live: a folder whose lock is free was left by a killed referee */
    char endpoint[LINK_ENDPOINT];
    zmq_msg_t frame;
    bool holding; /* frame is initialised */
};

static struct zmq_link *mine(struct link *link)
{
    return (struct zmq_link *)link;
}

static void frame_release(struct zmq_link *link)
{
    if (link->holding) {
        zmq_msg_close(&link->frame);
        link->holding = false;
    }
}

static void remove_folder(const char *folder)
{
    char path[LINK_ENDPOINT + 16];

    snprintf(path, sizeof path, "%s/bots", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/lock", folder);
    unlink(path);
    rmdir(folder);
}

static void zmq_link_destroy(struct link *base)
{
    struct zmq_link *link = mine(base);

    if (link == NULL) {
        return;
    }
    frame_release(link);
    if (link->router != NULL) {
        zmq_socket_monitor(link->router, NULL, 0);
        zmq_close(link->router);
    }
    if (link->lost != NULL) {
        zmq_close(link->lost);
    }
    for (int i = 0; i < link->minded_count; i++) {
        close(link->minded[i].copy);
    }
    free(link->minded);
    if (link->context != NULL) {
        zmq_ctx_term(link->context);
    }
    if (link->folder[0] != '\0') {
        remove_folder(link->folder);
    }
    if (link->lock_fd >= 0) {
        close(link->lock_fd);
    }
    free(link);
}

static const char *zmq_link_endpoint(const struct link *base)
{
    return ((const struct zmq_link *)base)->endpoint;
}

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

static enum bg_status zmq_link_send(struct link *base, const struct link_peer *peer,
                                    const void *data, size_t size, struct bg_error *err)
{
    struct zmq_link *link = mine(base);

    /* With ROUTER_MANDATORY the identity frame is what is refused; the body then always fits. */
    if (zmq_send(link->router, peer->bytes, peer->size, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0 ||
        zmq_send(link->router, data, size, ZMQ_DONTWAIT) < 0) {
        return send_failed(err);
    }
    return BG_OK;
}

/* Drops what is left of a message with more frames than ours have. */
static void skip_parts(struct zmq_link *link)
{
    while (zmq_msg_more(&link->frame)) {
        zmq_msg_close(&link->frame);
        zmq_msg_init(&link->frame);
        if (zmq_msg_recv(&link->frame, link->router, ZMQ_DONTWAIT) < 0) {
            break;
        }
    }
}

static enum bg_status zmq_link_receive(struct link_frame *out, struct link *base,
                                       struct bg_error *err)
{
    struct zmq_link *link = mine(base);

    for (;;) {
        uint8_t name[256];
        int size = zmq_recv(link->router, name, sizeof name, ZMQ_DONTWAIT);

        if (size < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno == EAGAIN
                       ? BG_E_TIMEOUT
                       : bg_error_set(err, BG_E_LINK, "receive: %s", zmq_strerror(errno));
        }
        frame_release(link);
        zmq_msg_init(&link->frame);
        link->holding = true;
        /* A DEALER's message of one frame: identity, then body. A lone identity has no body. */
        if (zmq_msg_recv(&link->frame, link->router, ZMQ_DONTWAIT) < 0) {
            continue;
        }
        if (size > LINK_PEER || zmq_msg_more(&link->frame)) {
            skip_parts(link);
            if (size > LINK_PEER) {
                continue;
            }
            out->size = 0; /* several frames: no message of ours, told as an empty one */
        } else {
            out->size = zmq_msg_size(&link->frame);
        }
        out->peer.size = (uint8_t)size;
        memcpy(out->peer.bytes, name, (size_t)size);
        out->data = zmq_msg_data(&link->frame);
        return BG_OK;
    }
}

static pid_t zmq_link_sender_pid(const struct link *base)
{
    const struct zmq_link *link = (const struct zmq_link *)base;
    struct ucred credentials = {0, 0, 0};
    socklen_t size = sizeof credentials;
    int fd = link->holding ? zmq_msg_get(&link->frame, ZMQ_SRCFD) : -1;

    if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
        return 0;
    }
    return credentials.pid;
}

static enum bg_status zmq_link_wait(bool *fd_ready, struct link *base, int fd, int64_t timeout_ns,
                                    struct bg_error *err)
{
    struct zmq_link *link = mine(base);
    zmq_pollitem_t items[2] = {{link->router, 0, ZMQ_POLLIN, 0}, {NULL, fd, ZMQ_POLLIN, 0}};
    /* Rounded up: waking a little late is right, spinning until the time comes is not. */
    long timeout_ms = timeout_ns < 0 ? -1 : (long)((timeout_ns + 999999) / 1000000);

    if (zmq_poll(items, fd < 0 ? 1 : 2, timeout_ms) < 0 && errno != EINTR) {
        return bg_error_set(err, BG_E_LINK, "poll: %s", zmq_strerror(errno));
    }
    *fd_ready = fd >= 0 && items[1].revents != 0;
    return BG_OK;
}

static void zmq_link_mind(struct link *base, const struct link_peer *peer)
{
    struct zmq_link *link = mine(base);
    int fd = link->holding ? zmq_msg_get(&link->frame, ZMQ_SRCFD) : -1;
    int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (link->minded_count == link->minded_room && copy >= 0) {
        int room = link->minded_room == 0 ? 16 : 2 * link->minded_room;
        struct minded *minded = realloc(link->minded, (size_t)room * sizeof *minded);

        if (minded == NULL) { /* its end is then found when the bot stays silent */
            close(copy);
            return;
        }
        link->minded = minded;
        link->minded_room = room;
    }
    if (copy >= 0) {
        link->minded[link->minded_count++] = (struct minded){*peer, fd, copy};
    }
}

static int zmq_link_lost_fd(const struct link *base)
{
    const struct zmq_link *link = (const struct zmq_link *)base;
    int fd = -1;
    size_t size = sizeof fd;

    return zmq_getsockopt(link->lost, ZMQ_FD, &fd, &size) == 0 ? fd : -1;
}

static int zmq_link_frame_fd(const struct link *base)
{
    const struct zmq_link *link = (const struct zmq_link *)base;
    int fd = -1;
    size_t size = sizeof fd;

    return zmq_getsockopt(link->router, ZMQ_FD, &fd, &size) == 0 ? fd : -1;
}

/* Descriptor of the next connection that libzmq has ended; -1: none. */
static int next_ended(struct zmq_link *link)
{
    unsigned char event[6]; /* what happened in 16 bits, the descriptor in 32 */
    int32_t fd;
    char address[256];

    if (zmq_recv(link->lost, event, sizeof event, ZMQ_DONTWAIT) != (int)sizeof event) {
        return -1;
    }
    zmq_recv(link->lost, address, sizeof address, ZMQ_DONTWAIT);
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

/* Whether the end that was told is the one of this connection, whose descriptor only has the same
 * number: libzmq tells an end just before it closes, so a connection of ours that is still held a
 * moment later is another one. *by_us: it was still good when libzmq let go. */
static bool has_ended(bool *by_us, const struct minded *minded)
{
    const struct timespec moment = {0, 100000};
    char byte;
    ssize_t size = recv(minded->copy, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    *by_us = size > 0 || (size < 0 && errno == EAGAIN);
    for (int i = 0; i < CLOSING_MOMENTS && *by_us; i++) {
        if (!is_same_socket(minded->fd, minded->copy)) {
            return true;
        }
        nanosleep(&moment, NULL);
    }
    return !*by_us;
}

static bool zmq_link_next_lost(struct link_loss *out, struct link *base)
{
    struct zmq_link *link = mine(base);
    int fd;

    while ((fd = next_ended(link)) >= 0) {
        for (int i = 0; i < link->minded_count; i++) {
            struct minded *minded = &link->minded[i];

            if (minded->fd == fd && has_ended(&out->by_us, minded)) {
                out->peer = minded->peer;
                close(minded->copy);
                /* In order: libzmq may have given the number to a new connection before we come to
                 * hear of the end of the old one, which is then the first of the two. */
                link->minded_count--;
                memmove(minded, minded + 1, (size_t)(link->minded_count - i) * sizeof *minded);
                return true;
            }
        }
    }
    return false;
}

static const struct link_ops zmq_link_ops = {
    zmq_link_destroy, zmq_link_endpoint, zmq_link_send,    zmq_link_receive,   zmq_link_sender_pid,
    zmq_link_wait,    zmq_link_mind,     zmq_link_lost_fd, zmq_link_next_lost, zmq_link_frame_fd,
};

/* Opens and locks folder/lock; -1 when that cannot be, or another has it. */
static int lock_folder(const char *folder, int flags)
{
    char path[LINK_ENDPOINT + 16];
    int fd;

    snprintf(path, sizeof path, "%s/lock", folder);
    fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A killed referee leaves its folder behind: removed when it is ours, its lock is free, and it is
 * old enough not to be one whose owner is about to take the lock. */
static void sweep_folder(const char *folder)
{
    struct stat about;
    int fd;

    if (lstat(folder, &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
        time(NULL) - about.st_mtime < STALE_SECONDS) {
        return;
    }
    fd = lock_folder(folder, 0);
    if (fd >= 0) {
        remove_folder(folder);
        close(fd);
    }
}

static void sweep(const char *base)
{
    DIR *listing = opendir(base);
    struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        char folder[LINK_ENDPOINT];

        if (strncmp(entry->d_name, FOLDER_NAME, strlen(FOLDER_NAME)) == 0 &&
            (size_t)snprintf(folder, sizeof folder, "%s/%s", base, entry->d_name) < sizeof folder) {
            sweep_folder(folder);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
}

static enum bg_status make_folder(struct zmq_link *link, struct bg_error *err)
{
    const char *base = getenv("XDG_RUNTIME_DIR");

    if (base == NULL || base[0] != '/' || access(base, W_OK) != 0) {
        base = getenv("TMPDIR");
    }
    if (base == NULL || base[0] != '/' || strlen(base) > IPC_PATH_MAX - 32) {
        base = "/tmp";
    }
    sweep(base);
    snprintf(link->folder, sizeof link->folder, "%s/" FOLDER_NAME "XXXXXX", base);
    if (mkdtemp(link->folder) == NULL) { /* made 0700 */
        enum bg_status status =
            bg_error_set(err, BG_E_SYSTEM, "make folder %s: %s", link->folder, strerror(errno));
        link->folder[0] = '\0';
        return status;
    }
    link->lock_fd = lock_folder(link->folder, O_CREAT);
    if (link->lock_fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "lock folder %s: %s", link->folder, strerror(errno));
    }
    return BG_OK;
}

static void set_int(struct zmq_link *link, int option, int value)
{
    zmq_setsockopt(link->router, option, &value, sizeof value);
}

static enum bg_status bind_router(struct zmq_link *link, size_t message_bytes, struct bg_error *err)
{
    /* MAXMSGSIZE drops a peer unseen, so the wire's limit lies well above the one we tell. */
    int64_t most = 4 * (int64_t)message_bytes;
    char endpoint[LINK_ENDPOINT + 16];

    link->context = zmq_ctx_new();
    link->router = link->context == NULL ? NULL : zmq_socket(link->context, ZMQ_ROUTER);
    if (link->router == NULL) {
        return bg_error_set(err, BG_E_LINK, "router socket: %s", zmq_strerror(errno));
    }
    set_int(link, ZMQ_ROUTER_MANDATORY, 1);
    set_int(link, ZMQ_LINGER, 0);
    set_int(link, ZMQ_SNDHWM, SEND_QUEUE);
    set_int(link, ZMQ_RCVHWM, RECEIVE_QUEUE);
    set_int(link, ZMQ_BACKLOG, 1024);
    zmq_setsockopt(link->router, ZMQ_MAXMSGSIZE, &most, sizeof most);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/bots", link->folder);
    if (strlen(endpoint) - strlen("ipc://") > IPC_PATH_MAX) {
        return bg_error_set(err, BG_E_LINK, "socket path %s: longer than %d bytes; set TMPDIR",
                            endpoint, IPC_PATH_MAX);
    }
    link->lost = zmq_socket(link->context, ZMQ_PAIR);
    if (link->lost == NULL ||
        zmq_socket_monitor(link->router, LOST_ENDPOINT, ZMQ_EVENT_DISCONNECTED) != 0 ||
        zmq_connect(link->lost, LOST_ENDPOINT) != 0) {
        return bg_error_set(err, BG_E_LINK, "socket monitor: %s", zmq_strerror(errno));
    }
    /* Its descriptor tells of what comes after somebody looked and found nothing. */
    if (next_ended(link) >= 0) {
        return bg_error_set(err, BG_E_LINK, "socket monitor: an end before the beginning");
    }
    if (zmq_bind(link->router, endpoint) != 0) {
        return bg_error_set(err, BG_E_LINK, "bind %s: %s", endpoint, zmq_strerror(errno));
    }
    memcpy(link->endpoint, endpoint, strlen(endpoint) + 1);
    return BG_OK;
}

enum bg_status link_zmq_open(struct link **out, size_t message_bytes, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct zmq_link *link = calloc(1, sizeof *link);

    if (link == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "link state");
        goto done;
    }
    link->base.ops = &zmq_link_ops;
    link->lock_fd = -1;
    status = make_folder(link, err);
    if (status == BG_OK) {
        status = bind_router(link, message_bytes, err);
    }
    if (status == BG_OK) {
        *out = &link->base;
        link = NULL;
    }
done:
    zmq_link_destroy(link == NULL ? NULL : &link->base);
    return status;
}
