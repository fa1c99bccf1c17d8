/* tcp_listen.h - the doorman's listening sockets: from an address of the event file to a socket;
 * and the text of such an address, also of one that connects. */
#ifndef HOST_DOOR_TCP_LISTEN_H
#define HOST_DOOR_TCP_LISTEN_H

#include <bgref/error.h>

#include <stdbool.h>

enum { TCP_ADDRESS_HOST = 200 };

/* Cuts "tcp://[::1]:5555" into "::1" and "5555". *port is a part of endpoint. Returns false if it
 * has another form. */
bool tcp_address_cut(char host[TCP_ADDRESS_HOST], const char **port, const char *endpoint);

enum { TCP_LISTEN_TEXT = 200 };

/* Listens to "tcp://ADDRESS:PORT": an address, a name of this machine, or * for all; port 0: a free
 * one. bound: the same with the numbers. *out is the caller's. BG_E_CONFIG: the address cannot be
 * listened to. */
enum bg_status tcp_listen(int *out, char bound[TCP_LISTEN_TEXT], const char *endpoint, int waiting,
                          struct bg_error *err);

/* In the place of an address: the socket listens already, and is the process's descriptor
 * TCP_LISTEN_FD. */
#define TCP_LISTEN_GIVEN "given"
enum { TCP_LISTEN_FD = 4 };

/* Checks that a socket that another program has opened listens where endpoint says: the same
 * address and port (port 0: any), or every address in both. name: of the socket. BG_E_CONFIG. */
enum bg_status tcp_listen_check(int fd, const char *name, const char *endpoint,
                                struct bg_error *err);

#endif
