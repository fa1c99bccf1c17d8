/* gateway.h - the process in which remote bots' CURVE connections end.
 *
 * It is started by the referee (door.h) and gets the connections that the doorman (doorman.h) has
 * accepted (callers.h). For each of them it opens one local connection to the referee, as a local
 * bot does, and carries messages both ways without reading them. Which bot a connection is follows
 * from the key that CURVE has proved. It holds the host's secret key; it has no key of dice, no
 * results, and can open no file once it listens.
 */
#ifndef REFEREE_DOOR_GATEWAY_H
#define REFEREE_DOOR_GATEWAY_H

/* argv[0] of the process; the program's main recognises it. */
#define GATEWAY_NAME "bgref-gateway"

/* A message of a joiner that begins with this byte (no protobuf does) is a note of the gateway, and
 * not for the bot: one of these words, and a text behind a blank. Only those get notes whose
 * connection has a name (ZMQ_ROUTING_ID) that begins with GATEWAY_JOINER; the next byte is the
 * number of the connection, '0' and up, if the bot joins several times at once. */
#define GATEWAY_JOINER "bgref-join-"
#define GATEWAY_STAY   "stay"  /* a Goodbye ends an event, and not the stay at this host */
#define GATEWAY_LEAVE  "leave" /* the next Goodbye ends the stay */
#define GATEWAY_SAY    "say"   /* a text for the author */

enum {
    GATEWAY_NOTE = 0,                  /* the byte */
    GATEWAY_AT_ONCE = 8,               /* most connections of one bot at once */
    GATEWAY_MESSAGE_BYTES = 4 * 65536, /* largest message of a remote bot: it is passed on and
                                          charged; a larger one ends its connection */
    GATEWAY_HEARTBEAT_MS = 5000,       /* between two signs of life on a silent line ... */
    GATEWAY_DEAD_MS = 15000            /* ... which is dead after this long without one */
};

/* Arguments: the socket to listen to ("ipc://PATH"), and the file with the host's secret key.
 * Descriptor CONTROL_FD is the referee. Returns the exit status: 0 when the referee is gone. */
int gateway_main(int argc, char **argv);

#endif
