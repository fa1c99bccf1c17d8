/* tcp_address.h - the text "tcp://ADDRESS:PORT", of a listening socket or of one that connects. */
#ifndef REFEREE_DOOR_TCP_ADDRESS_H
#define REFEREE_DOOR_TCP_ADDRESS_H

#include <stdbool.h>

enum { TCP_ADDRESS_HOST = 200 };

/* Cuts "tcp://[::1]:5555" into "::1" and "5555". *port is a part of endpoint. Returns false if it
 * has another form. */
bool tcp_address_cut(char host[TCP_ADDRESS_HOST], const char **port, const char *endpoint);

#endif
