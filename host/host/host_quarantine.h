/* host_quarantine.h - the quarantines of a host (quarantine.h): begun by its events, kept in its
 * folder, ended by time or by the operator's `unban`. */
#ifndef HOST_HOST_HOST_QUARANTINE_H
#define HOST_HOST_HOST_QUARANTINE_H

#include "host_inside.h"

/* Reads what the file says. BG_E_FORMAT, BG_E_SYSTEM, BG_E_ARGUMENT. */
enum bg_status host_quarantine_open(struct host *host, struct bg_error *err);
/* Tells the door who is in quarantine; call when it has opened. */
void host_quarantine_tell(const struct host *host);

/* host_door_listener.out: an event has put a bot out. */
void host_quarantine_begin(void *user, const char *bot, const char *event, int faults);

/* Ends those whose time has come. Returns when the next one ends, 0: none is on. */
int64_t host_quarantine_settle(struct host *host);

/* The operator ends one. False: the bot is in none. */
bool host_quarantine_lift(struct host *host, const char *bot);

/* Writes them for the status. */
void host_quarantine_status(FILE *out, const struct host *host);

#endif
