/* fixture_queue.h - which fixture of a source begins next.
 *
 * In the order of the source. A fixture that cannot begin now, because a stateful bot has no free
 * process, is deferred and tried first the next time.
 */
#ifndef REFEREE_EVENT_FIXTURE_QUEUE_H
#define REFEREE_EVENT_FIXTURE_QUEUE_H

#include "entrants.h"
#include "fixtures/ledger.h"
#include "fixtures/source.h"

struct fixture_queue {
    const struct source *source; /* lent, like these */
    struct ledger *ledger;
    const struct entrants *entrants;
    /* A fixture of a quarantined bot is given up. The listener must settle it in the ledger. */
    void (*unplayed)(void *user, const struct fixture *fixture, int bot);
    /* Returns whether it is at a table now, or about to be. */
    bool (*taken)(void *user, const struct fixture *fixture);
    void *user;
    uint64_t next;            /* where in the source to look next */
    uint64_t high;            /* fixtures below were looked at before a rewind */
    uint64_t looked;          /* fixtures known at the last fixture_queue_has_news */
    struct fixture *deferred; /* owned */
    int deferred_count, room;
};

/* The members above `next` are set by the caller; room: tables at once. */
void fixture_queue_init(struct fixture_queue *queue, int room);
void fixture_queue_deinit(struct fixture_queue *queue); /* a zeroed queue is allowed */

/* How many fixtures the source has so far. */
uint64_t fixture_queue_known(const struct fixture_queue *queue);

/* Returns the next fixture that can begin now, with the processes that would play it, and
 * removes it from the queue. */
bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue);
/* The fixture did not begin; puts it back. */
void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture);
/* A bot is back: looks at every open fixture again. */
void fixture_queue_rewind(struct fixture_queue *queue);
/* Returns whether fixtures were added, or are looked at again, since the last call. */
bool fixture_queue_has_news(struct fixture_queue *queue);
/* Settles deferred fixtures of a quarantined bot, and drops void and settled ones and those of an
 * absent bot. */
void fixture_queue_leave_out(struct fixture_queue *queue);

/* Returns true if nothing is left to begin and nothing can come. */
bool fixture_queue_is_done(const struct fixture_queue *queue);

/* Sets needed[bot] for every bot that has a fixture to play now. */
void fixture_queue_open(bool *needed, const struct fixture_queue *queue);
/* The same, and for every bot that may still get one. */
void fixture_queue_needed(bool *needed, const struct fixture_queue *queue);

#endif
