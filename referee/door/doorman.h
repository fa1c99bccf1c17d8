/* doorman.h - the process that accepts the connections of remote bots.
 *
 * It is started by the referee (door.h), listens to a TCP address, and passes the bytes of each
 * admitted connection to the gateway's Unix socket and back. CURVE's bytes pass it closed: it has
 * no key and sees no message. So a flood of connections costs the gateway, and a bot that plays,
 * nothing: it ends here. The Unix end of a connection is bound to an abstract name that tells the
 * gateway the address behind it (doorman_address_of).
 */
#ifndef REFEREE_DOOR_DOORMAN_H
#define REFEREE_DOOR_DOORMAN_H

#include <stddef.h>

/* argv[0] of the process; the program's main recognises it. */
#define DOORMAN_NAME "bgref-doorman"

enum {
    DOORMAN_CONNECTIONS_MOST = 4096,
    DOORMAN_ADDRESS = 64 /* bytes of an address as text with its terminator */
};

/* Arguments: the address to listen to ("tcp://ADDRESS:PORT"), the path of the gateway's socket, the
 * most connections of an address and in all. Descriptor CONTROL_FD is the referee. Returns the exit
 * status: 0 when the referee is gone. */
int doorman_main(int argc, char **argv);

/* Writes the address behind a connection that came by the gateway's socket; "?" if it is unknown.
 * fd: the gateway's end. */
void doorman_address_of(char out[DOORMAN_ADDRESS], int fd);

#endif
