/* A blocking socket and one poll() for each wait: a bot that has one decision at a time spends most
 * of its time here, and a thread between it and the socket would cost two switches for each
 * message. Our half of the handshake (greeting and READY) is sent at once, and messages that the
 * program sends before the peer's READY wait in `unsent`.
 *
 * A peer that no longer receives (is_cut) is no error yet: its last messages, as a Goodbye with
 * the reason, may still be in the socket. The end is reported by the receiving functions, after
 * them. */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "drain.h"
#include "wire/backlog.h"
#include "wire/zmtp.h"

enum {
    INPUT = 256 * 1024,     /* more than the kernel buffers for a Unix socket: one read gets all */
    MESSAGE_MAX = 64 << 20, /* larger ones cannot be unpacked */
    RETRY_MS = 20,          /* between two attempts to connect */
    LINGER_MS = 2000
};

struct socket_channel {
    struct channel base;
    struct sockaddr_un address;
    int fd;          /* -1: not connected yet */
    int refused;     /* errno of the last attempt to connect */
    bool is_ready;   /* the handshake is complete; until then messages wait in unsent */
    bool is_cut;     /* the peer no longer receives */
    bool has_ended;  /* the peer no longer sends */
    bool has_poller; /* the program waits for the descriptor itself */
    struct backlog unsent;
    struct drain *drain; /* reads while the program is busy; NULL: no such thread */
    struct zmtp_reader reader;
    const uint8_t *at, *end; /* the part of input that is not read yet */
    uint8_t input[INPUT];
};

static struct socket_channel *socket_of(struct channel *channel)
{
    return (struct socket_channel *)channel;
}

static const char *path_of(const struct socket_channel *channel)
{
    return channel->address.sun_path;
}

/* ---------------------------------------------------------------- sending */

/* Sends waiting bytes, as many as the peer accepts now. */
static void flush(struct socket_channel *channel)
{
    if (channel->is_ready && !channel->is_cut && channel->unsent.size > 0) {
        channel->is_cut = backlog_flush(&channel->unsent, channel->fd, 0) == BG_E_CLOSED;
    }
}

static enum bg_status socket_channel_send(struct channel *base, const void *data, size_t size,
                                          struct bg_error *err)
{
    struct socket_channel *channel = socket_of(base);
    uint8_t head[ZMTP_HEAD];
    size_t head_size = zmtp_head(head, size, false);
    enum bg_status status = BG_OK;

    if (channel->is_cut) {
        return BG_OK;
    }
    flush(channel);
    if (channel->is_ready) {
        status = backlog_send(&channel->unsent, channel->fd, head, head_size, data, size, 0);
    } else {
        status = backlog_keep(&channel->unsent, head, head_size, 0);
        if (status == BG_OK) {
            status = backlog_keep(&channel->unsent, data, size, 0);
        }
    }
    if (status == BG_E_CLOSED) { /* seen again when receiving, after the peer's last messages */
        channel->is_cut = true;
        return BG_OK;
    }
    return status == BG_OK ? BG_OK
                           : bg_error_set(err, status, "a message of %zu bytes that waits", size);
}

/* ---------------------------------------------------------------- the handshake */

/* Returns whether the referee is just starting or its queue of connections is full. */
static bool may_come(int error)
{
    /* ENOENT and ECONNREFUSED: the file is not there yet, or left by an earlier referee. EAGAIN:
     * the queue of connections is full, for a Unix socket. */
    return error == ENOENT || error == ECONNREFUSED || error == EAGAIN || error == EINTR ||
           error == EINPROGRESS;
}

static void set_blocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

/* Sends our half of the handshake at once; the socket is empty, so it fits. */
static void greet_peer(struct socket_channel *channel)
{
    uint8_t hail[ZMTP_GREETING + ZMTP_WRITTEN];
    size_t size = ZMTP_GREETING;

    zmtp_greeting(hail);
    size += zmtp_ready(hail + size, "DEALER");
    /* MSG_NOSIGNAL: a library must not end the program by SIGPIPE, nor change how it handles it. */
    channel->is_cut = send(channel->fd, hail, size, MSG_NOSIGNAL) != (ssize_t)size;
}

/* Tries once to connect. BG_OK with channel->fd -1: try again later. */
static enum bg_status try_connect(struct socket_channel *channel, struct bg_error *err)
{
    /* Non-blocking: otherwise connect would wait while the queue of connections is full. */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        return bg_error_set(err, BG_E_LINK, "socket: %s", strerror(errno));
    }
    if (connect(fd, (const struct sockaddr *)&channel->address, sizeof channel->address) == 0) {
        set_blocking(fd);
        channel->fd = fd;
        greet_peer(channel);
        return BG_OK;
    }
    channel->refused = errno;
    close(fd);
    return may_come(channel->refused) ? BG_OK
                                      : bg_error_set(err, BG_E_LINK, "connect ipc://%s: %s",
                                                     path_of(channel), strerror(channel->refused));
}

/* Handles the peer's READY. */
static enum bg_status take_ready(struct socket_channel *channel, struct bg_error *err)
{
    const char *type = channel->reader.socket_type;

    /* A referee has a ROUTER; ZMTP also lets two DEALERs talk. */
    if (strcmp(type, "ROUTER") != 0 && strcmp(type, "DEALER") != 0) {
        return bg_error_set(err, BG_E_LINK,
                            "ipc://%s is not a referee: its socket is a %.15s, not a ROUTER",
                            path_of(channel), type);
    }
    channel->is_ready = true;
    flush(channel);
    return BG_OK;
}

static enum bg_status take_break(const struct socket_channel *channel, struct bg_error *err)
{
    const struct zmtp_reader *reader = &channel->reader;

    if (reader->broken == ZMTP_REFUSED) {
        return bg_error_set(err, BG_E_REFUSED, "ipc://%s refuses the connection: %s",
                            path_of(channel), reader->why);
    }
    if (reader->broken == ZMTP_MEMORY) {
        return bg_error_set(err, BG_E_MEMORY, "%s", reader->why);
    }
    if (!channel->is_ready) {
        return bg_error_set(err, BG_E_LINK, "ipc://%s is not a referee: %s", path_of(channel),
                            reader->why);
    }
    return bg_error_set(err, BG_E_LINK, "ipc://%s: the referee's bytes make no sense: %s",
                        path_of(channel), reader->why);
}

/* ---------------------------------------------------------------- receiving */

static enum bg_status pong(struct socket_channel *channel, const struct zmtp_item *item,
                           struct bg_error *err)
{
    uint8_t reply[ZMTP_WRITTEN];
    size_t size = zmtp_pong(reply, item->data, item->size);
    enum bg_status status =
        channel->is_cut ? BG_OK
                        : backlog_send(&channel->unsent, channel->fd, NULL, 0, reply, size, 0);

    channel->is_cut |= status == BG_E_CLOSED;
    return status == BG_E_MEMORY ? bg_error_set(err, status, "PONG") : BG_OK;
}

/* Returns the next message from the bytes read so far. BG_E_TIMEOUT, without a text: there is no
 * complete message. */
static enum bg_status next_message(struct socket_channel *channel, const void **data, size_t *size,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK) {
        struct zmtp_item item;

        switch (zmtp_read(&item, &channel->reader, &channel->at, channel->end)) {
        case ZMTP_MESSAGE:
            *data = item.data;
            *size = item.size;
            return BG_OK;
        case ZMTP_MORE:
            return BG_E_TIMEOUT;
        case ZMTP_READY:
            status = take_ready(channel, err);
            break;
        case ZMTP_PING:
            status = pong(channel, &item, err);
            break;
        case ZMTP_PONG:
            break;
        case ZMTP_DROPPED:
            return bg_error_set(err, BG_E_FORMAT, "a message of %d frames from the referee",
                                item.parts);
        case ZMTP_BROKEN:
            return take_break(channel, err);
        }
    }
    return status;
}

/* Between hold_drain and release only the caller reads the socket. */
static void hold_drain(struct socket_channel *channel)
{
    if (channel->drain != NULL) {
        drain_hold(channel->drain);
    }
}

static void release(struct socket_channel *channel)
{
    if (channel->drain != NULL) {
        drain_release(channel->drain);
    }
}

/* Takes the bytes that the thread has read. The caller has used all earlier bytes. */
static bool take_drained(struct socket_channel *channel)
{
    const uint8_t *data;
    size_t size = channel->drain == NULL ? 0 : drain_take(&data, channel->drain);

    if (size > 0) {
        channel->at = data;
        channel->end = data + size;
    }
    return size > 0;
}

/* Reads once; call it only when all earlier input is used. */
static enum bg_status read_input(struct socket_channel *channel, int flags, struct bg_error *err)
{
    ssize_t count = recv(channel->fd, channel->input, sizeof channel->input, flags);

    if (count > 0) {
        /* The decisions that next_message lends lie in input itself: nothing is copied while a
         * message lies in one read. */
        channel->at = channel->input;
        channel->end = channel->input + count;
        return BG_OK;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return BG_E_TIMEOUT;
    }
    if (count < 0 && errno != ECONNRESET && errno != EPIPE) {
        return bg_error_set(err, BG_E_LINK, "receive from the referee: %s", strerror(errno));
    }
    /* 0 bytes, or a reset: what was read before is still returned. */
    channel->has_ended = true;
    return BG_OK;
}

static enum bg_status ended(const struct socket_channel *channel, struct bg_error *err)
{
    return channel->is_ready
               ? bg_error_set(err, BG_E_CLOSED, "the referee is gone")
               : bg_error_set(err, BG_E_CLOSED, "ipc://%s closes the connection before a word",
                              path_of(channel));
}

/* The program waits only for readable bytes, so unsent bytes must not remain. */
static void flush_all(struct socket_channel *channel, int limit_ms)
{
    int64_t deadline_ms = channel_now_ms() + limit_ms;
    int64_t left_ms = limit_ms;

    flush(channel);
    while (channel->is_ready && !channel->is_cut && channel->unsent.size > 0 && left_ms > 0) {
        struct pollfd wanted = {channel->fd, POLLOUT, 0};

        poll(&wanted, 1, (int)left_ms);
        flush(channel);
        left_ms = deadline_ms - channel_now_ms();
    }
}

static enum bg_status socket_channel_take(struct channel *base, const void **data, size_t *size,
                                          struct bg_error *err)
{
    struct socket_channel *channel = socket_of(base);
    enum bg_status status;

    while ((status = next_message(channel, data, size, err)) == BG_E_TIMEOUT) {
        if (channel->has_ended) {
            return ended(channel, err);
        }
        if (channel->fd < 0) {
            return BG_E_TIMEOUT;
        }
        hold_drain(channel);
        status = take_drained(channel) ? BG_OK : read_input(channel, MSG_DONTWAIT, err);
        release(channel);
        if (status != BG_OK) {
            return status;
        }
    }
    return status;
}

/* Waits in poll, not in recv: the kernel wakes a waiting recv also when the peer has read bytes of
 * ours. */
static enum bg_status poll_and_fill(struct socket_channel *channel, int timeout_ms,
                                    struct bg_error *err)
{
    bool has_unsent = channel->is_ready && !channel->is_cut && channel->unsent.size > 0;
    struct pollfd wanted = {channel->fd, POLLIN, 0};

    wanted.events |= has_unsent ? POLLOUT : 0;
    poll(&wanted, 1, timeout_ms);
    if ((wanted.revents & POLLOUT) != 0) {
        flush(channel);
    }
    return (wanted.revents & ~POLLOUT) != 0 ? read_input(channel, MSG_DONTWAIT, err) : BG_E_TIMEOUT;
}

/* Waits for the socket and reads. */
static enum bg_status wait_and_fill(struct socket_channel *channel, int timeout_ms,
                                    struct bg_error *err)
{
    enum bg_status status;

    if (channel->fd < 0) {
        /* There is nothing to wait on: the file of a Unix socket cannot be polled for. */
        poll(NULL, 0, timeout_ms < 0 || timeout_ms > RETRY_MS ? RETRY_MS : timeout_ms);
        return try_connect(channel, err);
    }
    hold_drain(channel);
    status = take_drained(channel) ? BG_OK : poll_and_fill(channel, timeout_ms, err);
    release(channel);
    return status;
}

static enum bg_status silence(const struct socket_channel *channel, struct bg_error *err)
{
    if (channel->fd < 0) {
        return bg_error_set(err, BG_E_TIMEOUT, "connect ipc://%s: %s", path_of(channel),
                            strerror(channel->refused));
    }
    return channel->is_ready
               ? bg_error_set(err, BG_E_TIMEOUT, "no message from the referee")
               : bg_error_set(err, BG_E_TIMEOUT, "ipc://%s does not complete ZeroMQ's handshake",
                              path_of(channel));
}

static enum bg_status socket_channel_receive(struct channel *base, int timeout_ms,
                                             const void **data, size_t *size, struct bg_error *err)
{
    struct socket_channel *channel = socket_of(base);
    int64_t deadline_ms = timeout_ms > 0 ? channel_now_ms() + timeout_ms : 0;
    int64_t left_ms = timeout_ms;
    enum bg_status status;

    /* A program that polls the descriptor itself would never learn that the socket can be
     * written again. */
    if (channel->has_poller) {
        flush_all(channel, LINGER_MS);
    }
    for (;;) {
        status = next_message(channel, data, size, err);
        if (status != BG_E_TIMEOUT) {
            return status;
        }
        if (channel->has_ended) {
            return ended(channel, err);
        }
        if (timeout_ms >= 0 && left_ms < 0) {
            return silence(channel, err);
        }
        status = wait_and_fill(channel, (int)left_ms, err);
        if (status != BG_OK && status != BG_E_TIMEOUT) {
            return status;
        }
        left_ms = timeout_ms > 0 ? deadline_ms - channel_now_ms() : -1;
    }
}

static bool socket_channel_holds(const struct channel *base)
{
    const struct socket_channel *channel = (const struct socket_channel *)base;

    return channel->at < channel->end ||
           (channel->drain != NULL && drain_has_bytes(channel->drain));
}

static int socket_channel_fd(struct channel *base)
{
    /* From now on its own loop reads in time, or does not want to. */
    socket_of(base)->has_poller = true;
    drain_stop(socket_of(base)->drain); /* it would take the bytes that the program waits for */
    return socket_of(base)->fd;
}

static enum bg_status socket_channel_read_on(struct channel *base, struct bg_error *err)
{
    struct socket_channel *channel = socket_of(base);

    return channel->drain == NULL && channel->fd >= 0 && !channel->has_poller
               ? drain_start(&channel->drain, channel->fd, err)
               : BG_OK;
}

/* ---------------------------------------------------------------- opening and closing */

static void socket_channel_close(struct channel *base)
{
    struct socket_channel *channel = socket_of(base);

    if (channel == NULL) {
        return;
    }
    /* The thread first, as it uses the descriptor. */
    drain_destroy(channel->drain);
    flush_all(channel, LINGER_MS);
    if (channel->fd >= 0) {
        close(channel->fd);
    }
    backlog_deinit(&channel->unsent);
    zmtp_reader_deinit(&channel->reader);
    free(channel);
}

static enum channel_line socket_channel_line(struct channel *base)
{
    (void)base;
    return LINE_LOCAL;
}

static const struct channel_ops socket_channel_ops = {
    socket_channel_close, socket_channel_send, socket_channel_take,    socket_channel_receive,
    socket_channel_holds, socket_channel_fd,   socket_channel_read_on, socket_channel_line};

enum bg_status channel_socket_open(struct channel **out, const char *endpoint, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    const char *path = endpoint + strlen("ipc://");
    struct socket_channel *channel =
        malloc(sizeof *channel); /* malloc, so that the memory of input is not touched */

    if (channel == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "connection");
    }
    /* 256 KiB that are never written cost no memory of the system. */
    memset(channel, 0, offsetof(struct socket_channel, input));
    channel->base.ops = &socket_channel_ops;
    channel->fd = -1;
    channel->at = channel->end = channel->input;
    zmtp_reader_init(&channel->reader, MESSAGE_MAX);
    /* One connection for a process: its largest block is kept, where a gateway with thousands
     * frees it. */
    channel->reader.kept_lasting = MESSAGE_MAX;
    channel->address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof channel->address.sun_path) {
        status = bg_error_set(err, BG_E_LINK, "connect %s: the path is longer than %zu bytes",
                              endpoint, sizeof channel->address.sun_path - 1);
        goto done;
    }
    memcpy(channel->address.sun_path, path, strlen(path) + 1);
    status = try_connect(channel, err);
    if (status == BG_OK) {
        *out = &channel->base;
        channel = NULL; /* now the caller's */
    }
done:
    socket_channel_close(channel == NULL ? NULL : &channel->base);
    return status;
}
