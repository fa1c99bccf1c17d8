/* fixture_queue.h - which fixture of a source begins next.
 *
 * Without generations: in the order of the source. With generations (event/generation.h) a
 * generation may begin leg 0 of any pair, and leg 1 of those pairs whose leg 0 was settled when the
 * generation began. So whoever plays a leg was started after the other leg had ended.
 *
 * A fixture that cannot begin now, because a stateful bot has no free process, is deferred and
 * tried first the next time.
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
    /* A fixture of a quarantined bot is not played. It must settle the fixture in the ledger. */
    void (*unplayed)(void *user, const struct fixture *fixture, int bot);
    /* Whether it is at a table now, or about to be. */
    bool (*taken)(void *user, const struct fixture *fixture);
    void *user;
    bool generations;         /* two legs, by generations */
    uint64_t next[2];         /* by leg: the pair to look at next; without generations only [0] */
    uint64_t high[2];         /* likewise: those below were looked at before a rewind */
    uint64_t bound;           /* leg 1 of the pairs below may begin in this generation */
    uint64_t begun;           /* fixtures that left the queue in this generation */
    bool closed;              /* no leg 0 begins any more in this generation */
    struct fixture *deferred; /* owned */
    int deferred_count, room;
};

/* The members above `next` are set by the caller; room: tables at once. BG_E_MEMORY. */
enum bg_status fixture_queue_init(struct fixture_queue *queue, int room, struct bg_error *err);
void fixture_queue_deinit(struct fixture_queue *queue); /* also of a zeroed one */

/* The next fixture that can begin now and the processes that would play it; it leaves the queue.
 * completing: only what completes a pair (leg 1 with generations, else nothing). */
bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue, bool completing);
/* It could not begin after all. */
void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture);
/* A bot that was absent is back: everything that is open is looked at once more. */
void fixture_queue_rewind(struct fixture_queue *queue);
/* Settles what is deferred for a bot that is quarantined now, and drops what one that is absent
 * would have played. */
void fixture_queue_leave_out(struct fixture_queue *queue);

/* Processes are about to be started, and none of before lives. */
void fixture_queue_begin(struct fixture_queue *queue);
/* No leg 0 begins any more until fixture_queue_begin. */
void fixture_queue_close(struct fixture_queue *queue);

/* Nothing is left to begin, nor may anything come: in the event; in this generation; of leg 1 in
 * this generation. */
bool fixture_queue_is_done(const struct fixture_queue *queue);
bool fixture_queue_is_exhausted(const struct fixture_queue *queue);
bool fixture_queue_has_completed(const struct fixture_queue *queue);

/* Sets needed[bot] for every bot that has something left to play. */
void fixture_queue_needed(bool *needed, const struct fixture_queue *queue);

#endif
