/* tcp_dial.h - connects to a TCP address, or to a name that has several, without waiting.
 *
 * A name is looked up on a thread of its own, since the C library's look-up waits; an address needs
 * none. Then each address is tried, in the order in which the system gives them.
 */
#ifndef HOST_CMD_TCP_DIAL_H
#define HOST_CMD_TCP_DIAL_H

#include <bgref/error.h>

#include <stdint.h>

struct tcp_dial;

enum tcp_dial_news { TCP_DIAL_WAITS, TCP_DIAL_CONNECTED, TCP_DIAL_FAILED };

/* Begins to connect to "tcp://HOST:PORT". BG_E_CONFIG: another form; BG_E_SYSTEM. */
enum bg_status tcp_dial_open(struct tcp_dial **out, const char *endpoint, struct bg_error *err);
/* Gives up what was not taken. NULL is fine. */
void tcp_dial_close(struct tcp_dial *dial);

/* Goes on, as far as it can now. TCP_DIAL_CONNECTED: *fd is the caller's, non-blocking, without
 * delay of small messages. TCP_DIAL_FAILED: *err says why (BG_E_LINK). now_ns: any clock, but
 * always the same one; an address is given up after TCP_DIAL_MOST_NS. */
enum tcp_dial_news tcp_dial_go_on(int *fd, struct tcp_dial *dial, int64_t now_ns,
                                  struct bg_error *err);

#define TCP_DIAL_MOST_NS INT64_C(10000000000)

/* What to wait for before going on: a descriptor, which may be another one after each step, and its
 * events of poll. */
int tcp_dial_fd(const struct tcp_dial *dial, short *events);

#endif
