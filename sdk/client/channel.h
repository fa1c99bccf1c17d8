/* channel.h - the client's connection: it sends and receives whole messages.
 *
 * Two implementations. channel_socket.c, for ipc://, speaks ZMTP over a plain Unix socket: in
 * lock-step the way through libzmq's thread costs more than everything else together.
 * channel_zmq.c is a DEALER of libzmq, for every endpoint. The variable BGREF_CLIENT chooses:
 * "socket" or "libzmq"; unset: the socket where it can be used.
 */
#ifndef SDK_CLIENT_CHANNEL_H
#define SDK_CLIENT_CHANNEL_H

#include <bgref/error.h>

#include <stddef.h>

struct channel {
    const struct channel_ops *ops;
};

/* What an implementation provides; contracts as below. */
struct channel_ops {
    void (*close)(struct channel *channel);
    enum bg_status (*send)(struct channel *channel, const void *data, size_t size,
                           struct bg_error *err);
    enum bg_status (*take)(struct channel *channel, const void **data, size_t *size,
                           struct bg_error *err);
    enum bg_status (*receive)(struct channel *channel, int timeout_ms, const void **data,
                              size_t *size, struct bg_error *err);
    int (*fd)(struct channel *channel);
    enum bg_status (*read_on)(struct channel *channel, struct bg_error *err);
};

/* Connects to endpoint. A referee that is not there yet is tried again whenever something is to be
 * received. BG_E_ARGUMENT: BGREF_CLIENT; BG_E_LINK, BG_E_MEMORY. */
enum bg_status channel_open(struct channel **out, const char *endpoint, struct bg_error *err);
enum bg_status channel_socket_open(struct channel **out, const char *endpoint,
                                   struct bg_error *err);
enum bg_status channel_zmq_open(struct channel **out, const char *endpoint, struct bg_error *err);

/* Waits up to two seconds until sent messages have left, unless the referee is gone. NULL is
 * fine. */
void channel_close(struct channel *channel);

/* Sends or copies; never waits. BG_E_LINK, BG_E_MEMORY. A lost connection is reported when
 * receiving: last messages may still be there. */
enum bg_status channel_send(struct channel *channel, const void *data, size_t size,
                            struct bg_error *err);

/* The next message, lent until the next receive. channel_take never waits; channel_receive waits
 * at most timeout_ms (-1: for ever) and notices that the referee is gone, with libzmq within half a
 * second. BG_E_TIMEOUT: nothing came (channel_take does not
 * say so in words); BG_E_CLOSED: the connection is lost; BG_E_REFUSED: the peer
 * refuses the connection; BG_E_LINK: also a peer that is no referee. */
enum bg_status channel_take(struct channel *channel, const void **data, size_t *size,
                            struct bg_error *err);
enum bg_status channel_receive(struct channel *channel, int timeout_ms, const void **data,
                               size_t *size, struct bg_error *err);

/* From now on messages are read also while the program is busy elsewhere, as a bot needs for which
 * more is sent than the kernel holds. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status channel_read_on(struct channel *channel, struct bg_error *err);

/* A descriptor that becomes readable when messages come: the socket, or ZMQ_FD. Messages may also
 * be here already, so take until BG_E_TIMEOUT before each wait for it. Ends channel_read_on. -1:
 * not connected. */
int channel_fd(struct channel *channel);

#endif
