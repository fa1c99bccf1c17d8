/* libzmq has a thread that reads, connects again and encrypts, so this file only asks it. Two of
 * its habits need care. It connects again without a word, though the peer then knows nothing of
 * this bot: a monitor socket tells of a lost line (line_look), and it is reported instead of
 * being hidden. And a waiting receive does not notice the monitor, so waits are cut into slices
 * of SLICE_MS. */
#include "channel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zmq.h>

#include "sealed.h"

enum {
    SLICE_MS = 500,
    LINGER_MS = 2000,
    BEAT_MS = 5000, /* signs of life on a sealed line ... */
    DEAD_MS = 15000 /* ... which is lost without one in this time */
};

static const char monitor_endpoint[] = "inproc://bgref-monitor";

struct zmq_channel {
    struct channel base;
    void *context, *socket, *monitor;
    zmq_msg_t frame;
    char *host;     /* the endpoint of a sealed line; NULL: another line */
    bool up;        /* a sealed handshake has succeeded */
    bool lost;      /* the connection was established and is now lost */
    bool unproven;  /* a sealed handshake failed: one of the keys is not the right one */
    int timeout_ms; /* present value of ZMQ_RCVTIMEO */
};

static struct zmq_channel *zmq_of(struct channel *channel)
{
    return (struct zmq_channel *)channel;
}

static enum bg_status link_error(struct bg_error *err, const char *what, const char *name)
{
    return bg_error_set(err, BG_E_LINK, "%s %s: %s", what, name, zmq_strerror(zmq_errno()));
}

static int set_int(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value);
}

/* A sealed line tells when keys do not fit, and that it is alive. */
static enum bg_status set_sealed(struct zmq_channel *channel, const char *endpoint,
                                 struct bg_error *err)
{
    enum bg_status status = sealed_set(channel->socket, err);

    if (status == BG_OK && (channel->host = strdup(endpoint)) == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "connection");
    }
    if (status == BG_OK && (set_int(channel->socket, ZMQ_HEARTBEAT_IVL, BEAT_MS) != 0 ||
                            set_int(channel->socket, ZMQ_HEARTBEAT_TIMEOUT, DEAD_MS) != 0 ||
                            /* Without it libzmq resolves names to IPv4 only. */
                            set_int(channel->socket, ZMQ_IPV6, 1) != 0)) {
        status = link_error(err, "settings of", "a sealed line");
    }
    return status;
}

/* Without high-water marks, because the referee limits the number of open messages. */
static enum bg_status sockets_open(struct zmq_channel *channel, const char *endpoint,
                                   struct bg_error *err)
{
    /* Failed handshakes too: libzmq tries again for ever where a key does not fit. */
    const int events = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED |
                       ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                       ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL;

    channel->context = zmq_ctx_new();
    channel->socket = channel->context ? zmq_socket(channel->context, ZMQ_DEALER) : NULL;
    channel->monitor = channel->context ? zmq_socket(channel->context, ZMQ_PAIR) : NULL;
    if (channel->socket == NULL || channel->monitor == NULL) {
        return link_error(err, "socket for", endpoint);
    }
    if (sealed_is_wanted() && strncmp(endpoint, "tcp://", 6) == 0) {
        enum bg_status status = set_sealed(channel, endpoint, err);

        if (status != BG_OK) {
            return status;
        }
    }
    /* All settings before zmq_connect: they hold for connections that are made afterwards. */
    if (set_int(channel->socket, ZMQ_RCVHWM, 0) != 0 ||
        set_int(channel->socket, ZMQ_SNDHWM, 0) != 0 ||
        set_int(channel->socket, ZMQ_LINGER, LINGER_MS) != 0 ||
        set_int(channel->socket, ZMQ_RCVTIMEO, SLICE_MS) != 0 ||
        set_int(channel->monitor, ZMQ_LINGER, 0) != 0 ||
        zmq_socket_monitor(channel->socket, monitor_endpoint, events) != 0 ||
        zmq_connect(channel->monitor, monitor_endpoint) != 0 ||
        zmq_connect(channel->socket, endpoint) != 0) {
        return link_error(err, "connect", endpoint);
    }
    channel->timeout_ms = SLICE_MS;
    return BG_OK;
}

static void zmq_channel_close(struct channel *base)
{
    struct zmq_channel *channel = zmq_of(base);

    if (channel == NULL) {
        return;
    }
    zmq_msg_close(&channel->frame);
    if (channel->socket != NULL) {
        if (channel->lost) {
            /* Nobody is there to take what waits, and zmq_ctx_term would wait for it. */
            set_int(channel->socket, ZMQ_LINGER, 0);
        }
        zmq_socket_monitor(channel->socket, NULL, 0);
        zmq_close(channel->socket);
    }
    if (channel->monitor != NULL) {
        zmq_close(channel->monitor);
    }
    /* It returns early for a signal, with the context still there. */
    while (channel->context != NULL && zmq_ctx_term(channel->context) != 0 &&
           zmq_errno() == EINTR) {
    }
    free(channel->host);
    free(channel);
}

static enum bg_status zmq_channel_send(struct channel *base, const void *data, size_t size,
                                       struct bg_error *err)
{
    while (zmq_send(zmq_of(base)->socket, data, size, 0) < 0) {
        if (zmq_errno() != EINTR) {
            return link_error(err, "send to", "the referee");
        }
    }
    return BG_OK;
}

/* Tries once to receive. BG_E_TIMEOUT, without a text: interrupted, or no message. */
static enum bg_status frame_receive(struct zmq_channel *channel, int flags, const void **data,
                                    size_t *size, struct bg_error *err)
{
    if (zmq_msg_recv(&channel->frame, channel->socket, flags) < 0) {
        if (zmq_errno() == EAGAIN || zmq_errno() == EINTR) {
            return BG_E_TIMEOUT;
        }
        return link_error(err, "receive from", "the referee");
    }
    *data = zmq_msg_data(&channel->frame);
    *size = zmq_msg_size(&channel->frame);
    return BG_OK;
}

/* Reads what has happened to the connection. No message is lost: libzmq delivers earlier messages
 * first, and the caller receives once more. An event has two frames: its kind and value, and an
 * address. */
static void line_look(struct zmq_channel *channel)
{
    /* 16 bits of the event and 32 of its value, in the machine's order. */
    uint8_t event[6];
    char address[256];
    uint16_t kind;

    while (zmq_recv(channel->monitor, event, sizeof event, ZMQ_DONTWAIT) >= 0) {
        (void)zmq_recv(channel->monitor, address, sizeof address, ZMQ_DONTWAIT);
        memcpy(&kind, event, sizeof kind);
        if (kind == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
            channel->up = true;
            continue;
        }
        channel->lost = true;
        channel->unproven = channel->unproven || kind != ZMQ_EVENT_DISCONNECTED;
    }
}

static enum bg_status lost_say(const struct zmq_channel *channel, struct bg_error *err)
{
    if (channel->unproven) {
        return bg_error_set(err, BG_E_LINK,
                            "the host does not prove its key, or does not know ours: see "
                            "BGREF_SERVER_KEY and BGREF_KEY_FILE");
    }
    return channel->host == NULL
               ? bg_error_set(err, BG_E_CLOSED, "the referee is gone")
               : bg_error_set(err, BG_E_LINK, "the line to %s is lost; start the bot again",
                              channel->host);
}

/* For the case that no message arrived: returns BG_E_TIMEOUT, BG_OK with a last message, or
 * BG_E_CLOSED or BG_E_LINK. */
static enum bg_status nothing_came(struct zmq_channel *channel, const void **data, size_t *size,
                                   struct bg_error *err)
{
    enum bg_status status;

    line_look(channel);
    status = frame_receive(channel, ZMQ_DONTWAIT, data, size, err);
    if (status == BG_E_TIMEOUT && channel->lost) {
        status = lost_say(channel, err);
    }
    return status;
}

static enum bg_status zmq_channel_take(struct channel *base, const void **data, size_t *size,
                                       struct bg_error *err)
{
    return frame_receive(zmq_of(base), ZMQ_DONTWAIT, data, size, err);
}

static enum bg_status slice_receive(struct zmq_channel *channel, int slice_ms, const void **data,
                                    size_t *size, struct bg_error *err)
{
    enum bg_status status;

    if (slice_ms != channel->timeout_ms) {
        set_int(channel->socket, ZMQ_RCVTIMEO, slice_ms);
        channel->timeout_ms = slice_ms;
    }
    status = frame_receive(channel, 0, data, size, err);
    return status == BG_E_TIMEOUT ? nothing_came(channel, data, size, err) : status;
}

static enum bg_status zmq_channel_receive(struct channel *base, int timeout_ms, const void **data,
                                          size_t *size, struct bg_error *err)
{
    int64_t deadline_ms = timeout_ms > 0 ? channel_now_ms() + timeout_ms : 0;
    int64_t left_ms = timeout_ms;
    enum bg_status status;

    do {
        int slice_ms = timeout_ms < 0 || left_ms > SLICE_MS ? SLICE_MS : (int)left_ms;

        status = slice_receive(zmq_of(base), slice_ms, data, size, err);
        if (timeout_ms > 0 && status == BG_E_TIMEOUT) {
            left_ms = deadline_ms - channel_now_ms();
        }
    } while (status == BG_E_TIMEOUT && (timeout_ms < 0 || left_ms > 0));
    return status == BG_E_TIMEOUT ? bg_error_set(err, status, "no message from the referee")
                                  : status;
}

/* libzmq's own thread may have read any number. */
static bool zmq_channel_holds(const struct channel *base)
{
    (void)base;
    return true;
}

static int zmq_channel_fd(struct channel *base)
{
    struct zmq_channel *channel = zmq_of(base);
    int fd = -1;
    size_t size = sizeof fd;

    zmq_getsockopt(channel->socket, ZMQ_FD, &fd, &size);
    return fd;
}

/* libzmq's own thread always reads. */
static enum bg_status zmq_channel_read_on(struct channel *base, struct bg_error *err)
{
    (void)base;
    (void)err;
    return BG_OK;
}

static enum channel_line zmq_channel_line(struct channel *base)
{
    struct zmq_channel *channel = zmq_of(base);

    line_look(channel);
    if (channel->host == NULL) {
        return LINE_LOCAL;
    }
    return channel->up && !channel->lost ? LINE_UP : LINE_AWAITED;
}

static const struct channel_ops zmq_channel_ops = {
    zmq_channel_close, zmq_channel_send, zmq_channel_take,    zmq_channel_receive,
    zmq_channel_holds, zmq_channel_fd,   zmq_channel_read_on, zmq_channel_line};

enum bg_status channel_zmq_open(struct channel **out, const char *endpoint, struct bg_error *err)
{
    enum bg_status status;
    struct zmq_channel *channel = calloc(1, sizeof *channel);

    if (channel == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "connection");
        goto done;
    }
    channel->base.ops = &zmq_channel_ops;
    zmq_msg_init(&channel->frame);
    status = sockets_open(channel, endpoint, err);
    if (status != BG_OK) {
        goto done;
    }
    *out = &channel->base;
    channel = NULL; /* now the caller's */
done:
    zmq_channel_close(channel == NULL ? NULL : &channel->base);
    return status;
}
