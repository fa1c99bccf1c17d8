/* reports.h - prints and streams the event's standing: from time to time during play, while the
 * judge finishes, and at the end.
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
    int64_t judging_ns; /* when play ended and judging went on; 0: not yet */
};

/* Reports the progress, and a table when it is due. Errors as of feed_standings. */
enum bg_status reports_progress(struct reports *reports, int64_t now_ns, struct bg_error *err);

/* Play has ended and judging goes on; reports its progress. */
void reports_begin_rest(struct reports *reports, int64_t now_ns);
void reports_rest(const struct reports *reports, int64_t now_ns);

/* All is durable: prints the last lines and the tables. decisions: answered in this run. */
enum bg_status reports_final(struct reports *reports, uint64_t decisions, bool complete,
                             int64_t now_ns, struct bg_error *err);

#endif
