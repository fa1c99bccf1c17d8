/* gateway.h - the process in which remote bots' CURVE connections end.
 *
 * It is started by the referee (door.h) and gets the connections that the doorman (doorman.h) has
 * accepted (peers.h). For each of them it opens one local connection to the referee, as a local
 * bot does, and carries messages both ways without reading them. Which bot a connection is follows
 * from the key that CURVE has proved. It holds the host's secret key; it has no key of dice, no
 * results, and can open no file once it listens.
 */
#ifndef HOST_DOOR_GATEWAY_H
#define HOST_DOOR_GATEWAY_H

/* argv[0] of the process; the program's main recognises it. */
#define GATEWAY_NAME "bgref-gateway"

/* Notes are no messages of inside.proto: they go to another machine, whose bgref may be older or
 * younger, and each has one word and one text.
 *
 * A message of a joiner that begins with this byte (no protobuf does) is a note of the gateway, and
 * not for the bot: one of these words, and a text behind a blank. Only those get notes whose
 * connection has a name (ZMQ_ROUTING_ID) that begins with GATEWAY_JOINER; the next byte is the
 * number of the connection, '0' and up, if the bot joins several times at once. Behind a '-' follow
 * GATEWAY_RUN digits that are the same for all connections of one run of the joiner. */
#define GATEWAY_JOINER "bgref-join-"
#define GATEWAY_STAY   "stay"  /* a Goodbye ends an event, and not the stay at this host */
#define GATEWAY_LEAVE  "leave" /* the next Goodbye ends the stay; so does the end of the host */
#define GATEWAY_SAY    "say"   /* a text for the author */
#define GATEWAY_WAIT   "wait"  /* seconds and a reason: come back then; this start ends */

#define GATEWAY_ENDS                                                                               \
    "ends" /* seconds and a text: the host ends, and is back after that time; 0:                   \
              that is not known. A GATEWAY_STAY comes before it. */

#define GATEWAY_STATUS "status" /* a line of status_line.h */

/* The one note of a joiner: how does its bot stand? It is the first message of a connection that is
 * no bot's and replaces none. */
#define GATEWAY_ASK "ask"

#define GATEWAY_TWICE                                                                              \
    "key in use twice: connections of several programs took each other's place three times "       \
    "within "                                                                                      \
    "a minute; use this key in one place only"

#define GATEWAY_HELLO                                                                              \
    "the Hello of a bot of another machine may have at most 4096 bytes; shorten the names, help "  \
    "texts and choices of its options"

enum {
    GATEWAY_NOTE = 0,          /* the byte */
    GATEWAY_NOTE_BYTES = 1024, /* of a note with its terminator; a longer one is cut */
    GATEWAY_RUN_AT = 2,        /* see GATEWAY_JOINER */
    GATEWAY_RUN = 16,
    GATEWAY_AT_ONCE = 8,               /* most connections of one bot at once */
    GATEWAY_MESSAGE_BYTES = 4 * 65536, /* largest message of a remote bot: it is passed on and
                                          charged; a larger one ends its connection */
    GATEWAY_MEASURE_MS = 20000,        /* between two PINGs on a line that is not silent */
    GATEWAY_HEARTBEAT_MS = 5000,       /* between two signs of life on a silent line ... */
    GATEWAY_DEAD_MS = 15000            /* ... which is dead after this long without one */
};

/* Arguments: the socket to listen to ("ipc://PATH"), and the file with the host's secret key.
 * Descriptor INSIDE_FD is the referee. Returns the exit status: 0 when the referee is gone. */
int gateway_main(int argc, char **argv);

#endif
