/* bot_process.h - the process of a bot that we start: started, watched, its last words, ended.
 *
 * It knows of no connection and of no decision; what happens to the process is told to a listener,
 * from the loop. A bot that somebody else started has none: NULL will do where it says so.
 */
#ifndef REFEREE_SEAT_BOT_PROCESS_H
#define REFEREE_SEAT_BOT_PROCESS_H

#include "bot/competitor.h"
#include "process/launcher.h"

struct bot_process;

struct bot_process_listener {
    /* It has ended by itself: "exit 3". Called a moment later, for frames of a process that has
     * ended may still be on their way. */
    void (*ended)(void *user, const char *how);
    /* It was seen to hold so many bytes; fewer are allowed. */
    void (*too_large)(void *user, uint64_t held);
    /* Nothing is left of the process that bot_process_end has ended. */
    void (*gone)(void *user);
};

struct bot_process_setup {
    const struct competitor *bot; /* lent */
    int instance;
    struct loop *loop;     /* lent */
    uint64_t memory_bytes; /* 0: no limit */
    bool confined;
    const char *hidden; /* folder that a confined bot does not see; lent */
    int nice;
    const struct bot_process_listener *listener;
    void *user;
};

enum bg_status bot_process_create(struct bot_process **out, const struct bot_process_setup *setup,
                                  struct bg_error *err);
/* Has the process ended if there is one (launcher_end waits for that). NULL is fine. */
void bot_process_destroy(struct bot_process *process);

/* Starts it and tells it where to connect. BG_E_START: the program cannot be run. */
enum bg_status bot_process_start(struct bot_process *process, const char *endpoint,
                                 struct bg_error *err);
/* The word that this start was given, to be known by; NULL for NULL. */
const char *bot_process_token(const struct bot_process *process);

/* Has the process ended, if there is one, with all that it has started; `gone` follows. NULL is
 * fine. */
void bot_process_end(struct bot_process *process);

/* Asks it to end (SIGTERM); it is there, and watched, until it does. */
void bot_process_ask_to_end(struct bot_process *process);

/* For all below NULL is fine, and a process that is not there. */
bool bot_process_is_leaving(
    const struct bot_process *process); /* something is left: `gone` comes */
bool bot_process_is_exiting(const struct bot_process *process); /* has ended: `ended` comes */
bool bot_process_owns(const struct bot_process *process, pid_t pid);
/* Processor time of it and what it has started, in nanoseconds. */
int64_t bot_process_cpu_ns(const struct bot_process *process);
uint64_t bot_process_memory(const struct bot_process *process); /* bytes held, 0 unknown */

/* Takes what it wrote to standard error until now, before it is ended. */
void bot_process_read_stderr(struct bot_process *process);
/* The last 64 KiB of its standard error, cleaned (rules/clean.h); lent until the next call. "" when
 * the process is ended. */
const char *bot_process_stderr(struct bot_process *process);

#endif
