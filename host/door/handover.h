/* handover.h - how the doorman gives an accepted connection to the process behind it.
 *
 * Over a Unix socket of packets: each is the address from which the connection came, as text, with
 * the descriptor beside it. The doorman keeps a duplicate, which only counts: nothing is read or
 * written there. So the one who has taken a connection shuts it down before it closes it, and the
 * doorman sees its end.
 *
 * No message of inside.proto: the address is one text, and a descriptor cannot be packed.
 */
#ifndef HOST_DOOR_HANDOVER_H
#define HOST_DOOR_HANDOVER_H

#include <stdbool.h>

enum { HANDOVER_ADDRESS = 64 /* bytes of an address as text with its terminator */ };

/* Makes the socket "ipc://PATH", only for this user; one that was left there is replaced. Returns
 * -1 with errno. */
int handover_listen(const char *endpoint);
/* Returns the next one that gives connections, or -1. */
int handover_accept(int listener);
/* Returns -1: nobody listens there. */
int handover_connect(const char *path);

/* Gives a duplicate of the connection; never waits. Returns false if it is not taken. */
bool handover_give(int fd, int connection, const char *address);

enum handover_got { HANDOVER_NOTHING, HANDOVER_TAKEN, HANDOVER_ENDED };

/* Takes the next connection; never waits. connection: -1 if no descriptor is free here. */
enum handover_got handover_take(int *connection, char address[HANDOVER_ADDRESS], int fd);

#endif
