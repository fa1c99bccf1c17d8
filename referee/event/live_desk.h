/* live_desk.h - the desk of a running event: wishes come through desk_socket.h; an act that is
 * allowed is stored, and the run follows it at once.
 *
 * An event with a schedule has its season in the director. A plain round robin has none: its season
 * is read from the results for each wish.
 */
#ifndef REFEREE_EVENT_LIVE_DESK_H
#define REFEREE_EVENT_LIVE_DESK_H

#include "desk_socket.h"
#include "director.h"
#include "holding.h"
#include "places.h"

struct live_desk {
    struct director *director; /* lent, like these. NULL: a plain round robin */
    struct offences *offences; /* with the event, its ledger, entrants and reports */
    struct places *places;
    struct holding *holding;
    const struct signals *signals;
    const bool *has_begun; /* the event's settings are stored */
    /* An act is stored, and the run cannot follow it: it must stop. */
    void (*broken)(void *user, const struct bg_error *err);
    void *user;
    struct desk_socket *socket; /* owned */
};

/* Without a socket the event is played all the same; a warning says so. */
void live_desk_open(struct live_desk *desk, struct loop *loop, const char *results);
void live_desk_close(struct live_desk *desk);

/* Decides on a wish, whose who and at are set; stores and follows it unless it is a dry run.
 * *answer: what it does, for people or as JSON; the caller frees it. BG_E_ARGUMENT: not allowed
 * now; BG_E_TIMEOUT, BG_E_STORE. */
enum bg_status live_desk_act(struct live_desk *desk, const struct desk_wish *wish, char **answer,
                             struct bg_error *err);

#endif
