/* timers.h - deadlines in order. No clock of its own: now_ns is an argument. */
#ifndef REFEREE_LOOP_TIMERS_H
#define REFEREE_LOOP_TIMERS_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>

typedef void (*timer_fn)(void *user, int64_t now_ns);

struct timer {
    int64_t due_ns;
    timer_fn fn;
    void *user;
};

struct timers {
    struct timer *heap; /* owned; the earliest first */
    int count, room;
};

void timers_deinit(struct timers *timers);

/* Calls fn(user, now) once at or after due_ns. */
enum bg_status timers_add(struct timers *timers, int64_t due_ns, timer_fn fn, void *user,
                          struct bg_error *err);

/* Forgets every timer with this user. */
void timers_remove(struct timers *timers, const void *user);

/* Time from now to the earliest deadline, 0 when it has passed, -1 when there is none. */
int64_t timers_wait(const struct timers *timers, int64_t now_ns);

/* Calls what is due; timers that are added meanwhile wait for the next call. */
void timers_run(struct timers *timers, int64_t now_ns);

#endif
