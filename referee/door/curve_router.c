#define _GNU_SOURCE
#include "curve_router.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <zmq.h>

#include "gateway.h"
#include "loop/folder.h"

/* Not in the headers of libzmq 4.3.4, but in the library: without a ZAP handler nobody is let in.
 */
#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93
#endif

enum {
    HANDSHAKE_MS = 5000,
    SEND_QUEUE = 256, /* messages that may wait for one remote bot */
    WAITING_ROOM = 64,
    LINGER_MS = 500 /* for the last messages when the referee has ended */
};

static bool set_int(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value) == 0;
}

bool curve_router_set(void *router, const struct join_secret *host, const char *domain,
                      int64_t message_most)
{
    return set_int(router, ZMQ_CURVE_SERVER, 1) &&
           zmq_setsockopt(router, ZMQ_CURVE_SECRETKEY, host->key, sizeof host->key) == 0 &&
           zmq_setsockopt(router, ZMQ_ZAP_DOMAIN, domain, strlen(domain)) == 0 &&
           set_int(router, ZMQ_ZAP_ENFORCE_DOMAIN, 1) &&
           zmq_setsockopt(router, ZMQ_MAXMSGSIZE, &message_most, sizeof message_most) == 0 &&
           set_int(router, ZMQ_HANDSHAKE_IVL, HANDSHAKE_MS) &&
           set_int(router, ZMQ_HEARTBEAT_IVL, GATEWAY_HEARTBEAT_MS) &&
           set_int(router, ZMQ_HEARTBEAT_TIMEOUT, GATEWAY_DEAD_MS) &&
           set_int(router, ZMQ_BACKLOG, WAITING_ROOM) && set_int(router, ZMQ_SNDHWM, SEND_QUEUE) &&
           set_int(router, ZMQ_RCVHWM, SEND_QUEUE) && set_int(router, ZMQ_ROUTER_MANDATORY, 1) &&
           set_int(router, ZMQ_LINGER, LINGER_MS);
}

int curve_router_listen(const char *endpoint)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = folder_path_of(endpoint);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    (void)unlink(path);
    if (fd >= 0 && (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
                    chmod(path, S_IRUSR | S_IWUSR) != 0 || listen(fd, WAITING_ROOM) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
