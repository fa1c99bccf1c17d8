/* A table of places for what is open, a list for what waits. The table is walked up to the
 * highest place ever used: a bot asks for few at once, and a walk over them costs less than
 * keeping a second order (by deadline, by age) with every change. A closed place keeps its use
 * count, by which an answer that comes too late is told from one that was never asked. */
#include "decisions.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { PLACE_BITS = 10 };

_Static_assert(DECISIONS_MAX == 1 << PLACE_BITS, "a number holds every place");

void decisions_begin(struct decisions *decisions)
{
    assert(decisions->open == 0 && decisions->first == NULL);
    memset(decisions, 0, sizeof *decisions);
    decisions->most = 1;
}

void decisions_wait(struct decisions *decisions, struct session_slot *slot)
{
    assert(slot->state == SLOT_IDLE);
    slot->state = SLOT_WAITING;
    slot->next = NULL;
    if (decisions->last == NULL) {
        decisions->first = slot;
    } else {
        decisions->last->next = slot;
    }
    decisions->last = slot;
}

/* Puts an idle slot before those that wait. */
static void decisions_wait_first(struct decisions *decisions, struct session_slot *slot)
{
    assert(slot->state == SLOT_IDLE);
    slot->state = SLOT_WAITING;
    slot->next = decisions->first;
    decisions->first = slot;
    if (decisions->last == NULL) {
        decisions->last = slot;
    }
}

bool decisions_wait_for(const struct decisions *decisions, int count)
{
    const struct session_slot *slot = decisions->first;

    while (slot != NULL && count > 0) {
        slot = slot->next;
        count--;
    }
    return count <= 0;
}

struct session_slot *decisions_open(struct decisions *decisions, int *from)
{
    struct session_slot *slot = decisions->first;

    if (slot == NULL || decisions->open >= decisions->most) {
        return NULL;
    }
    /* The caller keeps *from over a batch, so that opening n decisions is one walk. There is a
     * free place: fewer than `most` are open. */
    while (decisions->place[*from].slot != NULL) {
        ++*from;
    }
    decisions->first = slot->next;
    if (decisions->first == NULL) {
        decisions->last = NULL;
    }
    slot->place = *from;
    slot->state = SLOT_OPEN;
    slot->announces = slot->held = slot->is_unseen = slot->is_stopped = false;
    slot->waited_ns = slot->doubt_ns = 0;
    slot->allowed_ns = slot->limit_ns;
    slot->ask.decision = ++decisions->place[*from].uses << PLACE_BITS | (uint64_t)*from;
    decisions->place[*from].slot = slot;
    decisions->open++;
    decisions->span = *from < decisions->span ? decisions->span : *from + 1;
    return slot;
}

void decisions_close(struct decisions *decisions, struct session_slot *slot)
{
    assert(decisions->place[slot->place].slot == slot);
    decisions->place[slot->place].slot = NULL;
    decisions->open--;
    core_look_release(slot->look);
    slot->look = NULL;
    slot->state = SLOT_IDLE;
}

static void unlink_waiting(struct decisions *decisions, const struct session_slot *slot)
{
    struct session_slot *before = NULL;

    for (struct session_slot *at = decisions->first; at != NULL; before = at, at = at->next) {
        if (at == slot) {
            *(before == NULL ? &decisions->first : &before->next) = slot->next;
            if (decisions->last == slot) {
                decisions->last = before;
            }
            return;
        }
    }
}

void decisions_cancel(struct decisions *decisions, struct session_slot *slot)
{
    if (slot->state == SLOT_WAITING) {
        unlink_waiting(decisions, slot);
        slot->state = SLOT_IDLE;
    } else if (slot->state == SLOT_OPEN) {
        decisions_close(decisions, slot);
    }
}

enum decision_found decisions_find(struct session_slot **slot, const struct decisions *decisions,
                                   uint64_t number)
{
    uint64_t place = number % DECISIONS_MAX, use = number >> PLACE_BITS;

    if (use == 0 || use > decisions->place[place].uses) {
        return DECISION_NEVER;
    }
    if (decisions->place[place].slot == NULL || use != decisions->place[place].uses) {
        return DECISION_CLOSED;
    }
    *slot = decisions->place[place].slot;
    return DECISION_OPEN;
}

struct session_slot *decisions_oldest(const struct decisions *decisions)
{
    struct session_slot *oldest = NULL;

    for (int i = 0; i < decisions->span; i++) {
        struct session_slot *slot = decisions->place[i].slot;

        if (slot != NULL && (oldest == NULL || slot->sent_ns < oldest->sent_ns)) {
            oldest = slot;
        }
    }
    return oldest;
}

struct session_slot *decisions_overdue(int64_t *spent_ns, const struct decisions *decisions,
                                       int64_t now_ns, int64_t stalled_ns)
{
    struct session_slot *first = NULL;

    for (int i = 0; i < decisions->span && decisions->open > 0; i++) {
        struct session_slot *slot = decisions->place[i].slot;
        int64_t spent = slot == NULL ? 0
                                     : now_ns - slot->sent_ns - (stalled_ns - slot->stalled_ns) -
                                           slot->waited_ns;

        /* What may have been a wait for a core counts for the bot: only what is certain is late. */
        if (slot != NULL && spent - slot->doubt_ns > slot->allowed_ns &&
            (first == NULL || slot->sent_ns < first->sent_ns)) {
            first = slot;
            *spent_ns = spent;
        }
    }
    return first;
}

int64_t decisions_due_ns(const struct decisions *decisions, int64_t stalled_ns)
{
    int64_t due_ns = INT64_MAX;

    for (int i = 0; i < decisions->span && decisions->open > 0; i++) {
        const struct session_slot *slot = decisions->place[i].slot;
        int64_t from_ns = slot == NULL ? 0
                                       : slot->sent_ns + (stalled_ns - slot->stalled_ns) +
                                             slot->waited_ns + slot->doubt_ns;

        /* As a difference: the sum of a time and a limit of centuries would overflow. */
        if (slot != NULL && slot->allowed_ns < due_ns - from_ns) {
            due_ns = from_ns + slot->allowed_ns;
        }
    }
    return due_ns;
}

struct session_slot *decisions_announced(const struct decisions *decisions, const char *game)
{
    for (int i = 0; i < decisions->span; i++) {
        struct session_slot *slot = decisions->place[i].slot;

        if (slot != NULL && slot->announces && strcmp(slot->ask.game, game) == 0) {
            return slot;
        }
    }
    return NULL;
}

void decisions_reopen(struct decisions *decisions)
{
    for (int i = 0; i < decisions->span; i++) {
        struct session_slot *slot = decisions->place[i].slot;

        if (slot != NULL) {
            decisions_close(decisions, slot);
            decisions_wait(decisions, slot);
        }
    }
}

void decisions_hold(struct decisions *decisions, bool counts)
{
    /* From the last to the first: each goes to the head of the list, which so keeps their order. */
    for (int i = decisions->span; i-- > 0;) {
        struct session_slot *slot = decisions->place[i].slot;

        if (slot != NULL && slot->announces && !slot->held) {
            decisions_close(decisions, slot);
            decisions_wait_first(decisions, slot);
        } else if (slot != NULL) {
            slot->returns += counts && (!slot->held || slot->announces);
            slot->announces = false;
            slot->held = true;
        }
    }
}

struct session_slot *decisions_next_held(const struct decisions *decisions, int from)
{
    struct session_slot *found = NULL;

    for (int i = from; i < decisions->span && found == NULL; i++) {
        struct session_slot *slot = decisions->place[i].slot;

        found = slot != NULL && slot->held ? slot : NULL;
    }
    return found;
}

void decisions_forgive(struct decisions *decisions, int64_t lost_ns)
{
    for (int i = 0; i < decisions->span; i++) {
        if (decisions->place[i].slot != NULL && decisions->place[i].slot->held) {
            decisions->place[i].slot->sent_ns += lost_ns;
        }
    }
}
