/* limits.h - how many connections the doorman admits, from one address and in all.
 *
 * Pure: time is an argument. An address is an IPv4 address or the first 64 bits of an IPv6 address,
 * as one owner has all the rest of it. Only admitted connections count: who is refused can come
 * again as soon as there is room.
 */
#ifndef HOST_DOOR_LIMITS_H
#define HOST_DOOR_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
    LIMITS_BURST = 20,       /* connections of one address in a row ... */
    LIMITS_EVERY_MS = 500,   /* ... then one in this time */
    LIMITS_BURST_ALL = 400,  /* the same for all addresses together */
    LIMITS_EVERY_ALL_MS = 4, /* a handshake costs the gateway 0.7 ms */
    LIMITS_SETS = 512,
    LIMITS_WAYS = 8 /* an address is in one of the places of its set */
};

struct limits_address {
    uint8_t bytes[8];
    bool is_v6;
};

struct limits_place {
    struct limits_address address;
    int open;         /* admitted and not released; a place is free for others at 0 */
    int64_t due_ns;   /* an even flow of connections would bring the next one then */
    int64_t since_ns; /* of the last one */
};

struct limits {
    int per_address, connections; /* most open at once */
    int open;
    int64_t due_ns;
    uint64_t secret; /* so that nobody can choose addresses that share a set */
    struct limits_place places[LIMITS_SETS][LIMITS_WAYS];
};

enum limits_verdict {
    LIMITS_ADMIT,
    LIMITS_ADDRESS_FULL, /* too many connections of this address */
    LIMITS_ADDRESS_FAST, /* too many new ones in a short time */
    LIMITS_FULL,         /* too many connections in all */
    LIMITS_FAST,
    LIMITS_VERDICTS
};

void limits_init(struct limits *limits, int per_address, int connections, uint64_t secret);

/* Other families than IPv4 and IPv6 become one address of zeros. */
struct limits_address limits_address_of(const struct sockaddr_storage *from);

/* LIMITS_ADMIT: *place is the connection's, for limits_release. now_ns: any clock that does not go
 * back. */
enum limits_verdict limits_admit(struct limits_place **place, struct limits *limits,
                                 const struct limits_address *from, int64_t now_ns);
void limits_release(struct limits *limits, struct limits_place *place);

/* In words: "more than 8 connections of its address (per_address)"; lent until the next call. */
const char *limits_why(const struct limits *limits, enum limits_verdict verdict);

#endif
