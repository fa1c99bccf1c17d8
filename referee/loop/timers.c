/* A heap from which the deadlines of a user are removed by walking it: there are some tens,
 * since sessions keep their many times in a heap of their own (seat/due.h). Equal times run in
 * no certain order. */
#include "timers.h"

#include <stdlib.h>

#include "base/memory.h"

void timers_deinit(struct timers *timers)
{
    free(timers->heap);
    *timers = (struct timers){.heap = NULL};
}

static void swap(struct timer *a, struct timer *b)
{
    struct timer held = *a;

    *a = *b;
    *b = held;
}

static void sift_up(struct timers *timers, int i)
{
    while (i > 0 && timers->heap[i].due_ns < timers->heap[(i - 1) / 2].due_ns) {
        swap(&timers->heap[i], &timers->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static void sift_down(struct timers *timers, int i)
{
    for (;;) {
        int least = i;

        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < timers->count; child++) {
            if (timers->heap[child].due_ns < timers->heap[least].due_ns) {
                least = child;
            }
        }
        if (least == i) {
            return;
        }
        swap(&timers->heap[i], &timers->heap[least]);
        i = least;
    }
}

void timers_add(struct timers *timers, int64_t due_ns, timer_fn fn, void *user)
{
    timers->heap =
        memory_list(timers->heap, &timers->room, (size_t)timers->count + 1, sizeof *timers->heap);
    timers->heap[timers->count] = (struct timer){due_ns, fn, user};
    sift_up(timers, timers->count++);
}

static struct timer take_first(struct timers *timers)
{
    struct timer first = timers->heap[0];

    timers->heap[0] = timers->heap[--timers->count];
    sift_down(timers, 0);
    return first;
}

void timers_remove(struct timers *timers, const void *user)
{
    int kept = 0;

    for (int i = 0; i < timers->count; i++) {
        if (timers->heap[i].user != user) {
            timers->heap[kept++] = timers->heap[i];
        }
    }
    timers->count = kept;
    for (int i = kept / 2; i >= 0; i--) {
        sift_down(timers, i);
    }
}

int64_t timers_wait(const struct timers *timers, int64_t now_ns)
{
    if (timers->count == 0) {
        return -1;
    }
    return timers->heap[0].due_ns <= now_ns ? 0 : timers->heap[0].due_ns - now_ns;
}

void timers_run(struct timers *timers, int64_t now_ns)
{
    /* At most as many as there were: one that a callback adds for now waits for the next round. */
    int most = timers->count;

    while (most-- > 0 && timers->count > 0 && timers->heap[0].due_ns <= now_ns) {
        struct timer first = take_first(timers);

        first.fn(first.user, now_ns);
    }
}
