/* roster.h - every session of an event, and which frame belongs to which. */
#ifndef REFEREE_SEAT_ROSTER_H
#define REFEREE_SEAT_ROSTER_H

#include "session.h"

struct roster {
    struct session **sessions; /* owned, with the sessions; a session's index is its place in due */
    int count, room;
    struct due due;
};

void roster_deinit(struct roster *roster);
/* Takes session, also on failure. */
enum bg_status roster_add(struct roster *roster, struct session *take, struct bg_error *err);

/* Hands what came by a door to the session whose door it is; who tried to come in by a door that
 * is not its own is charged for it, if it belongs to a bot. */
void roster_on_frame(struct roster *roster, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns);
/* Has those sessions send that have something to send, and those look that have something overdue,
 * in the order in which they were added. */
void roster_settle(struct roster *roster);
void roster_sweep(struct roster *roster, int64_t now_ns);
/* Closes every session; true when all are already down. */
bool roster_close(struct roster *roster, const char *why);
bool roster_is_down(const struct roster *roster);

#endif
