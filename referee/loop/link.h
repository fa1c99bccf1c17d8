/* link.h - how frames move between the referee and its peers.
 *
 * A link is an addressed mailbox: frames come with the peer they came from, and go to a peer.
 * Implementations: link_zmq.c (a ZeroMQ ROUTER), tests/support/link_fake.c (in memory).
 */
#ifndef LINK_H
#define LINK_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { LINK_PEER = 32, LINK_ENDPOINT = 160 };

/* The link's own name of a peer. Peers that name themselves longer are not served. */
struct link_peer {
    uint8_t size;
    uint8_t bytes[LINK_PEER];
};

static inline bool link_peer_equal(const struct link_peer *a, const struct link_peer *b)
{
    if (a->size != b->size) {
        return false;
    }
    for (int i = 0; i < a->size; i++) {
        if (a->bytes[i] != b->bytes[i]) {
            return false;
        }
    }
    return true;
}

struct link_frame {
    struct link_peer peer;
    const void *data; /* lent until the next receive */
    size_t size;
};

/* The end of a connection. */
struct link_loss {
    struct link_peer peer;
    bool by_us; /* the link dropped it for what came: too large, or no frame at all */
};

struct link;

struct link_ops {
    void (*destroy)(struct link *link);

    /* The address bots connect to. Lent. */
    const char *(*endpoint)(const struct link *link);

    /* Never blocks. BG_E_TIMEOUT: the peer does not read and its queue is full. BG_E_CLOSED: there
     * is no such peer any more. */
    enum bg_status (*send)(struct link *link, const struct link_peer *peer, const void *data,
                           size_t size, struct bg_error *err);

    /* Takes the next frame without waiting; BG_E_TIMEOUT when there is none. */
    enum bg_status (*receive)(struct link_frame *out, struct link *link, struct bg_error *err);

    /* Process at the other end of the connection that the last received frame came by, as the
     * kernel says; 0 when it cannot be known. */
    pid_t (*sender_pid)(const struct link *link);

    /* Waits until a frame may be there, or fd (-1: none) is readable (*fd_ready tells), or
     * timeout_ns (-1: for ever) has passed. Early returns are fine. */
    enum bg_status (*wait)(bool *fd_ready, struct link *link, int fd, int64_t timeout_ns,
                           struct bg_error *err);

    /* Has the end of the connection that the last received frame came by told by next_lost. */
    void (*mind)(struct link *link, const struct link_peer *peer);

    /* A descriptor that is readable when next_lost may have something to tell; -1: never. */
    int (*lost_fd)(const struct link *link);

    /* The next connection that was minded and has ended; false: there is none. */
    bool (*next_lost)(struct link_loss *out, struct link *link);

    /* For a link that is not the loop's own: a descriptor that becomes readable when frames may be
     * there. It tells changes only: take all frames each time, and after each sending too. */
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

/* Binds a ROUTER on an ipc socket in a fresh folder that only this user may enter.
 * message_bytes: largest message a peer may send. */
enum bg_status link_zmq_open(struct link **out, size_t message_bytes, struct bg_error *err);

#endif
