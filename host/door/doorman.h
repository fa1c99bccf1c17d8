/* doorman.h - the process that accepts the connections of remote bots.
 *
 * It is started by the referee (door.h), listens to a TCP address, admits connections within limits
 * (limits.h), and gives each to the gateway (handover.h), which speaks CURVE there: the doorman has
 * no key and reads no byte. So a flood of connections costs the gateway, and a bot that plays,
 * nothing: it ends here. Of each connection it keeps a duplicate, by which it counts it and ends it
 * when its network is banned.
 */
#ifndef HOST_DOOR_DOORMAN_H
#define HOST_DOOR_DOORMAN_H

/* argv[0] of the process; the program's main recognises it. */
#define DOORMAN_NAME "bgref-doorman"

enum { DOORMAN_CONNECTIONS_MOST = 4096 };

/* Arguments: the address to listen to ("tcp://ADDRESS:PORT"), the path of the gateway's socket, the
 * most connections of an address and in all. Descriptor INSIDE_FD is the referee. Returns the exit
 * status: 0 when the referee is gone. */
int doorman_main(int argc, char **argv);

#endif
