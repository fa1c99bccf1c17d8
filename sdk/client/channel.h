/* channel.h - the client's connection: it sends and receives whole messages.
 *
 * Two implementations. channel_socket.c, for ipc://, speaks ZMTP over a plain Unix socket:
 * with one decision at a time, the switches to and from libzmq's thread cost more than everything
 * else. channel_zmq.c is a libzmq DEALER, for every endpoint. The environment variable BGREF_CLIENT
 * selects "socket" or "libzmq"; unset: the socket if possible.
 */
#ifndef SDK_CLIENT_CHANNEL_H
#define SDK_CLIENT_CHANNEL_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The line below a connection. */
enum channel_line {
    LINE_LOCAL,   /* to a referee on this machine, which is not watched */
    LINE_AWAITED, /* to a host on another machine, which has not answered yet, or is lost */
    LINE_UP       /* to a host on another machine, which has proved its key */
};

struct channel {
    const struct channel_ops *ops;
};

/* An implementation; the contracts are those of the functions below. */
struct channel_ops {
    void (*close)(struct channel *channel);
    enum bg_status (*send)(struct channel *channel, const void *data, size_t size,
                           struct bg_error *err);
    enum bg_status (*take)(struct channel *channel, const void **data, size_t *size,
                           struct bg_error *err);
    enum bg_status (*receive)(struct channel *channel, int timeout_ms, const void **data,
                              size_t *size, struct bg_error *err);
    bool (*holds)(const struct channel *channel);
    int (*fd)(struct channel *channel);
    enum bg_status (*read_on)(struct channel *channel, struct bg_error *err);
    enum channel_line (*line)(struct channel *channel);
};

/* Connects to endpoint. If the referee is not there yet, each receive tries
 * again. BG_E_ARGUMENT: BGREF_CLIENT; BG_E_LINK, BG_E_MEMORY. */
enum bg_status channel_open(struct channel **out, const char *endpoint, struct bg_error *err);
enum bg_status channel_socket_open(struct channel **out, const char *endpoint,
                                   struct bg_error *err);
enum bg_status channel_zmq_open(struct channel **out, const char *endpoint, struct bg_error *err);

/* Waits at most two seconds until all messages are sent, unless the referee is gone. channel may be
 * NULL. */
void channel_close(struct channel *channel);

/* Sends or copies; never waits. BG_E_LINK, BG_E_MEMORY. A lost connection is reported by
 * the receiving functions, because last messages may still be there. */
enum bg_status channel_send(struct channel *channel, const void *data, size_t size,
                            struct bg_error *err);

/* Returns the next message, lent until the next receive. channel_take never waits; channel_receive
 * waits at most timeout_ms (-1: for ever) and notices that the referee is gone, with libzmq within
 * half a second. BG_E_TIMEOUT: nothing came (channel_take does not say so in words); BG_E_CLOSED:
 * the connection to a local referee is lost, which has ended; BG_E_REFUSED: the peer refuses the
 * connection; BG_E_LINK: also if the peer is not a referee, or a line to another machine is lost.
 */
enum bg_status channel_take(struct channel *channel, const void **data, size_t *size,
                            struct bg_error *err);
enum bg_status channel_receive(struct channel *channel, int timeout_ms, const void **data,
                               size_t *size, struct bg_error *err);

/* Returns whether messages may have been read that are not returned yet. */
bool channel_holds(const struct channel *channel);

/* From now on messages are read also while the program is busy elsewhere, as a bot needs for which
 * more is sent than the kernel holds. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status channel_read_on(struct channel *channel, struct bg_error *err);

/* Returns the present state of the line. */
enum channel_line channel_line(struct channel *channel);

/* A descriptor that becomes readable when messages come: the socket, or ZMQ_FD. Messages may also
 * be here already, so take until BG_E_TIMEOUT before each wait for it. Ends channel_read_on. -1:
 * not connected. */
int channel_fd(struct channel *channel);

/* Milliseconds of the clock on which the implementations count their patience. */
int64_t channel_now_ms(void);

#endif
