/* launcher.h - starts bot processes, watches and ends them.
 *
 * Each bot runs under a keeper of its own (keeper.h): a session without a terminal, standard input
 * and output on /dev/null, standard error into a pipe whose last 64 KiB are kept, no other
 * descriptor. What descends from the keeper belongs to the bot and ends with it, and with the
 * referee, however that ends.
 */
#ifndef REFEREE_PROCESS_LAUNCHER_H
#define REFEREE_PROCESS_LAUNCHER_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../loop/loop.h"

struct launch {
    const char *cmd;       /* split like a shell would: quotes and backslash, no expansion */
    const char *dir;       /* "" the current folder */
    const char *endpoint;  /* BGREF_ENDPOINT */
    const char *token;     /* BGREF_TOKEN */
    const char *bot;       /* BGREF_BOT, for messages and sweeping */
    int slot;              /* BGREF_SLOT: instance number */
    bool confined;         /* in a sandbox */
    const char *hidden;    /* folder that a confined bot must not see; NULL none */
    int nice;              /* added to our niceness */
    uint64_t memory_bytes; /* most that it may hold, and each folder it may write to; 0 no limit */
    const char *stderr_file; /* all of standard error is appended to it; NULL or "" none */
};

struct process;

/* Starts it. BG_E_START names the program and why (not found, not executable, no such folder, a
 * script whose first line cannot work);
 * a failing exec is reported here, not later. */
enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err);

/* Ends it and all that descends from it, takes it, and returns at once. The loop calls gone(user)
 * when nothing of it is left; process_forget drops that call. */
void process_end(struct process *take, struct loop *loop, loop_timer_fn gone, void *user);
void process_forget(const void *user);

/* As process_end, but waits until nothing is left, some seconds at most. NULL is fine. */
void process_destroy(struct process *process);

pid_t process_pid(const struct process *process);   /* its first process */
int process_news_fd(const struct process *process); /* readable when one of the next two changes */
int process_stderr_fd(const struct process *process); /* readable when there is output; -1 closed */
void process_read_stderr(struct process *process);    /* drains without blocking into the ring */
/* The last bytes it wrote to standard error (at most 64 KiB), as they came, terminated; lent. size:
 * how many, zero bytes among them; may be NULL. */
const char *process_stderr_tail(struct process *process, size_t *size);
void process_signal(struct process *process, int signal); /* to the group; SIGKILL: to all of it */

/* True when its first process has ended, or its keeper was killed; how says "exit 3" or "signal 11
 * (SIGSEGV)". Never waits. What it has started is ended too, but perhaps not yet gone. */
bool process_reap(struct process *process, char *how, size_t size);
/* Bytes it was seen to hold when that was more than memory_bytes; 0: it was not. Never waits. */
uint64_t process_excess(struct process *process);

/* CPU time used so far by it and what it has started, user and system, in nanoseconds. */
int64_t process_cpu_ns(const struct process *process);
/* Bytes that it and its descendants hold now, shared pages counted once. Some milliseconds. */
uint64_t process_memory(const struct process *process);
/* True when pid is the process or descends from it. Exact for a confined one; another may kill its
 * keeper, and is then ended. */
bool process_owns(const struct process *process, pid_t pid);

/* Before the first start: what a killed keeper leaves becomes our child, and what bots of a
 * referee that was killed have left is ended. Returns how many of those there were. */
int launcher_begin(void);
/* After the last process was ended: waits for what is left of them, less than a second. */
void launcher_end(void);

#endif
