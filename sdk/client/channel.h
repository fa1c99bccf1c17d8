/* channel.h - the client's socket: a DEALER that sends and receives whole messages. */
#ifndef SDK_CLIENT_CHANNEL_H
#define SDK_CLIENT_CHANNEL_H

#include <bgref/error.h>

#include <stddef.h>

struct channel;

/* Connects to endpoint. The connection is made in the background: a referee that is not there shows
 * as silence. BG_E_LINK, BG_E_MEMORY. */
enum bg_status channel_open(struct channel **out, const char *endpoint, struct bg_error *err);

/* Waits a moment until sent messages have left, unless the referee is gone. NULL is fine. */
void channel_close(struct channel *channel);

/* Copies and sends. BG_E_LINK. */
enum bg_status channel_send(struct channel *channel, const void *data, size_t size,
                            struct bg_error *err);

/* The next message, lent until the next receive. channel_take never waits; channel_receive waits
 * at most timeout_ms (-1: for ever) and notices that the referee is gone within half a second.
 * BG_E_TIMEOUT: nothing came; BG_E_CLOSED: the connection is lost; BG_E_LINK. */
enum bg_status channel_take(struct channel *channel, const void **data, size_t *size,
                            struct bg_error *err);
enum bg_status channel_receive(struct channel *channel, int timeout_ms, const void **data,
                               size_t *size, struct bg_error *err);

/* ZMQ_FD of the socket. */
int channel_fd(const struct channel *channel);

#endif
