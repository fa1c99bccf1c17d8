/* host_bans.h - the host's bans and kicks: kept in FOLDER/host.gate, which the doors of its events
 * read (door/ban_list.h). */
#ifndef HOST_HOST_HOST_BANS_H
#define HOST_HOST_HOST_BANS_H

#include "host_inside.h"

/* Reads what an earlier host has left. BG_E_FORMAT, BG_E_SYSTEM. */
enum bg_status host_bans_open(struct host *host, struct bg_error *err);
/* Ends the bans whose time has come, and returns when the next one ends (seconds since 1970; 0:
 * none does). */
int64_t host_bans_settle(struct host *host);

/* What an admin asks; all words are lent. */
struct ban_wish {
    const char *what;  /* a name, a key or a network */
    const char *until; /* "until=TIME", or NULL */
    const char *reason;
};

/* The acts; *answer is the caller's. BG_E_ARGUMENT, BG_E_SYSTEM: nothing has changed. */
enum bg_status host_ban(struct host *host, const struct ban_wish *wish, char **answer,
                        struct bg_error *err);
enum bg_status host_unban(struct host *host, const struct ban_wish *wish, char **answer,
                          struct bg_error *err);
enum bg_status host_kick(struct host *host, const struct ban_wish *wish, char **answer,
                         struct bg_error *err);

/* Writes the bans for the status. */
void host_bans_status(FILE *out, const struct host *host);

/* After an act on who may come: waits until the host's doors have taken it, for some seconds at
 * most, and adds to *answer which events have doors of their own, which take it by themselves.
 * BG_E_SYSTEM: they have not; what was stored holds when they do. */
enum bg_status host_bans_in_force(struct host *host, char **answer, struct bg_error *err);

#endif
