/* roster.h - every session of an event, and which frame belongs to which. */
#ifndef ROSTER_H
#define ROSTER_H

#include "session.h"

struct roster {
    struct session **sessions; /* owned, with the sessions */
    int count, room;
    int last;                  /* whose frame came last: the first guess for the next */
    int strangers;             /* frames from peers that are no session's, dropped */
    struct link_peer stranger; /* whose the last of them was */
};

void roster_deinit(struct roster *roster);
/* Takes session, also on failure. */
enum bg_status roster_add(struct roster *roster, struct session *take, struct bg_error *err);

/* Hands a frame to its session; a Hello of a new peer to the session whose token it brings. What
 * belongs to nobody is counted and dropped. */
void roster_on_frame(struct roster *roster, struct link *link, struct wire_reader *reader,
                     const struct link_frame *frame, int64_t received_ns, int64_t lag_ns);
/* Tells sessions of connections that have ended. */
void roster_on_lost(struct roster *roster, struct link *link);
void roster_settle(struct roster *roster);
void roster_sweep(struct roster *roster, int64_t now_ns);
/* Closes every session; true when all are already down. */
bool roster_close(struct roster *roster, const char *why);
bool roster_is_down(const struct roster *roster);

#endif
