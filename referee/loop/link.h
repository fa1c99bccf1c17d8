/* link.h - how frames move between the referee and its bots.
 *
 * Every start of a bot gets its own door: an address that only this process gets, and a peer number
 * that the referee chooses, not the bot. One connection is accepted at a door; the kernel tells
 * which process made it. After the greeting the door is shut: no other process can connect.
 * Implementations: link_zmtp.c (our own reader and writer of ZeroMQ's protocol: libzmq's ROUTER has
 * no limit for connections, for frames of a message and for bytes of an incomplete frame), and the
 * double in tests/sim (in memory).
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
    LINK_UNSENT = 256 * 1024, /* bytes that may wait for a peer; then sending fails */
};

#define LINK_UNREAD_NS    INT64_C(1000000000) /* the peer does not read if bytes wait longer */
#define LINK_HANDSHAKE_NS INT64_C(5000000000) /* time limit of the ZMTP handshake */

/* Number of a door and of the peer that connects to it; never used twice. */
typedef uint64_t link_peer;

/* Returns true if this door was made for the process. */
typedef bool (*link_owns_fn)(void *user, pid_t pid);

enum link_what {
    LINK_MESSAGE,   /* data, size */
    LINK_PARTS,     /* a message of several frames, dropped: size in all */
    LINK_DELIMITED, /* the same, and the first frame is empty, as REQ sockets send */
    LINK_COMMAND,   /* a command of the transport (a PING): handled by the link, only counted */
    LINK_STRANGER,  /* another process tried to connect and was refused: pid is that process's, peer
                       and user are the door's */
    LINK_LOST,      /* the connection has ended, or was never made: see end, text */
};

enum link_end {
    LINK_CLOSED,    /* by the bot */
    LINK_OVERSIZED, /* by the referee: a frame's announced size is far above the limit */
    LINK_ENDLESS,   /* by the referee: a message of many frames */
    LINK_GARBLED,   /* by the referee: bytes that are not ZeroMQ's protocol */
    LINK_UNREAD,    /* by the referee: the peer does not read */
    LINK_TIRED,     /* LINK_ATTEMPTS connections ended without a message */
};

struct link_frame {
    enum link_what what;
    link_peer peer;
    void *user;       /* the door's */
    pid_t pid;        /* process at the other end, from the kernel */
    const void *data; /* lent until the next receive */
    size_t size;
    enum link_end end;
    const char *text; /* LINK_LOST: a sentence; lent until the next receive */
};

/* What a wait found. */
struct link_woken {
    bool fd_ready;
    bool looked; /* true: every connection was read again; false: frames of the look before are
                    still left */
};

struct link;

struct link_ops {
    void (*destroy)(struct link *link);

    /* Makes a door; the bot gets endpoint. Every frame and every call of owns gets user. */
    enum bg_status (*open)(link_peer *peer, char endpoint[LINK_ENDPOINT], struct link *link,
                           link_owns_fn owns, void *user, struct bg_error *err);
    /* Call after the greeting: refuses every further connection. Does nothing if the peer is
     * gone. */
    void (*shut)(struct link *link, link_peer peer);
    /* Ends door and connection; receive returns no more of its frames. Tries once more to send
     * waiting bytes, without blocking. Does nothing if the peer is gone. */
    void (*close)(struct link *link, link_peer peer);

    /* Never blocks. BG_E_TIMEOUT: the peer does not read, and LINK_UNSENT bytes wait. BG_E_CLOSED:
     * the peer is gone, or has not connected yet. */
    enum bg_status (*send)(struct link *link, link_peer peer, const void *data, size_t size,
                           struct bg_error *err);

    /* Takes the next frame without waiting; BG_E_TIMEOUT if there is none. now_ns: the present
     * time. */
    enum bg_status (*receive)(struct link_frame *out, struct link *link, int64_t now_ns,
                              struct bg_error *err);

    /* Waits until a frame may be there, fd is readable (-1: none; else always the same fd), or
     * timeout_ns has passed (-1: no limit). May return early. */
    enum bg_status (*wait)(struct link_woken *out, struct link *link, int fd, int64_t timeout_ns,
                           struct bg_error *err);

    /* For a link in which the loop does not wait: a descriptor that is readable while frames may be
     * there. */
    int (*frame_fd)(const struct link *link);
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

/* Doors are Unix sockets in a new folder that only this user may enter; each door has its own
 * folder in it. message_bytes: largest message, as the peers know it; frames up to four times as
 * large are passed on, so that the bot can be charged. */
enum bg_status link_zmtp_open(struct link **out, size_t message_bytes, struct bg_error *err);

#endif
