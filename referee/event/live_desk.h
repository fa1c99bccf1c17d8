/* live_desk.h - the desk of a running event: wishes come through a socket beside the results
 * (desk_line.h has the lines), served by the loop; an act that is allowed is stored, and the run
 * follows it at once.
 *
 * The socket has mode 0600; another user's connection is closed. A socket that a killed referee
 * left is replaced: who holds the lock of the results is the only one.
 */
#ifndef REFEREE_EVENT_LIVE_DESK_H
#define REFEREE_EVENT_LIVE_DESK_H

#include "director.h"
#include "holding.h"
#include "loop/line_server.h"
#include "places.h"
#include "proof/desk_line.h"

struct live_desk {
    struct director *director; /* lent, like these */
    struct offences *offences; /* with the event, its ledger, entrants and reports */
    struct places *places;
    struct holding *holding;
    const struct signals *signals;
    const bool *has_begun; /* the event's settings are stored */
    /* An act is stored, and the run cannot follow it: it must stop. */
    void (*broken)(void *user, const struct bg_error *err);
    void *user;
    struct line_server *server; /* owned */
};

/* Without a socket the event is played all the same; a warning says so. */
void live_desk_open(struct live_desk *desk, struct loop *loop, const char *results);
void live_desk_close(struct live_desk *desk); /* before loop_destroy */

/* Decides on a wish, whose who and at are set; stores and follows it unless it is a dry run.
 * *answer: what it does, for people or as JSON; the caller frees it. BG_E_ARGUMENT: not allowed
 * now; BG_E_TIMEOUT, BG_E_STORE. */
enum bg_status live_desk_act(struct live_desk *desk, const struct desk_wish *wish, char **answer,
                             struct bg_error *err);

#endif
