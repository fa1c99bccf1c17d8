/* host_reopen.h - the act that plays what an ended event has left.
 *
 * An event that was cancelled goes on where it was. One ends when only games of absent or
 * quarantined bots are left. Without a bot, its process
 * is started again, and plays what is open if its bots are there now. With a bot, that one is
 * reinstated by the event's desk first: its games that were given up are open again. That withdraws
 * a published root and so the signatures of it, which has to be asked for.
 */
#ifndef HOST_HOST_HOST_REOPEN_H
#define HOST_HOST_HOST_REOPEN_H

#include "host_inside.h"

/* The word that takes it that signatures count no longer. */
#define REOPEN_SIGNED "signed=withdrawn"

struct reopen_wish {
    const struct agenda_event *event; /* of host->agenda, as is the next one */
    struct instance *instance;
    const char *bot;    /* to be reinstated; NULL: nobody */
    const char *reason; /* published with bot */
    bool is_signed_too; /* although the end is signed */
};

/* *answer: what it does, from malloc. BG_E_ARGUMENT: not allowed now, and nothing has
 * changed; BG_E_STORE, BG_E_SYSTEM. The caller stores the agenda, or takes it back. */
enum bg_status host_reopen(struct host *host, const struct reopen_wish *wish, char **answer,
                           struct bg_error *err);

/* What an ended event's absent bots have left, with what plays it; as short as an instance's `why`.
 * Reads the results, which no process uses any more. */
const char *host_reopen_left(const char *results);

#endif
