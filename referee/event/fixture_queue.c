#include "fixture_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DEFERRED_MAX = 256 /* fixtures waiting for a free process of a stateful bot */ };

enum bg_status fixture_queue_init(struct fixture_queue *queue, int room, struct bg_error *err)
{
    queue->next[0] = queue->next[1] = queue->bound = 0;
    queue->high[0] = queue->high[1] = 0;
    queue->room = DEFERRED_MAX + room;
    queue->deferred = calloc((size_t)queue->room, sizeof *queue->deferred);
    return queue->deferred == NULL ? bg_error_set(err, BG_E_MEMORY, "tables") : BG_OK;
}

void fixture_queue_deinit(struct fixture_queue *queue)
{
    free(queue->deferred);
    queue->deferred = NULL;
}

/* Returns the number of its pair in the source. */
static uint64_t pair_of(const struct fixture_queue *queue, const struct fixture *fixture)
{
    return queue->source->ops->number(queue->source, fixture) / 2;
}

/* Returns the number of known pairs in the source; without generations, of known fixtures. */
static uint64_t known(const struct fixture_queue *queue, bool *more)
{
    return queue->source->ops->known(queue->source, more) / (queue->generations ? 2 : 1);
}

static uint64_t pairs_of(const struct fixture_queue *queue)
{
    bool more;

    return known(queue, &more);
}

/* Returns true if every fixture of a leg has been looked at, and no more will come. */
static bool is_at_end(const struct fixture_queue *queue, int leg)
{
    bool more;

    return queue->next[leg] == known(queue, &more) && !more;
}

/* Returns fixture number `next` of a leg; without generations, of the source. */
static void find(struct fixture *out, const struct fixture_queue *queue, uint64_t next, int leg)
{
    queue->source->ops->fixture(out, queue->source,
                                queue->generations ? 2 * next + (uint64_t)leg : next);
}

/* ------------------------------------------------------------------ what begins next */

static bool may_begin(const struct fixture_queue *queue, const struct fixture *fixture,
                      bool completing)
{
    if (!queue->generations) {
        return !completing;
    }
    return fixture->leg == 1 || !(completing || queue->closed);
}

static bool next_deferred(struct fixture *out, struct session *sessions[2],
                          struct fixture_queue *queue, bool completing)
{
    for (int i = 0; i < queue->deferred_count; i++) {
        if (may_begin(queue, &queue->deferred[i], completing) &&
            entrants_seat(sessions, queue->entrants, &queue->deferred[i])) {
            *out = queue->deferred[i];
            memmove(&queue->deferred[i], &queue->deferred[i + 1],
                    (size_t)(queue->deferred_count - i - 1) * sizeof *queue->deferred);
            queue->deferred_count--;
            return true;
        }
    }
    return false;
}

/* Returns the leg's next fixture below end. */
static bool next_of_leg(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue, int leg, uint64_t end)
{
    while (queue->next[leg] < end && queue->deferred_count < DEFERRED_MAX) {
        int bot;

        find(out, queue, queue->next[leg]++, leg);
        if (queue->next[leg] <= queue->high[leg] && queue->taken(queue->user, out)) {
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

static bool find_next(struct fixture *out, struct session *sessions[2], struct fixture_queue *queue,
                      bool completing)
{
    if (next_deferred(out, sessions, queue, completing)) {
        return true;
    }
    /* Leg 1 goes first: it completes pairs, which tests and judges need. */
    if (queue->generations && next_of_leg(out, sessions, queue, 1, queue->bound)) {
        return true;
    }
    return !completing && !queue->closed && next_of_leg(out, sessions, queue, 0, pairs_of(queue));
}

bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue, bool completing)
{
    bool found = find_next(out, sessions, queue, completing);

    queue->begun += found;
    return found;
}

void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture)
{
    assert(queue->deferred_count < queue->room);
    queue->deferred[queue->deferred_count++] = *fixture;
}

void fixture_queue_rewind(struct fixture_queue *queue)
{
    for (int leg = 0; leg < 2; leg++) {
        queue->high[leg] =
            queue->next[leg] > queue->high[leg] ? queue->next[leg] : queue->high[leg];
        queue->next[leg] = 0;
    }
    queue->deferred_count = 0; /* they are found again */
}

void fixture_queue_leave_out(struct fixture_queue *queue)
{
    for (int i = 0; i < queue->deferred_count; i++) {
        struct fixture fixture = queue->deferred[i];
        int bot = entrants_quarantined(queue->entrants, &fixture);

        if (bot < 0 && entrants_absent(queue->entrants, &fixture) >= 0) {
            queue->deferred[i--] = queue->deferred[--queue->deferred_count];
        } else if (bot >= 0) {
            queue->deferred[i--] = queue->deferred[--queue->deferred_count];
            queue->unplayed(queue->user, &fixture, bot);
        }
    }
}

/* ----------------------------------------------------------------------- generations */

void fixture_queue_begin(struct fixture_queue *queue)
{
    uint64_t pairs = pairs_of(queue);

    queue->closed = false;
    queue->begun = 0;
    if (!queue->generations) {
        return;
    }
    /* Fixtures settled in earlier runs count: those processes have ended too. */
    while (queue->next[0] < pairs) {
        struct fixture fixture;

        find(&fixture, queue, queue->next[0], 0);
        if (!ledger_is_settled(queue->ledger, &fixture)) {
            break;
        }
        queue->next[0]++;
    }
    queue->bound = queue->next[0];
    for (int i = 0; i < queue->deferred_count; i++) {
        uint64_t pair = pair_of(queue, &queue->deferred[i]);

        if (queue->deferred[i].leg == 0 && pair < queue->bound) {
            queue->bound = pair;
        }
    }
}

void fixture_queue_close(struct fixture_queue *queue)
{
    queue->closed = true;
}

bool fixture_queue_is_done(const struct fixture_queue *queue)
{
    return queue->deferred_count == 0 && is_at_end(queue, 0) &&
           (!queue->generations || is_at_end(queue, 1));
}

bool fixture_queue_has_completed(const struct fixture_queue *queue)
{
    for (int i = 0; i < queue->deferred_count; i++) {
        if (queue->deferred[i].leg == 1) {
            return false;
        }
    }
    return queue->next[1] >= queue->bound;
}

bool fixture_queue_is_exhausted(const struct fixture_queue *queue)
{
    if (!queue->generations) {
        return fixture_queue_is_done(queue);
    }
    return fixture_queue_has_completed(queue) &&
           (queue->closed || (is_at_end(queue, 0) && queue->deferred_count == 0));
}

/* Looks at a leg's fixtures from its cursor on; left: number of bots not marked as needed yet. */
static void needed_of_leg(bool *needed, int *left, const struct fixture_queue *queue, int leg)
{
    uint64_t pairs = pairs_of(queue);

    for (uint64_t i = queue->next[leg]; i<pairs && * left> 0; i++) {
        struct fixture fixture;

        find(&fixture, queue, i, leg);
        if (!ledger_is_settled(queue->ledger, &fixture) &&
            entrants_quarantined(queue->entrants, &fixture) < 0 &&
            entrants_absent(queue->entrants, &fixture) < 0) {
            *left -= !needed[fixture.a] + !needed[fixture.b];
            needed[fixture.a] = needed[fixture.b] = true;
        }
    }
}

void fixture_queue_needed(bool *needed, const struct fixture_queue *queue)
{
    int left = queue->source->bots;

    for (int i = 0; i < queue->deferred_count; i++) {
        const struct fixture *fixture = &queue->deferred[i];

        left -= !needed[fixture->a] + !needed[fixture->b];
        needed[fixture->a] = needed[fixture->b] = true;
    }
    needed_of_leg(needed, &left, queue, 0);
    if (queue->generations) {
        needed_of_leg(needed, &left, queue, 1);
    }
}
