/* lent_door.h - the door of an event that borrows its host's: the host owns the gateway and the
 * doorman, and lends their connections to its events (host/host_door.h).
 *
 * The event says on a socket where it waits for which bot, and the host what it does with them
 * (proto/inside.proto).
 */
#ifndef HOST_DOOR_LENT_DOOR_H
#define HOST_DOOR_LENT_DOOR_H

#include "bot/competitor.h"
#include "door.h"
#include "seat/session.h"

struct lent_door;

struct lent_door_setup {
    int fd;                        /* the socket, which then belongs to the door */
    const struct competitor *bots; /* lent for the door's life, as is the loop */
    int bot_count;
    int64_t away_ns; /* as in session_door, as is the next one */
    int64_t idle_ns;
    bool goes_on; /* the event has begun in an earlier run: it comes before those that have not */
    struct loop *loop;
};

/* BG_E_SYSTEM: the host does not answer, or fd is no such socket. */
enum bg_status lent_door_open(struct lent_door **out, const struct lent_door_setup *setup,
                              struct bg_error *err);
/* From now on the host is answered when it asks how a bot stands. loop and user are lent.
 * BG_E_SYSTEM. */
enum bg_status lent_door_watch(struct lent_door *door, struct loop *loop, door_status_fn status,
                               void *user, struct bg_error *err);
/* All sessions of the beginning have been started. NULL is fine. */
void lent_door_ready(struct lent_door *door);
/* How the host has said that it ends, for a Goodbye; "" not yet. Lent. */
const char *lent_door_end(struct lent_door *door);
/* Before the end of the loop. NULL is fine. */
void lent_door_close(struct lent_door *door);

/* For the sessions of remote bots; lent. */
const struct session_door *lent_door_of_sessions(const struct lent_door *door);

#endif
