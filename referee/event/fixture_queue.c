/* The source is read once from its begin; what cannot begin yet is deferred. The list of
 * deferred ones is short, because it is walked for every free place, and while it is full the
 * source waits: otherwise an event of two stateful bots would defer all of its fixtures. After a
 * rewind everything below `high` may be at a table, so it is asked for (taken). */
#include "fixture_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { DEFERRED_MAX = 256 /* fixtures waiting for a free process of a stateful bot */ };

void fixture_queue_init(struct fixture_queue *queue, int room)
{
    queue->next = queue->high = 0;
    queue->room = DEFERRED_MAX + room;
    queue->deferred = memory_zeroed((size_t)queue->room, sizeof *queue->deferred);
}

void fixture_queue_deinit(struct fixture_queue *queue)
{
    free(queue->deferred);
    queue->deferred = NULL;
}

uint64_t fixture_queue_known(const struct fixture_queue *queue)
{
    bool more;

    return queue->source->ops->known(queue->source, &more);
}

static bool has_more(const struct fixture_queue *queue)
{
    bool more;

    (void)queue->source->ops->known(queue->source, &more);
    return more;
}

/* Finds fixture i. Returns false if it is void. */
static bool find(struct fixture *out, const struct fixture_queue *queue, uint64_t i)
{
    queue->source->ops->fixture(out, queue->source, i);
    return !source_is_void(queue->source, i);
}

/* Returns true if every known fixture has been looked at. */
static bool is_at_end(const struct fixture_queue *queue)
{
    uint64_t end = fixture_queue_known(queue), i = queue->next;
    struct fixture fixture;

    while (i < end && (!find(&fixture, queue, i) || ledger_is_settled(queue->ledger, &fixture))) {
        i++;
    }
    return i == end;
}

/* ------------------------------------------------------------------ what begins next */

static bool next_deferred(struct fixture *out, struct session *sessions[2],
                          struct fixture_queue *queue)
{
    for (int i = 0; i < queue->deferred_count; i++) {
        if (entrants_seat(sessions, queue->entrants, &queue->deferred[i])) {
            *out = queue->deferred[i];
            memmove(&queue->deferred[i], &queue->deferred[i + 1],
                    (size_t)(queue->deferred_count - i - 1) * sizeof *queue->deferred);
            queue->deferred_count--;
            return true;
        }
    }
    return false;
}

static bool next_of_source(struct fixture *out, struct session *sessions[2],
                           struct fixture_queue *queue)
{
    uint64_t end = fixture_queue_known(queue);

    while (queue->next < end && queue->deferred_count < DEFERRED_MAX) {
        int bot;

        if (!find(out, queue, queue->next++) ||
            (queue->next <= queue->high && queue->taken(queue->user, out))) {
            continue;
        }
        if (ledger_is_settled(queue->ledger, out) || entrants_absent(queue->entrants, out) >= 0) {
            continue; /* the remaining games of a bot that does not start wait for a later run */
        }
        bot = entrants_quarantined(queue->entrants, out);
        if (bot >= 0) {
            queue->unplayed(queue->user, out, bot);
        } else if (entrants_seat(sessions, queue->entrants, out)) {
            return true;
        } else {
            queue->deferred[queue->deferred_count++] = *out;
        }
    }
    return false;
}

bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue)
{
    return next_deferred(out, sessions, queue) || next_of_source(out, sessions, queue);
}

void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture)
{
    assert(queue->deferred_count < queue->room);
    queue->deferred[queue->deferred_count++] = *fixture;
}

void fixture_queue_rewind(struct fixture_queue *queue)
{
    queue->high = queue->next > queue->high ? queue->next : queue->high;
    queue->next = 0;
    queue->deferred_count = 0; /* they are found again */
    queue->looked = 0;
}

bool fixture_queue_has_news(struct fixture_queue *queue)
{
    uint64_t before = queue->looked;

    queue->looked = fixture_queue_known(queue);
    return queue->looked != before;
}

void fixture_queue_leave_out(struct fixture_queue *queue)
{
    for (int i = 0; i < queue->deferred_count; i++) {
        struct fixture fixture = queue->deferred[i];
        int bot = entrants_quarantined(queue->entrants, &fixture);

        if (!source_has(queue->source, &fixture) || ledger_is_settled(queue->ledger, &fixture) ||
            (bot < 0 && entrants_absent(queue->entrants, &fixture) >= 0)) {
            queue->deferred[i--] = queue->deferred[--queue->deferred_count];
        } else if (bot >= 0) {
            queue->deferred[i--] = queue->deferred[--queue->deferred_count];
            queue->unplayed(queue->user, &fixture, bot);
        }
    }
}

/* ------------------------------------------------------------------ what is left */

bool fixture_queue_is_done(const struct fixture_queue *queue)
{
    return queue->deferred_count == 0 && is_at_end(queue) && !has_more(queue);
}

void fixture_queue_open(bool *needed, const struct fixture_queue *queue)
{
    uint64_t end = fixture_queue_known(queue);
    int left = queue->source->bots;

    for (int i = 0; i < queue->deferred_count; i++) {
        const struct fixture *fixture = &queue->deferred[i];

        left -= !needed[fixture->a] + !needed[fixture->b];
        needed[fixture->a] = needed[fixture->b] = true;
    }
    for (uint64_t i = queue->next; i < end && left > 0; i++) {
        struct fixture fixture;

        /* Settled ones are left first: at a start there may be a million. Without both bots a
         * fixture is void, and the ledger must not be asked. */
        queue->source->ops->fixture(&fixture, queue->source, i);
        if (fixture.a >= 0 && fixture.b >= 0 && !ledger_is_settled(queue->ledger, &fixture) &&
            !source_is_void(queue->source, i) &&
            entrants_quarantined(queue->entrants, &fixture) < 0 &&
            entrants_absent(queue->entrants, &fixture) < 0) {
            left -= !needed[fixture.a] + !needed[fixture.b];
            needed[fixture.a] = needed[fixture.b] = true;
        }
    }
}

void fixture_queue_needed(bool *needed, const struct fixture_queue *queue)
{
    fixture_queue_open(needed, queue);
    for (int i = 0; i < queue->source->bots && queue->source->ops->may_play != NULL; i++) {
        needed[i] = needed[i] || queue->source->ops->may_play(queue->source, i);
    }
}
