/* conclusion.h - the end of a run: stores the rest, prints the results, and sets the exit status.
 */
#ifndef REFEREE_EVENT_CONCLUSION_H
#define REFEREE_EVENT_CONCLUSION_H

#include "director.h"
#include "entrants.h"
#include "fixtures/source.h"
#include "holding.h"
#include "reports.h"

struct conclusion {
    const struct config_event *event; /* lent, like these */
    const char *command;              /* how to resume */
    struct director *director;
    struct ledger *ledger;
    const struct entrants *entrants;
    struct feed *feed;
    struct reports *reports;
    const struct judging *judging;
    struct holding *holding;
    const struct signals *signals;
};

/* Returns true if nothing is left to play: every fixture is over, or the test is decided. */
bool conclusion_is_complete(const struct conclusion *conclusion);

/* After play: makes everything durable, publishes the key if the event is complete, prints the
 * tables. decisions: answered in this run. exit_status: 0, or that of the signal or error that
 * stopped the run. */
enum bg_status conclusion_draw(const struct conclusion *conclusion, int exit_status,
                               uint64_t decisions, int64_t now_ns, struct bg_error *err);

/* After a failure: stores what can still be stored, and prints whether the same command can resume.
 */
void conclusion_rescue(const struct conclusion *conclusion, bool can_go_on);

/* The run's outcome as feed_end expects it. failed: an error or a strict event stopped it. */
const char *conclusion_outcome(const struct conclusion *conclusion, bool failed, int exit_status);

/* The exit status of a run that did not fail; exit_status: of the signal that stopped it, or 0. */
int conclusion_status(const struct conclusion *conclusion, int exit_status);

#endif
