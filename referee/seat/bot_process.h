/* bot_process.h - the process of a bot that the referee starts: start, watch, stderr, end.
 *
 * It knows nothing of connections and decisions. The loop calls a listener when something happens
 * to the process. A bot that was started elsewhere has no bot_process: pass NULL where it is
 * allowed.
 */
#ifndef REFEREE_SEAT_BOT_PROCESS_H
#define REFEREE_SEAT_BOT_PROCESS_H

#include "bot/competitor.h"
#include "process/launcher.h"

struct bot_process;

struct bot_process_listener {
    /* It has ended by itself; how: "exit 3". Called a moment later, because its last frames may
     * still arrive. */
    void (*ended)(void *user, const char *how);
    /* It holds more memory than allowed: this many bytes. */
    void (*too_large)(void *user, uint64_t held);
    /* All processes ended by bot_process_end are gone. */
    void (*gone)(void *user);
};

struct bot_process_setup {
    const struct competitor *bot; /* lent */
    int instance;
    struct loop *loop;     /* lent */
    uint64_t memory_bytes; /* 0: no limit */
    int open_files;        /* as in struct launch */
    bool confined;
    const char *hidden; /* folder hidden from a confined bot; lent */
    int nice;
    int pin; /* 1 + the core on which it and all that it starts run; 0: any */
    const struct bot_process_listener *listener;
    void *user;
};

struct bot_process *bot_process_create(const struct bot_process_setup *setup);
/* Ends the process if there is one (launcher_end waits for its end). NULL is fine. */
void bot_process_destroy(struct bot_process *process);

/* Starts it with the endpoint in its environment. BG_E_START: the program cannot be run. */
enum bg_status bot_process_start(struct bot_process *process, const char *endpoint,
                                 struct bg_error *err);
/* The token given to this start, by which it is recognised; NULL for NULL. */
const char *bot_process_token(const struct bot_process *process);

/* Ends the process, if there is one, and all that it has started; `gone` follows. NULL is fine. */
void bot_process_end(struct bot_process *process);

/* Asks it to end (SIGTERM); it is still watched until it ends. */
void bot_process_ask_to_end(struct bot_process *process);

/* NULL is fine for all functions below, and so is a process that does not exist. */
bool bot_process_is_leaving(
    const struct bot_process *process); /* not all has ended: `gone` will follow */
bool bot_process_is_exiting(const struct bot_process *process); /* has ended: `ended` will follow */
bool bot_process_owns(const struct bot_process *process, pid_t pid);
/* Processor time of the process and all that it has started, in nanoseconds. */
int64_t bot_process_cpu_ns(const struct bot_process *process);
/* Returns how its threads have run and waited until now; NULL: that is not known. */
struct core_look *bot_process_core_look(const struct bot_process *process, int64_t now_ns);
uint64_t bot_process_memory(const struct bot_process *process); /* bytes held, 0 unknown */

/* Reads its standard error up to now; call it before ending the process. */
void bot_process_read_stderr(struct bot_process *process);
/* Returns the last 64 KiB of its standard error, cleaned (rules/clean.h); lent until the next call.
 * "" if the process was ended. */
const char *bot_process_stderr(struct bot_process *process);

#endif
