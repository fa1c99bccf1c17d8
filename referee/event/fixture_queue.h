/* fixture_queue.h - which fixture of a source begins next.
 *
 * Without generations: in the order of the source. With generations (event/generation.h) a
 * generation may begin leg 0 of any pair, and leg 1 of those pairs whose leg 0 was settled when the
 * generation began. So the processes that play a leg were started after the other leg had ended.
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
    /* A fixture of a quarantined bot is given up. The listener must settle it in the ledger. */
    void (*unplayed)(void *user, const struct fixture *fixture, int bot);
    /* Returns whether it is at a table now, or about to be. */
    bool (*taken)(void *user, const struct fixture *fixture);
    void *user;
    bool generations;         /* two legs, by generations */
    uint64_t next[2];         /* by leg: where in the source to look next; else only [0] */
    uint64_t high[2];         /* likewise: fixtures below were looked at before a rewind */
    uint64_t bound;           /* leg 1 below this number may begin in this generation */
    uint64_t begun;           /* fixtures taken from the queue in this generation */
    uint64_t looked;          /* fixtures known at the last fixture_queue_has_news */
    bool spares;              /* fixtures were passed over until a bot's next day */
    bool closed;              /* no more leg 0 begins in this generation */
    struct fixture *deferred; /* owned */
    int deferred_count, room;
};

/* The members above `next` are set by the caller; room: tables at once. BG_E_MEMORY. */
enum bg_status fixture_queue_init(struct fixture_queue *queue, int room, struct bg_error *err);
void fixture_queue_deinit(struct fixture_queue *queue); /* a zeroed queue is allowed */

/* Returns the next fixture that can begin now, with the processes that would play it, and
 * removes it from the queue. completing: only fixtures that complete a pair (leg 1 with
 * generations, else none). */
bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue, bool completing);
/* The fixture did not begin; puts it back. */
void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture);
/* A bot is back, or has its games of another day: looks at every open fixture again. */
void fixture_queue_rewind(struct fixture_queue *queue);
/* Returns whether fixtures were added, or are looked at again, since the last call. */
bool fixture_queue_has_news(struct fixture_queue *queue);
/* Settles deferred fixtures of a quarantined bot, and drops void and settled ones and those of an
 * absent bot. */
void fixture_queue_leave_out(struct fixture_queue *queue);

/* New processes are about to start; all earlier ones have ended. */
void fixture_queue_begin(struct fixture_queue *queue);
/* Lets no further leg 0 begin until fixture_queue_begin. */
void fixture_queue_close(struct fixture_queue *queue);

/* Return true if nothing is left to begin and nothing can come: in the event; in this
 * generation; of leg 1 in this generation. A generation without known fixtures is not exhausted
 * while the source may get more. */
bool fixture_queue_is_done(const struct fixture_queue *queue);
bool fixture_queue_is_exhausted(const struct fixture_queue *queue);
bool fixture_queue_has_completed(const struct fixture_queue *queue);

/* Sets needed[bot] for every bot that has a fixture to play now. */
void fixture_queue_open(bool *needed, const struct fixture_queue *queue);
/* The same, and for every bot that may still get one. */
void fixture_queue_needed(bool *needed, const struct fixture_queue *queue);

#endif
