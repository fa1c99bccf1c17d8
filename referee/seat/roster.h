/* roster.h - all sessions of an event, and which frame belongs to which session. */
#ifndef REFEREE_SEAT_ROSTER_H
#define REFEREE_SEAT_ROSTER_H

#include "session.h"

struct roster {
    struct session *
        *sessions; /* owned, with the sessions; the index is the session's member number in due */
    int count;
    size_t room;
    struct due due;
};

void roster_deinit(struct roster *roster);
/* Takes ownership of session. */
void roster_add(struct roster *roster, struct session *take);

/* Passes a frame to the door's session. A process that tried to connect by another bot's door is
 * charged for it if it belongs to a bot. */
void roster_on_frame(struct roster *roster, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns);
/* Lets sessions send that have something to send, and sweep that have something overdue, in the
 * order in which they were added. */
void roster_settle(struct roster *roster);
void roster_sweep(struct roster *roster, int64_t now_ns);
/* Closes every session; returns true if all are already down. */
bool roster_close(struct roster *roster, const char *why);
bool roster_is_down(const struct roster *roster);

#endif
