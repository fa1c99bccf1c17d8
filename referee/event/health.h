/* health.h - the referee's own condition in one run, stored in the results as `run.N`.
 *
 * For reports only; no decision depends on it. The value is words `key=value`; `system=` is last
 * and extends to the end. The words: begun (seconds since 1970, UTC), bgref, with `durable:
 * decision` durable=decision, and when the run has
 * ended seconds, frames, lag_mean_us, lag_p99_us, lag_most_us (the loop's own delay before it
 * handled a frame), stalled_ms (held up from outside), credited_ms (time subtracted from all bots'
 * time for these), given_up (games begun and not finished), exit. A run that was cut off has none
 * of these. Each bot's credit is in `credit.N.BOT`, in nanoseconds; the command line, without
 * folders, in `command.N`.
 */
#ifndef REFEREE_EVENT_HEALTH_H
#define REFEREE_EVENT_HEALTH_H

#include "entrants.h"
#include "record/duration_histogram.h"
#include "store/store.h"

struct run_health {
    bool durable_decision; /* set by the caller, before health_begin: the event's */
    struct store *store;   /* lent; NULL: not begun */
    char key[24];
    int64_t begun_s, begun_ns;
    struct duration_histogram lag; /* each frame's lag */
    int64_t credited_ns;
    uint64_t given_up;
};

/* Begins the account of this command's run. now_s: since 1970. A failure is only logged. */
void health_begin(struct run_health *health, struct store *store, const char *command,
                  int64_t now_s, int64_t now_ns);
/* Keeps under which conditions this run's games repeat (bot/conditions.h). */
void health_conditions(const struct run_health *health, const char *conditions);
void health_frame(struct run_health *health, int64_t lag_ns);
/* Logs that processes of a killed referee's bots were ended; 0: nothing. */
void health_left(int processes);
/* Call before the end: the time credited to each bot in this run. */
void health_credits(struct run_health *health, const struct entrants *entrants);
void health_end(struct run_health *health, int64_t stalled_ns, int64_t now_ns, int exit_status);

#endif
