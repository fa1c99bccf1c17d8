/* door_counts.h - what a door counts of connections from outside. */
#ifndef HOST_DOOR_DOOR_COUNTS_H
#define HOST_DOOR_DOOR_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Why the doorman has refused a connection. */
enum door_why {
    DOOR_WHY_ADDRESS_CONNECTIONS, /* too many of its address */
    DOOR_WHY_ADDRESS_RATE,        /* too many new ones of its address in a short time */
    DOOR_WHY_CONNECTIONS,         /* too many in all */
    DOOR_WHY_RATE,
    DOOR_WHY_BANNED,  /* its network is banned */
    DOOR_WHY_GATEWAY, /* no gateway takes it */
    DOOR_WHYS
};

/* What became of a connection behind the doorman. */
enum door_result {
    DOOR_RESULT_CAME, /* a bot's first message */
    DOOR_RESULT_UNKNOWN_KEY,
    DOOR_RESULT_BANNED,
    DOOR_RESULT_KEY_RATE,   /* too many connections of its key in a minute */
    DOOR_RESULT_KEY_TWICE,  /* several programs use its key */
    DOOR_RESULT_NETWORK,    /* its key may not come from there */
    DOOR_RESULT_START_RATE, /* too many starts of its bot in an hour */
    DOOR_RESULT_LARGE_HELLO,
    DOOR_RESULT_ENDED, /* it ended before its handshake was complete */
    DOOR_RESULTS
};

struct door_counts {
    uint64_t results[DOOR_RESULTS];
    uint64_t refused[DOOR_WHYS];
    int connections;               /* that the doorman holds now */
    bool has_gateway, has_doorman; /* they listen */
};

/* Writes three families for monitoring, in the format of metrics_text.h. event: whose own door it
 * is; NULL: a host's. */
void door_counts_write(FILE *out, const char *event, const struct door_counts *counts);

#endif
