/* core_wait.h - how long a bot has waited for a core because of others, from Linux's schedstat.
 *
 * For each thread the system counts the time on a core and the time in which it was ready to run
 * and had none (run delay). A wait is counted when it ends. Two looks at a bot's processes, and the
 * arithmetic between them, which is pure:
 *
 * - Of the threads' waits the longest counts, not their sum: several threads wait at the same time.
 * - What the bot's other threads and children have used meanwhile is subtracted: it may have been
 *   what that thread waited for. How many cores there are does not matter: a bot can put all its
 *   threads on one of them.
 * - So a bot is charged at least the processor time that all its processes have used, and at most
 *   what has passed. Who sleeps waits for no core. Threads of its own gain it nothing.
 */
#ifndef REFEREE_PROCESS_CORE_WAIT_H
#define REFEREE_PROCESS_CORE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Most that is believed for one decision. A thread that only turns in circles beside the bot's work
 * on another device would otherwise wait for ever. */
#define CORE_WAIT_MOST_NS INT64_C(10000000000)

struct core_thread {
    pid_t tid;
    int64_t cpu_ns, delay_ns; /* since it began: on a core, and ready without one */
    uint64_t turns;           /* how often it got a core */
    bool is_ready;            /* it runs, or waits for a core */
};

/* The threads of a bot at one time. */
struct core_look {
    int uses; /* how many decisions it is the beginning of */
    int64_t at_ns;
    int64_t cpu_ns;  /* of all processes, also of threads and children that have ended */
    bool is_stopped; /* a process is stopped by a signal (SIGSTOP) */
    size_t count, room;
    struct core_thread *threads; /* owned; by process, then by number */
};

/* Looks at all that runs below a keeper. NULL: the system does not say, the bot has more than 64
 * threads, or memory is short. The look has no uses yet. */
struct core_look *core_look_take(pid_t keeper, int64_t now_ns);
/* Drops one use; the last one destroys it. NULL is fine. */
void core_look_release(struct core_look *look);

struct core_wait {
    int64_t known_ns;    /* waited because of others */
    int64_t possible_ns; /* the same if what is ready now has waited all the time that is not known:
                            at least known_ns */
};

/* Computes the wait of a decision that was sent at sent_ns, a moment before the first look, from
 * what has happened between the looks. */
struct core_wait core_wait_between(const struct core_look *before, const struct core_look *after,
                                   int64_t sent_ns);

#endif
