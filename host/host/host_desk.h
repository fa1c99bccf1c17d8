/* host_desk.h - acts of a host's director on one of its events, in the journal that is published.
 *
 * A running event's process takes the act. While it has none (paused, or it does not start), the
 * act goes into the results as `bgref desk` would write it, and its next start finds it.
 */
#ifndef HOST_HOST_HOST_DESK_H
#define HOST_HOST_HOST_DESK_H

#include "host_inside.h"

struct host_desk_wish {
    const char *event, *instance, *kind, *subject, *reason;
    unsigned uid;    /* of who asks: the act is signed so */
    bool goes_aside; /* without a process too */
};

/* *answer: what it does; the caller frees it. BG_E_ARGUMENT: not allowed now, and nothing has
 * changed; BG_E_STORE, BG_E_SYSTEM. */
enum bg_status host_desk_act(char **answer, const struct host *host,
                             const struct host_desk_wish *wish, struct bg_error *err);

/* Notes in the events that are on what the director has done to a bot, key or network: ban, unban,
 * kick. bot: NULL, or only the events that have it. An event that is just starting is asked again;
 * what cannot be written is said in the host's journal. */
void host_desk_note_all(struct host *host, unsigned uid, const char *bot, const char *text);
/* The same in one event: what it is from now on (a note's subject), and why. */
void host_desk_note(struct host *host, unsigned uid, const char *event,
                    const struct instance *instance, const char *subject, const char *text);
/* Writes the notes that wait. Returns whether some still do: call it again in a second. */
bool host_desk_settle(struct host *host);
void host_desk_deinit(struct host *host);

#endif
