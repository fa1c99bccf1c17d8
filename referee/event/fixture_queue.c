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

static uint64_t known(const struct fixture_queue *queue)
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

/* Finds fixture i. Returns false if it is not of this leg, or void. Without generations all
 * fixtures are of leg 0 here. */
static bool find(struct fixture *out, const struct fixture_queue *queue, uint64_t i, int leg)
{
    queue->source->ops->fixture(out, queue->source, i);
    return (!queue->generations || out->leg == leg) && !source_is_void(queue->source, i);
}

/* Returns the number of the leg's next open fixture; the number of known fixtures if there is
 * none. */
static uint64_t next_open(const struct fixture_queue *queue, int leg)
{
    uint64_t end = known(queue), i = queue->next[leg];
    struct fixture fixture;

    while (i < end &&
           (!find(&fixture, queue, i, leg) || ledger_is_settled(queue->ledger, &fixture))) {
        i++;
    }
    return i;
}

/* Returns true if every known fixture of a leg has been looked at. */
static bool is_at_end(const struct fixture_queue *queue, int leg)
{
    return next_open(queue, leg) == known(queue);
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
            !entrants_spent(queue->entrants, &queue->deferred[i]) &&
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

        if (!find(out, queue, queue->next[leg]++, leg) ||
            (queue->next[leg] <= queue->high[leg] && queue->taken(queue->user, out))) {
            continue;
        }
        if (ledger_is_settled(queue->ledger, out) || entrants_absent(queue->entrants, out) >= 0) {
            continue; /* the remaining games of a bot that does not start wait for a later run */
        }
        if (entrants_spent(queue->entrants, out)) {
            queue->spares = true;
            continue; /* found again by fixture_queue_rewind */
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
    return !completing && !queue->closed && next_of_leg(out, sessions, queue, 0, known(queue));
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
    queue->spares = false;
    queue->looked = 0;
}

bool fixture_queue_has_news(struct fixture_queue *queue)
{
    uint64_t before = queue->looked;

    queue->looked = known(queue);
    return queue->looked != before;
}

void fixture_queue_leave_out(struct fixture_queue *queue)
{
    if (queue->spares) { /* what is left of them is found again */
        fixture_queue_rewind(queue);
    }
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

/* ----------------------------------------------------------------------- generations */

void fixture_queue_begin(struct fixture_queue *queue)
{
    queue->closed = false;
    queue->begun = 0;
    if (!queue->generations) {
        return;
    }
    /* Fixtures settled in earlier runs count: those processes have ended too. */
    queue->next[0] = next_open(queue, 0);
    queue->bound = queue->next[0];
    for (int i = 0; i < queue->deferred_count; i++) {
        uint64_t number = queue->source->ops->number(queue->source, &queue->deferred[i]);

        if (queue->deferred[i].leg == 0 && number < queue->bound) {
            queue->bound = number;
        }
    }
}

void fixture_queue_close(struct fixture_queue *queue)
{
    queue->closed = true;
}

bool fixture_queue_is_done(const struct fixture_queue *queue)
{
    return queue->deferred_count == 0 && !queue->spares && is_at_end(queue, 0) &&
           (!queue->generations || is_at_end(queue, 1)) && !has_more(queue);
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
    bool rests = queue->deferred_count > 0 || !is_at_end(queue, 0); /* leg 0, or deferred */

    if (!queue->generations) {
        return fixture_queue_is_done(queue);
    }
    /* Where more fixtures may come, a generation waits for them unless known ones need the next
     * generation. */
    return fixture_queue_has_completed(queue) && (queue->closed || !rests) &&
           (rests || !is_at_end(queue, 1) || !has_more(queue));
}

/* Looks at a leg's fixtures from its cursor on; left: number of bots not marked as needed yet. */
static void needed_of_leg(bool *needed, int *left, const struct fixture_queue *queue, int leg)
{
    uint64_t end = known(queue);

    for (uint64_t i = queue->next[leg]; i<end && * left> 0; i++) {
        struct fixture fixture;

        if (find(&fixture, queue, i, leg) && !ledger_is_settled(queue->ledger, &fixture) &&
            entrants_quarantined(queue->entrants, &fixture) < 0 &&
            entrants_absent(queue->entrants, &fixture) < 0) {
            *left -= !needed[fixture.a] + !needed[fixture.b];
            needed[fixture.a] = needed[fixture.b] = true;
        }
    }
}

void fixture_queue_open(bool *needed, const struct fixture_queue *queue)
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

void fixture_queue_needed(bool *needed, const struct fixture_queue *queue)
{
    fixture_queue_open(needed, queue);
    for (int i = 0; i < queue->source->bots && queue->source->ops->may_play != NULL; i++) {
        needed[i] = needed[i] || queue->source->ops->may_play(queue->source, i);
    }
}
