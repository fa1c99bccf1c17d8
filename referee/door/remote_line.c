#include "remote_line.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <zmq.h>

#include "gateway.h"

enum { LINGER_MS = 500, HANDSHAKE_MS = 5000, RETRY_MS = 250, RETRY_MOST_MS = 5000, QUEUE = 1100 };

static const char MONITOR[] = "inproc://bgref-line";

struct remote_line {
    void *context, *dealer, *monitor;
    zmq_msg_t message;
    bool is_holding; /* message is initialised */
    bool is_proven;
};

static bool set_int(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value) == 0;
}

/* The name of this connection; no two are equal. */
static bool set_name(void *dealer, int place)
{
    enum { RANDOM = 16 };
    unsigned char bytes[RANDOM];
    char hex[2 * RANDOM + 1], name[sizeof GATEWAY_JOINER + sizeof hex + 2];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(hex, sizeof hex, bytes, sizeof bytes);
    snprintf(name, sizeof name, "%s%c-%s", GATEWAY_JOINER, '0' + place, hex);
    return zmq_setsockopt(dealer, ZMQ_ROUTING_ID, name, strlen(name)) == 0;
}

static bool set_up(const struct remote_line *line, const struct host_file *host,
                   const struct join_secret *own, int place)
{
    void *dealer = line->dealer;

    return dealer != NULL && line->monitor != NULL && set_name(dealer, place) &&
           zmq_setsockopt(dealer, ZMQ_CURVE_SERVERKEY, host->key, sizeof host->key) == 0 &&
           zmq_setsockopt(dealer, ZMQ_CURVE_PUBLICKEY, own->public.key, sizeof own->public.key) ==
               0 &&
           zmq_setsockopt(dealer, ZMQ_CURVE_SECRETKEY, own->key, sizeof own->key) == 0 &&
           set_int(dealer, ZMQ_LINGER, LINGER_MS) && set_int(dealer, ZMQ_IPV6, 1) &&
           set_int(dealer, ZMQ_HANDSHAKE_IVL, HANDSHAKE_MS) &&
           set_int(dealer, ZMQ_RECONNECT_IVL, RETRY_MS) &&
           set_int(dealer, ZMQ_RECONNECT_IVL_MAX, RETRY_MOST_MS) &&
           set_int(dealer, ZMQ_HEARTBEAT_IVL, GATEWAY_HEARTBEAT_MS) &&
           set_int(dealer, ZMQ_HEARTBEAT_TIMEOUT, GATEWAY_DEAD_MS) &&
           set_int(dealer, ZMQ_SNDHWM, QUEUE) &&
           zmq_socket_monitor(
               dealer, MONITOR,
               ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED |
                   ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                   ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) == 0 &&
           zmq_connect(line->monitor, MONITOR) == 0 && zmq_connect(dealer, host->endpoint) == 0;
}

enum bg_status remote_line_open(struct remote_line **out, const struct host_file *host,
                                const struct join_secret *own, int place, struct bg_error *err)
{
    struct remote_line *line = calloc(1, sizeof *line);

    if (line == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "connection to the host");
    }
    line->context = zmq_ctx_new();
    line->dealer = zmq_socket(line->context, ZMQ_DEALER);
    line->monitor = zmq_socket(line->context, ZMQ_PAIR);
    if (!set_up(line, host, own, place)) {
        enum bg_status status = bg_error_set(err, BG_E_LINK, "connect %s: %s", host->endpoint,
                                             zmq_strerror(zmq_errno()));

        remote_line_close(line);
        return status;
    }
    *out = line;
    return BG_OK;
}

void remote_line_close(struct remote_line *line)
{
    if (line == NULL) {
        return;
    }
    if (line->is_holding) {
        zmq_msg_close(&line->message);
    }
    if (line->monitor != NULL) {
        zmq_close(line->monitor);
    }
    if (line->dealer != NULL) {
        zmq_close(line->dealer);
    }
    zmq_ctx_term(line->context);
    free(line);
}

bool remote_line_send(struct remote_line *line, const void *data, size_t size)
{
    return zmq_send(line->dealer, data, size, ZMQ_DONTWAIT) >= 0;
}

/* An event of the monitor is six bytes, and an address. */
enum remote_news remote_line_news(struct remote_line *line)
{
    uint8_t event[6];
    char address[256];
    uint16_t kind;

    if (zmq_recv(line->monitor, event, sizeof event, ZMQ_DONTWAIT) < 0) {
        return REMOTE_NOTHING;
    }
    (void)zmq_recv(line->monitor, address, sizeof address, ZMQ_DONTWAIT);
    memcpy(&kind, event, sizeof kind);
    switch (kind) {
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
        line->is_proven = true;
        return REMOTE_PROVEN;
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
        return REMOTE_FORBIDDEN;
    case ZMQ_EVENT_CONNECT_RETRIED:
        return REMOTE_ABSENT;
    default: /* an ended connection, with or without a reason */
        return line->is_proven ? REMOTE_LOST : REMOTE_UNPROVEN;
    }
}

bool remote_line_take(const void **data, size_t *size, struct remote_line *line)
{
    if (line->is_holding) {
        zmq_msg_close(&line->message);
    }
    zmq_msg_init(&line->message);
    line->is_holding = true;
    if (zmq_msg_recv(&line->message, line->dealer, ZMQ_DONTWAIT) < 0) {
        return false;
    }
    *data = zmq_msg_data(&line->message);
    *size = zmq_msg_size(&line->message);
    return true;
}

static int fd_of(void *socket)
{
    int fd = -1;
    size_t size = sizeof fd;

    (void)zmq_getsockopt(socket, ZMQ_FD, &fd, &size);
    return fd;
}

int remote_line_message_fd(const struct remote_line *line)
{
    return fd_of(line->dealer);
}

int remote_line_news_fd(const struct remote_line *line)
{
    return fd_of(line->monitor);
}
