/* tcp_listen.h - the doorman's listening sockets: from an address of the event file to a socket. */
#ifndef REFEREE_DOOR_TCP_LISTEN_H
#define REFEREE_DOOR_TCP_LISTEN_H

#include <bgref/error.h>

enum { TCP_LISTEN_TEXT = 200 };

/* Listens to "tcp://ADDRESS:PORT": an address, a name of this machine, or * for all; port 0: a free
 * one. bound: the same with the numbers. *out is the caller's. BG_E_CONFIG: the address cannot be
 * listened to. */
enum bg_status tcp_listen(int *out, char bound[TCP_LISTEN_TEXT], const char *endpoint, int waiting,
                          struct bg_error *err);

#endif
