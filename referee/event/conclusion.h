/* conclusion.h - how a run ends: what is still stored, what is shown, and with which exit status.
 */
#ifndef REFEREE_EVENT_CONCLUSION_H
#define REFEREE_EVENT_CONCLUSION_H

#include "entrants.h"
#include "fixtures/source.h"
#include "holding.h"
#include "reports.h"

struct conclusion {
    const struct config_event *event; /* lent, like these */
    const char *command;              /* how to go on */
    const struct source *source;
    struct ledger *ledger;
    const struct entrants *entrants;
    struct feed *feed;
    struct reports *reports;
    const struct judging *judging;
    struct holding *holding;
    const struct signals *signals;
};

/* Nothing is left to play: every fixture is over, or the test has decided. */
bool conclusion_is_complete(const struct conclusion *conclusion);

/* After play: everything becomes durable, the key is published where the event is complete, the
 * tables are shown. decisions: answered in this run. exit_status: 0, or of what stopped the run. */
enum bg_status conclusion_draw(const struct conclusion *conclusion, int exit_status,
                               uint64_t decisions, int64_t now_ns, struct bg_error *err);

/* After a failure: what can still be stored is, and where the same command can go on, that is said.
 */
void conclusion_rescue(const struct conclusion *conclusion, bool can_go_on);

/* How the run ended, as feed_end has it. failed: our surroundings or a strict event stopped it. */
const char *conclusion_outcome(const struct conclusion *conclusion, bool failed, int exit_status);

/* The exit status of a run that did not fail; exit_status: of the signal that stopped it, or 0. */
int conclusion_status(const struct conclusion *conclusion, int exit_status);

#endif
