/* host_door.h - the one door of a host, which its running events borrow (door/lent_door.h).
 *
 * One address, one key and one HOST.bgref for all of them. A bot that joins waits until a running
 * event wants it; which one gets it is the broker's matter (broker.h). While an event begins, no
 * bot is lent anew: else two that begin together could each get one of the two bots that both need.
 * What ends gives its bots back; when the gateway ends, all events' bots are away until it is
 * started again.
 */
#ifndef HOST_HOST_HOST_DOOR_H
#define HOST_HOST_HOST_DOOR_H

#include <stdio.h>

#include "host_config.h"
#include "loop/loop.h"

struct host_door_listener {
    /* Writes what comes next for a bot that nobody wants now, one line. */
    void (*next)(void *user, char *out, size_t size, const char *bot);
    /* An event has put a bot out for its faults. */
    void (*out)(void *user, const char *bot, const char *event, int faults);
    /* An event's process does not read what it is told, for far too long: kill it. */
    void (*stuck)(void *user, const char *event);
    void *user;
};

struct door;
struct host_door;
struct borrower; /* an event's process */

struct host_door_setup {
    const struct host_config *config; /* read only at the opening */
    const char *bans;                 /* file (door/ban_list.h); lent, as are these */
    int listener;                     /* as in door_setup */
    struct loop *loop;
};

/* Opens the door that HOST.yaml describes; *out is NULL if it describes none. BG_E_CONFIG,
 * BG_E_SYSTEM. */
enum bg_status host_door_open(struct host_door **out, const struct host_door_setup *setup,
                              const struct host_door_listener *listener, struct bg_error *err);
/* All borrowers have been closed. NULL is fine. */
void host_door_close(struct host_door *door);

/* Reads again which keys are known and what their bots may do; all holds at once. A bot with
 * another key than before plays only in events that begin from now on. NULL is fine. BG_E_CONFIG:
 * nothing has changed. */
enum bg_status host_door_refresh(struct host_door *door, struct bg_error *err);

/* As door_settle. NULL is fine. */
bool host_door_settle(struct host_door *door, int64_t most_ns);

/* Lends a bot to no event any more, for the reason that its author reads; "": lends it again.
 * Events that have it keep it; may_return: also when its line is lost. NULL is fine. */
void host_door_hold(struct host_door *door, const char *bot, const char *why, bool may_return);

/* The host ends: see door_ends. Events tell it in their Goodbyes. NULL is fine. */
void host_door_ends(struct host_door *door, int64_t back_s, const char *text);
/* The key of a bot, "" none; lent. NULL is fine. */
const char *host_door_key(const struct host_door *door, const char *bot);
/* The desk of a running event has accepted this key of the bot: it is lent there as long as it has
 * it. NULL is fine. */
void host_door_accept(struct host_door *door, const char *event, const char *bot, const char *key);

/* Lets an event borrow. *fd: for its process (lender); the caller closes it. BG_E_SYSTEM.
 */
enum bg_status host_door_lend(struct borrower **out, int *fd, struct host_door *door,
                              const char *event, struct bg_error *err);
/* The event's process is about to be ended for this reason, which its Goodbyes have. NULL is fine.
 */
void host_door_leave(struct borrower *borrower, const char *text);
/* The event has ended: its bots come free. NULL is fine. */
void host_door_return(struct borrower *borrower);

/* Returns the door itself, NULL if there is none. Lent. */
const struct door *host_door_inside(const struct host_door *door);

/* Writes the bots that are lent or wanted, for the status. NULL is fine. */
void host_door_status(FILE *out, const struct host_door *door);

#endif
