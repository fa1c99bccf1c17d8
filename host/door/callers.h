/* callers.h - the strangers' connections of one process: takes them from the doorman, speaks CURVE
 * with each, and ends them in time.
 *
 * A line is silent for at most GATEWAY_DEAD_MS, and is measured every GATEWAY_MEASURE_MS. One
 * thread, one epoll, in which the user can watch descriptors of its own. Everything a connection
 * holds is bounded: what it sends is read in pieces, what waits for it is counted. A connection
 * that was closed is freed at the end of the round, behind a last call of `gone`.
 */
#ifndef HOST_DOOR_CALLERS_H
#define HOST_DOOR_CALLERS_H

#include "curve.h"
#include "handover.h"
#include "proof/key_pair.h"
#include "pulse.h"
#include "watched.h"
#include "wire/backlog.h"

enum {
    CALLERS_MOST = 4096,
    CALLERS_DOORS = 4, /* doormen at once: one, and those that are ending */
    CALLERS_HANDSHAKE_MS = 5000,
    CALLERS_ENDING_MS = 5000, /* for the other side to close after a last message */
    CALLERS_LINGER_MS = 500,  /* for the last messages when the process ends */
    CALLERS_UNSENT = 1 << 20, /* bytes that may wait for a caller ... */
    CALLERS_OWED = 1 << 16    /* ... and as many more of messages that have to come */
};

struct callers;

struct caller {
    struct callers *callers;
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

struct callers_setup {
    const struct join_secret *host; /* lent, for good */
    size_t message_max;
    /* Asked about a key that is proved, as of curve.h. */
    const char *(*refusal)(void *user, struct caller *caller, const uint8_t key[CURVE_KEY]);
    /* A message; parts: 1, or of several frames, whose content is dropped. */
    void (*message)(void *user, struct caller *caller, const void *data, size_t size, int parts);
    /* All that has come in this round was handed out; NULL: nothing is done. */
    void (*taken)(void *user, struct caller *caller);
    void (*gone)(void *user, struct caller *caller);
    /* A PING was answered after so long; NULL: nobody needs to know. */
    void (*answered)(void *user, struct caller *caller, int64_t trip_ns);
    void *user;
};

struct callers {
    struct callers_setup setup;
    int epoll;
    struct watched listener;
    struct callers_door {
        struct callers *callers;
        struct watched watched;
    } doors[CALLERS_DOORS];
    struct caller **list; /* owned, as are they */
    int count, room;
    int64_t now_ns, sweep_ns;
    struct pulse_page *pulse; /* lent, set by the user after callers_init; NULL: nobody reads it */
    int64_t beat_ns;          /* of pulse.h */
};

/* Starts with the socket from handover_listen; it takes connections when callers_open was called.
 * Returns false with errno. */
bool callers_init(struct callers *callers, const struct callers_setup *setup, int listener);
bool callers_open(struct callers *callers);
/* Sends what waits, for a moment, and closes all. */
void callers_deinit(struct callers *callers);

/* Waits for events and serves them. Returns false if the system fails. */
bool callers_round(struct callers *callers);

/* Seals a message for a caller, which is sent with the next caller_flush. Returns false if too much
 * waits. */
bool caller_send(struct caller *caller, const void *data, size_t size);
/* The same for a message that has to come: a caller for which too much waits even then is closed.
 */
void caller_owe(struct caller *caller, const void *data, size_t size);
void caller_flush(struct caller *caller);

/* Nothing more is read or sent but what waits; it is closed in CALLERS_ENDING_MS, or by the other
 * side before. */
void caller_finish(struct caller *caller);
void caller_close(struct caller *caller);

#endif
