/* live_desk.h - the desk of a running event: wishes come through desk_socket.h, the director
 * decides and takes them, and the loop goes on with what follows.
 */
#ifndef REFEREE_EVENT_LIVE_DESK_H
#define REFEREE_EVENT_LIVE_DESK_H

#include "desk_socket.h"
#include "director.h"

struct live_desk {
    struct director *director;       /* lent; NULL: a plain round robin has no live desk */
    const struct entrants *entrants; /* lent */
    bool *has_changed;               /* lent; set after each act */
    struct desk_socket *socket;
};

/* Without a socket the event is played all the same; a warning says so. */
void live_desk_open(struct live_desk *desk, struct loop *loop, const char *results);
void live_desk_close(struct live_desk *desk);

#endif
