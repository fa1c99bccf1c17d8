/* launcher.h - starts bot processes, watches and reaps them.
 *
 * Each process gets its own process group, a death signal (it does not outlive the referee),
 * standard input and output on /dev/null, standard error into a pipe whose last 64 KiB are kept.
 */
#ifndef PROCESS_LAUNCHER_H
#define PROCESS_LAUNCHER_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct launch {
    const char *cmd;       /* split like a shell would: quotes and backslash, no expansion */
    const char *dir;       /* "" the current folder */
    const char *endpoint;  /* BGREF_ENDPOINT */
    const char *token;     /* BGREF_TOKEN */
    const char *bot;       /* BGREF_BOT, for messages and sweeping */
    int slot;              /* BGREF_SLOT: instance number */
    bool confined;         /* in a sandbox */
    const char *hidden;    /* results, whose folder a confined bot must not see; NULL none */
    uint64_t memory_bytes; /* most that each folder a confined bot may write to holds; 0 default */
};

struct process;

/* Starts it. BG_E_START names the program and why (not found, not executable, no such folder);
 * a failing exec is told here, not later. */
enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err);

/* Kills the whole group if it still runs, waits for it, frees. NULL is fine. */
void process_destroy(struct process *process);

pid_t process_pid(const struct process *process);
int process_end_fd(const struct process *process);    /* readable when it has ended */
int process_stderr_fd(const struct process *process); /* readable when there is output; -1 closed */
void process_read_stderr(struct process *process);    /* drains without blocking into the ring */
/* The last bytes it wrote to standard error (at most 64 KiB), as they came, terminated; lent. size:
 * how many, zero bytes among them; may be NULL. */
const char *process_stderr_tail(struct process *process, size_t *size);
void process_signal(struct process *process, int signal); /* to the group */
/* Reaps without blocking: true when it has ended; how says "exit 3" or "signal 11 (SIGSEGV)". */
bool process_reap(struct process *process, char *how, size_t size);
/* CPU time used so far, user and system, in nanoseconds; 0 when unknown. */
int64_t process_cpu_ns(const struct process *process);
/* Resident bytes of it and its descendants; 0 when unknown. *count: how many they are. */
uint64_t process_memory(const struct process *process, int *count);
/* True when pid is the process, one of its group, or, confined, one in its sandbox. */
bool process_owns(const struct process *process, pid_t pid);

/* Before the first start: what a process leaves behind becomes our child, and what bots of a
 * referee that was killed have left is ended. Returns how many of those there were. */
int launcher_begin(void);
/* After the last process was destroyed: ends whatever is left of bots. */
void launcher_end(void);

#endif
