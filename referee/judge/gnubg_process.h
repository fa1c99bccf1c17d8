/* gnubg_process.h - one gnubg process: it gets commands on a pipe, and its output is read.
 *
 * It runs in an empty private folder, which is also its home: it reads none of the user's settings,
 * and files are exchanged there. It ends with the thread that started it. All in the loop:
 * worker_tell returns at once, and `done` is called when gnubg has executed the commands.
 */
#ifndef REFEREE_JUDGE_GNUBG_PROCESS_H
#define REFEREE_JUDGE_GNUBG_PROCESS_H

#include <stdbool.h>

#include "loop/loop.h"

enum { WORKER_PATH = 512 };

struct worker;

struct worker_listener {
    /* All commands are executed; said is gnubg's output since then (at most the last MiB), lent. */
    void (*done)(void *user, struct worker *worker, const char *said);
    /* gnubg has ended; why is the reason. Then call only worker_destroy, and not from here. */
    void (*gone)(void *user, struct worker *worker, const char *why);
};

struct worker_setup {
    struct loop *loop;   /* lent; outlives the worker */
    const char *program; /* a path, or a name looked for in PATH and /usr/games */
    int nice;            /* added to its niceness */
    bool confined;       /* in a sandbox (process/sandbox.h), which may write to its folder */
    const char *hidden;  /* results hidden from a confined gnubg; NULL none */
    const struct worker_listener *listener; /* lent */
    void *user;
};

/* Finds the program. BG_E_START: not found; the message has the remedy. */
enum bg_status worker_find(char out[WORKER_PATH], const char *program, struct bg_error *err);

/* Starts it. BG_E_START, BG_E_SYSTEM. */
enum bg_status worker_start(struct worker **out, const struct worker_setup *setup,
                            struct bg_error *err);

/* Kills and reaps it and removes its folder. NULL is fine. */
void worker_destroy(struct worker *worker);

/* Sends commands, each ended by '\n', at most 2 KiB. Call it again only after done. BG_E_CLOSED:
 * gnubg does not take them; it has ended or will end. */
enum bg_status worker_tell(struct worker *worker, const char *commands, struct bg_error *err);

/* Returns its folder; lent. */
const char *worker_folder(const struct worker *worker);

/* Returns the processor time of it and all that it has started, in nanoseconds. */
int64_t worker_cpu_ns(const struct worker *worker);

#endif
