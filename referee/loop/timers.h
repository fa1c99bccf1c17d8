/* timers.h - deadlines in order. It reads no clock: now_ns is an argument. */
#ifndef REFEREE_LOOP_TIMERS_H
#define REFEREE_LOOP_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*timer_fn)(void *user, int64_t now_ns);

struct timer {
    int64_t due_ns;
    timer_fn fn;
    void *user;
};

struct timers {
    struct timer *heap; /* owned; the earliest first */
    int count;
    size_t room;
};

void timers_deinit(struct timers *timers);

/* Calls fn(user, now) once at or after due_ns. */
void timers_add(struct timers *timers, int64_t due_ns, timer_fn fn, void *user);

/* Removes every timer with this user. */
void timers_remove(struct timers *timers, const void *user);

/* Returns the time until the earliest deadline, 0 if it has passed, -1 if there is none. */
int64_t timers_wait(const struct timers *timers, int64_t now_ns);

/* Calls every timer that is due; timers added meanwhile wait for the next call. */
void timers_run(struct timers *timers, int64_t now_ns);

#endif
