/* peers.h - the strangers' connections of one process: takes them from the doorman, speaks CURVE
 * with each, and ends them in time.
 *
 * A line is silent for at most GATEWAY_DEAD_MS, and is measured every GATEWAY_MEASURE_MS. One
 * thread, one epoll, in which the user can watch descriptors of its own. Everything a connection
 * holds is bounded: what it sends is read in pieces, what waits for it is counted. A connection
 * that was closed is freed at the end of the round, behind a last call of `gone`.
 */
#ifndef HOST_DOOR_PEERS_H
#define HOST_DOOR_PEERS_H

#include "curve.h"
#include "handover.h"
#include "proof/key_pair.h"
#include "pulse.h"
#include "watched.h"
#include "wire/backlog.h"

enum {
    PEERS_MOST = 4096,
    PEERS_DOORS = 4, /* doormen at once: one, and those that are ending */
    PEERS_HANDSHAKE_MS = 5000,
    PEERS_ENDING_MS = 5000, /* for the other side to close after a last message */
    PEERS_LINGER_MS = 500,  /* for the last messages when the process ends */
    PEERS_UNSENT = 1 << 20, /* bytes that may wait for a peer ... */
    PEERS_OWED = 1 << 16    /* ... and as many more of messages that have to come */
};

struct peers;

struct peer {
    struct peers *peers;
    struct watched watched; /* fd -1: closed */
    int door;               /* the doorman that gave it */
    char address[HANDOVER_ADDRESS];
    struct curve_server as_server;
    struct curve curve;
    struct backlog backlog;
    int64_t begun_ns, heard_ns, pinged_ns;
    int64_t asked_ns; /* the first PING that was not answered; 0: none */
    int64_t until_ns; /* it is ending, and is closed then; 0: it is not */
    bool was_ready;   /* its handshake was completed */
    bool is_last;     /* nothing is sent behind what waits now */
    void *own;        /* the user's */
};

struct peers_setup {
    const struct join_secret *host; /* lent, for good */
    size_t message_max;
    /* Asked about a key that is proved, as of curve.h. */
    const char *(*refusal)(void *user, struct peer *peer, const uint8_t key[CURVE_KEY]);
    /* A message; parts: 1, or of several frames, whose content is dropped. */
    void (*message)(void *user, struct peer *peer, const void *data, size_t size, int parts);
    /* All that has come in this round was handed out; NULL: nothing is done. */
    void (*taken)(void *user, struct peer *peer);
    void (*gone)(void *user, struct peer *peer);
    /* A PING was answered after so long; NULL: nobody needs to know. */
    void (*answered)(void *user, struct peer *peer, int64_t trip_ns);
    void *user;
};

struct peers {
    struct peers_setup setup;
    int epoll;
    struct watched listener;
    struct peers_door {
        struct peers *peers;
        struct watched watched;
    } doors[PEERS_DOORS];
    struct peer **list; /* owned, as are they */
    int count, room;
    int64_t now_ns, sweep_ns;
    struct pulse_page *pulse; /* lent, set by the user after peers_init; NULL: nobody reads it */
    int64_t beat_ns;          /* of pulse.h */
};

/* Starts with the socket from handover_listen; it takes connections when peers_open was called.
 * Returns false with errno. */
bool peers_init(struct peers *peers, const struct peers_setup *setup, int listener);
bool peers_open(struct peers *peers);
/* Sends what waits, for a moment, and closes all. */
void peers_deinit(struct peers *peers);

/* Waits for events and serves them. Returns false if the system fails. */
bool peers_round(struct peers *peers);

/* Seals a message for a peer, which is sent with the next peer_flush. Returns false if too much
 * waits. */
bool peer_send(struct peer *peer, const void *data, size_t size);
/* The same for a message that has to come: a peer for which too much waits even then is closed.
 */
void peer_owe(struct peer *peer, const void *data, size_t size);
void peer_flush(struct peer *peer);

/* Nothing more is read or sent but what waits; it is closed in PEERS_ENDING_MS, or by the other
 * side before. */
void peer_finish(struct peer *peer);
void peer_close(struct peer *peer);

#endif
