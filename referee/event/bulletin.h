/* bulletin.h - what the author of a remote bot reads of its own standing while the event runs
 * (door/status_line.h). Ranks are counted anew only if somebody asks, and rarely if that takes
 * long.
 */
#ifndef REFEREE_EVENT_BULLETIN_H
#define REFEREE_EVENT_BULLETIN_H

#include "director.h"
#include "door/status_line.h"
#include "entrants.h"
#include "fixtures/ledger.h"

struct bulletin_rank {
    int place; /* 0: none yet */
    bool shared;
};

struct bulletin {
    const struct config_event *event; /* lent, like these */
    struct ledger *ledger;
    const struct entrants *entrants;
    const struct director *director;
    struct loop *loop;
    struct bulletin_rank *ranks; /* owned; by bot */
    int ranked;                  /* bots that have a place, or are to get one */
    int64_t due_ns;              /* earliest time to count again */
};

/* The caller sets the members above `ranks`. */
void bulletin_deinit(struct bulletin *bulletin);

/* user: the bulletin. Writes the line for a bot; "" without memory. */
void bulletin_write(void *user, int bot, char out[STATUS_LINE]);

#endif
