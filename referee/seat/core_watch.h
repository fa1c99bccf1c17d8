/* core_watch.h - what a bot's open decisions have waited for a core because of others
 * (process/core_wait.h).
 *
 * A look at a bot's threads costs the loop some 20 us, so there is none while a bot is quick. A
 * decision that is still open a moment after it was sent gets its first look then. A wait is
 * counted when it ends: one that has lasted since the decision was sent is missed in no part. What
 * a bot has both waited and run in that moment is lost to it: at most a millisecond, or a sixteenth
 * of its limit. The second look is taken only where it matters: when the decision is late, or
 * answered and a bank pays for it.
 *
 * With several decisions open at once each has its own time, from sending to receiving. A wait
 * delays all that are open, so each of them is credited with what lies in its own time.
 */
#ifndef REFEREE_SEAT_CORE_WATCH_H
#define REFEREE_SEAT_CORE_WATCH_H

#include "../loop/loop.h"
#include "bot_process.h"
#include "decisions.h"

struct core_watch {
    struct decisions *decisions; /* lent, like these */
    struct bot_process *process; /* NULL: on another machine, where nothing is known */
    struct loop *loop;
    bool is_armed;          /* a look is due */
    struct core_look *last; /* one use: several answers may come in one message */
};

/* Call when decisions were sent. */
void core_watch_sent(struct core_watch *watch);
/* Call when the process is ended. Nothing is due then. */
void core_watch_end(struct core_watch *watch);

/* Returns decisions_overdue() of what is known then: NULL while a decision may have waited instead.
 */
struct session_slot *core_watch_overdue(int64_t *spent_ns, struct core_watch *watch, int64_t now_ns,
                                        int64_t stalled_ns);

/* An answer to an open slot has come. charged_ns: without a wait. Returns the wait, which is then
 * also in slot->waited_ns: at most charged_ns. */
int64_t core_watch_answered(struct core_watch *watch, struct session_slot *slot,
                            int64_t received_ns, int64_t charged_ns);

#endif
