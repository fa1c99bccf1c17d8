/* curve_router.h - a libzmq ROUTER for strangers: its limits, and the Unix socket it listens to. */
#ifndef REFEREE_DOOR_CURVE_ROUTER_H
#define REFEREE_DOOR_CURVE_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "proof/join_key.h"

/* Sets everything that a stranger's connection is limited by, and the host's key. domain: of ZAP
 * (zap.h), whose handler is to be bound before. message_most: bytes. Returns false with zmq_errno.
 */
bool curve_router_set(void *router, const struct join_secret *host, const char *domain,
                      int64_t message_most);

/* Makes the socket "ipc://PATH", for ZMQ_USE_FD: after its confinement a process can make no file.
 * One that was left there is replaced. Returns -1 with errno. */
int curve_router_listen(const char *endpoint);

#endif
