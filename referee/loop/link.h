/* link.h - how frames move between the referee and its bots.
 *
 * Every start of a bot gets a door of its own: an address that only this process is told, and a
 * peer number that is ours, never the bot's. By a door one connection comes in; whose it is, the
 * kernel says. After its greeting the door is shut: nobody else can come by it any more.
 * Implementations: link_zmtp.c (our own reader and writer of ZeroMQ's protocol), link_zmq.c
 * (libzmq; without the limits), the double of tests/sim (in memory).
 */
#ifndef REFEREE_LOOP_LINK_H
#define REFEREE_LOOP_LINK_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    LINK_ENDPOINT = 160,
    LINK_ATTEMPTS = 8,        /* connections that a start may lose before its first message */
    LINK_UNSENT = 256 * 1024, /* bytes that wait for a peer, before one more message is too many */
};

#define LINK_UNREAD_NS    INT64_C(1000000000) /* older unsent bytes: it does not read */
#define LINK_HANDSHAKE_NS INT64_C(5000000000) /* so long a connection may take to speak ZMTP */

/* Number of a door, and of who comes in by it; never given twice. */
typedef uint64_t link_peer;

/* Whether a process is one of those that this door was made for. */
typedef bool (*link_owns_fn)(void *user, pid_t pid);

enum link_what {
    LINK_MESSAGE,   /* data, size */
    LINK_PARTS,     /* a message of several frames, dropped: size in all */
    LINK_DELIMITED, /* the same, and the first is empty, as REQ sockets send */
    LINK_COMMAND,   /* the transport's own (a PING): served, it only counts */
    LINK_STRANGER,  /* a process that the door was not made for tried to come in, and was refused:
                       pid is its, peer and user are those of the door */
    LINK_LOST,      /* the connection has ended, or none came to be: end, text */
};

enum link_end {
    LINK_CLOSED,    /* by the bot */
    LINK_OVERSIZED, /* by us: a frame announced itself far above the limit */
    LINK_ENDLESS,   /* by us: a message of many frames */
    LINK_GARBLED,   /* by us: bytes that are no ZeroMQ */
    LINK_UNREAD,    /* by us: it does not read */
    LINK_TIRED,     /* LINK_ATTEMPTS connections ended before a first message */
};

struct link_frame {
    enum link_what what;
    link_peer peer;
    void *user;       /* of the door */
    pid_t pid;        /* process at the other end, as the kernel says */
    const void *data; /* lent until the next receive */
    size_t size;
    enum link_end end;
    const char *text; /* LINK_LOST: a sentence; lent until the next receive */
};

/* What a wait found. */
struct link_woken {
    bool fd_ready;
    bool looked; /* anew at every connection; else what was there before has not all been taken */
};

struct link;

struct link_ops {
    void (*destroy)(struct link *link);

    /* Makes a door: endpoint is what the bot is told. user goes with every frame, and to owns. */
    enum bg_status (*open)(link_peer *peer, char endpoint[LINK_ENDPOINT], struct link *link,
                           link_owns_fn owns, void *user, struct bg_error *err);
    /* The greeting has come: nobody else comes in. A peer that is gone is fine. */
    void (*shut)(struct link *link, link_peer peer);
    /* Ends door and connection; nothing of it is received any more. Sent bytes that wait are given
     * a last chance, without waiting. A peer that is gone is fine. */
    void (*close)(struct link *link, link_peer peer);

    /* Never blocks. BG_E_TIMEOUT: the peer does not read and LINK_UNSENT bytes wait. BG_E_CLOSED:
     * it is gone, or not there yet. */
    enum bg_status (*send)(struct link *link, link_peer peer, const void *data, size_t size,
                           struct bg_error *err);

    /* Takes the next frame without waiting; BG_E_TIMEOUT when there is none. now_ns: about now. */
    enum bg_status (*receive)(struct link_frame *out, struct link *link, int64_t now_ns,
                              struct bg_error *err);

    /* Waits until a frame may be there, or fd (-1: none; else always the same) is readable, or
     * timeout_ns (-1: for ever) has passed. Early returns are fine. */
    enum bg_status (*wait)(struct link_woken *out, struct link *link, int fd, int64_t timeout_ns,
                           struct bg_error *err);

    /* For a link that the loop does not wait in: a descriptor that is readable while frames may be
     * there. */
    int (*frame_fd)(const struct link *link);

    /* Descriptors that a door takes at most. */
    int door_fds;
};

struct link {
    const struct link_ops *ops;
};

static inline void link_destroy(struct link *link)
{
    if (link != NULL) {
        link->ops->destroy(link);
    }
}

/* Doors are Unix sockets in a fresh folder that only this user may enter, each in a folder of its
 * own below. message_bytes: largest message that is told to peers; up to four times as much is
 * handed on, so that it can be charged. */
enum bg_status link_zmtp_open(struct link **out, size_t message_bytes, struct bg_error *err);

/* The same by libzmq, a ROUTER a door. Connections, frames of a message and bytes before a whole
 * frame are without limit here. */
enum bg_status link_zmq_open(struct link **out, size_t message_bytes, struct bg_error *err);

#endif
