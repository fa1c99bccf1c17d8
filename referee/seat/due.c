/* Every member is in the heap at all times, with DUE_NEVER if it waits for nothing. So a new
 * time is one sift from a known place, and nothing is inserted, removed or allocated while the
 * event runs. */
#include "due.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

enum { WORD = 64 }; /* bits */

void due_deinit(struct due *due)
{
    free(due->marked);
    free(due->late);
    free(due->at_ns);
    free(due->heap);
    free(due->place);
    *due = (struct due){.count = 0};
}

void due_add(struct due *due)
{
    /* The three lists always have the same room; memory_list() sets it in the first call, and
     * the others get copies of what it was. */
    size_t count = (size_t)due->count + 1, heap = due->room, place = heap;

    if (due->count % WORD == 0) {
        size_t words = count / WORD + 1, late = due->words;

        due->marked = memory_list(due->marked, &due->words, words, sizeof *due->marked);
        due->late = memory_list(due->late, &late, words, sizeof *due->late);
        due->marked[words - 1] = due->late[words - 1] = 0;
    }
    due->at_ns = memory_list(due->at_ns, &due->room, count, sizeof *due->at_ns);
    due->heap = memory_list(due->heap, &heap, count, sizeof *due->heap);
    due->place = memory_list(due->place, &place, count, sizeof *due->place);
    due->at_ns[due->count] = DUE_NEVER;
    due->heap[due->count] = due->place[due->count] = due->count;
    due->count++;
}

/* ------------------------------------------------------------------ marks */

static void set_bit(uint64_t *bits, int member)
{
    bits[member / WORD] |= UINT64_C(1) << member % WORD;
}

static int take_bit(uint64_t *bits, int count, int from)
{
    int word = from / WORD;
    uint64_t kept = from >= count ? 0 : bits[word] & UINT64_MAX << from % WORD;

    while (kept == 0) {
        if (++word * WORD >= count) {
            return -1;
        }
        kept = bits[word];
    }
    bits[word] &= ~(kept & -kept); /* the lowest of these bits */
    return word * WORD + __builtin_ctzll(kept);
}

void due_mark(struct due *due, int member)
{
    set_bit(due->marked, member);
}

int due_take_marked(struct due *due, int from)
{
    return take_bit(due->marked, due->count, from);
}

int due_take_late(struct due *due, int from)
{
    return take_bit(due->late, due->count, from);
}

/* ------------------------------------------------------------------ times */

static bool is_before(const struct due *due, int a, int b)
{
    return due->at_ns[due->heap[a]] < due->at_ns[due->heap[b]];
}

static void swap(struct due *due, int a, int b)
{
    int held = due->heap[a];

    due->heap[a] = due->heap[b];
    due->heap[b] = held;
    due->place[due->heap[a]] = a;
    due->place[due->heap[b]] = b;
}

static void sift(struct due *due, int at)
{
    for (; at > 0 && is_before(due, at, (at - 1) / 2); at = (at - 1) / 2) {
        swap(due, at, (at - 1) / 2);
    }
    for (;;) {
        int least = at;

        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < due->count; child++) {
            least = is_before(due, child, least) ? child : least;
        }
        if (least == at) {
            return;
        }
        swap(due, at, least);
        at = least;
    }
}

void due_set(struct due *due, int member, int64_t at_ns)
{
    due->at_ns[member] = at_ns;
    sift(due, due->place[member]);
}

void due_hasten(struct due *due, int member, int64_t at_ns)
{
    if (at_ns < due->at_ns[member]) {
        due_set(due, member, at_ns);
    }
}

void due_collect(struct due *due, int64_t now_ns)
{
    /* Not at the time itself: a limit may be used to its last nanosecond. */
    while (due->count > 0 && due->at_ns[due->heap[0]] < now_ns) {
        set_bit(due->late, due->heap[0]);
        due_set(due, due->heap[0], DUE_NEVER);
    }
}
