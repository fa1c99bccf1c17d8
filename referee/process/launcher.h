/* launcher.h - starts bot processes, watches and ends them.
 *
 * Each bot runs under a keeper of its own (keeper.h): a session without a terminal, standard input
 * and output on /dev/null, standard error into a pipe whose last 64 KiB are kept, no other
 * descriptor. The keeper's descendants belong to the bot. They end with the bot and with the
 * referee, however it ends.
 */
#ifndef REFEREE_PROCESS_LAUNCHER_H
#define REFEREE_PROCESS_LAUNCHER_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../loop/loop.h"
#include "core_wait.h"

struct launch {
    const char *cmd;       /* split like a shell would: quotes and backslash, no expansion */
    const char *dir;       /* "": the current folder */
    const char *endpoint;  /* BGREF_ENDPOINT */
    const char *token;     /* BGREF_TOKEN */
    const char *bot;       /* BGREF_BOT, for messages and sweeping */
    int slot;              /* BGREF_SLOT: instance number */
    bool confined;         /* in a sandbox */
    const char *hidden;    /* folder that a confined bot must not see; NULL none */
    int nice;              /* added to our niceness */
    int pin;               /* 1 + the core on which it and all that it starts run; 0: any */
    uint64_t memory_bytes; /* limit of its memory, and of each folder it may write to; 0 no limit */
    int open_files;        /* most open files of each of its processes; 0: DESCRIPTORS_BOT */
    const char *stderr_file; /* file to which all that it writes is appended; NULL or "" none */
};

struct process;

/* Starts the bot. BG_E_START: the message names the program and the reason (not found, not
 * executable, no such folder, a script whose first line cannot work). A failed exec is reported
 * here, not later. */
enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err);

/* Ends the process and all its descendants, takes ownership, and returns at once. The loop calls
 * gone(user) when nothing of it is left; process_forget drops that call. */
void process_end(struct process *take, struct loop *loop, loop_timer_fn gone, void *user);
void process_forget(const void *user);

/* As process_end, but waits until nothing is left, at most some seconds. NULL is fine. */
void process_destroy(struct process *process);

pid_t process_pid(const struct process *process); /* its first process */
int process_news_fd(
    const struct process *process); /* readable if process_reap or process_excess may have news */
int process_stderr_fd(const struct process *process); /* readable when there is output; -1 closed */
void process_read_stderr(struct process *process);    /* reads all there is without blocking */
/* Returns the last bytes that it wrote to standard error and standard output (at most 64 KiB),
 * unchanged, terminated; lent. size: their number, because zero bytes may be among them; may be
 * NULL. */
const char *process_stderr_tail(struct process *process, size_t *size);
void process_signal(struct process *process,
                    int signal); /* to the group; SIGKILL: to every process of it */

/* Returns true if its first process has ended, or its keeper was killed; how: "exit 3" or "signal
 * 11 (SIGSEGV)". Never waits. Its descendants are being ended, but may not have ended yet. */
bool process_reap(struct process *process, char *how, size_t size);
/* Returns the bytes it held when they were more than memory_bytes; 0: they were not. Never
 * waits. */
uint64_t process_excess(struct process *process);

/* Returns the CPU time used by it and all that it has started, user and system, in nanoseconds. */
int64_t process_cpu_ns(const struct process *process);
/* Returns how its threads have run and waited until now; NULL: that is not known. */
struct core_look *process_core_look(const struct process *process, int64_t now_ns);
/* Returns the bytes that it and its descendants hold now, shared pages counted once. Takes some
 * milliseconds. */
uint64_t process_memory(const struct process *process);
/* Returns true if pid is the process or its descendant. Exact for a confined process; an unconfined
 * one can kill its keeper, and is then ended. */
bool process_owns(const struct process *process, pid_t pid);

/* Call before the first start. Makes the referee a subreaper and kills orphaned bots of a referee
 * that was killed. Returns how many there were. */
int launcher_begin(void);
/* Call after the last process was ended: waits for remaining processes, less than a second. */
void launcher_end(void);

#endif
