/* metrics.h - what a run tells those who monitor it: a file in the format of metrics_text.h, which
 * is replaced every few seconds. Readers: Prometheus' node exporter (textfile collector), or a
 * program of one's own. All numbers are of this run, except those of the results.
 */
#ifndef REFEREE_EVENT_METRICS_H
#define REFEREE_EVENT_METRICS_H

#include "../loop/loop.h"
#include "door/door.h"
#include "entrants.h"
#include "holding.h"
#include "places.h"
#include "record/duration_histogram.h"

#define METRICS_INTERVAL_NS INT64_C(5000000000)

/* More bots than these have no numbers of their own: each label is a series at the reader. */
enum { METRICS_BOTS = 100 };

/* Where the numbers come from; all lent. */
struct metrics_sources {
    const struct config_event *event; /* its `metrics` "": no file */
    const struct entrants *entrants;
    const struct places *places;
    const struct holding *holding;
    const uint64_t *faults;               /* charged to bots, by enum bg_fault */
    const struct duration_histogram *lag; /* of each frame */
    const struct roster *roster;
    struct door *const *door; /* the event's own, NULL while it has none */
};

struct metrics {
    struct metrics_sources from;
    struct duration_histogram decisions; /* time of each answered decision */
    uint64_t games;                      /* durable games */
    int64_t next_ns;                     /* when the file is written again */
    bool failed;                         /* the last attempt; logged once */
};

/* Writes the file if the interval has passed. store: of the results. A failure is only logged. */
void metrics_tick(struct metrics *metrics, struct store *store, const struct loop *loop,
                  int64_t now_ns);
/* The same at the end of play, when everything is durable. */
void metrics_end(struct metrics *metrics, struct store *store, const struct loop *loop);

#endif
