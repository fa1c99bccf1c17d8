/* reports.h - what is shown and told of an event's standing: now and then while it is played, while
 * the judge works off the rest, and at the end.
 */
#ifndef REFEREE_EVENT_REPORTS_H
#define REFEREE_EVENT_REPORTS_H

#include "feed/display.h"
#include "feed/feed.h"
#include "judge/judge_run.h"

struct reports {
    const struct config_event *event; /* lent, like these */
    struct ledger *ledger;
    struct feed *feed;
    struct display *display;
    const struct judging *judging;
    int64_t judging_ns; /* when play ended and the judge had the rest; 0: not yet */
};

/* How far it is, and a table when its time has come. Errors as of feed_standings. */
enum bg_status reports_progress(struct reports *reports, int64_t now_ns, struct bg_error *err);

/* Play has ended, and the judge has the rest from now on; how far it is with that. */
void reports_begin_rest(struct reports *reports, int64_t now_ns);
void reports_rest(const struct reports *reports, int64_t now_ns);

/* All is durable: the last lines, and the tables. decisions: answered in this run. */
enum bg_status reports_final(struct reports *reports, uint64_t decisions, bool complete,
                             int64_t now_ns, struct bg_error *err);

#endif
