/* gnubg_process.h - one gnubg process that is told commands on a pipe, and what it says to them.
 *
 * It runs in an empty private folder, which is its home too: no settings of the user are read, and
 * files are handed over there. It dies with the thread that started it. All in the loop:
 * worker_tell returns at once, and `done` comes when gnubg has worked through what it was told.
 */
#ifndef REFEREE_JUDGE_GNUBG_PROCESS_H
#define REFEREE_JUDGE_GNUBG_PROCESS_H

#include <stdbool.h>

#include "loop/loop.h"

enum { WORKER_PATH = 512 };

struct worker;

struct worker_listener {
    /* All commands are done; said is what gnubg said meanwhile (at most its last MiB), lent. */
    void (*done)(void *user, struct worker *worker, const char *said);
    /* gnubg is gone, and why; only worker_destroy is left to call, not from here. */
    void (*gone)(void *user, struct worker *worker, const char *why);
};

struct worker_setup {
    struct loop *loop;   /* lent; outlives the worker */
    const char *program; /* a path, or a name looked for in PATH and /usr/games */
    int nice;            /* added to its niceness */
    bool confined;       /* in a sandbox (process/sandbox.h), in which it may write its folder */
    const char *hidden;  /* results that it must not see then; NULL none */
    const struct worker_listener *listener; /* lent */
    void *user;
};

/* Where the program is. BG_E_START: nowhere, with the remedy. */
enum bg_status worker_find(char out[WORKER_PATH], const char *program, struct bg_error *err);

/* Starts it. BG_E_START, BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status worker_start(struct worker **out, const struct worker_setup *setup,
                            struct bg_error *err);

/* Kills and reaps it and removes its folder. NULL is fine. */
void worker_destroy(struct worker *worker);

/* Sends commands, each ended by '\n', at most 2 KiB. One telling at a time: the next after done.
 * BG_E_CLOSED: it does not take them; it is or will be gone. */
enum bg_status worker_tell(struct worker *worker, const char *commands, struct bg_error *err);

/* Its folder; lent. */
const char *worker_folder(const struct worker *worker);

/* Processor time that it and what it started have used so far, in nanoseconds. */
int64_t worker_cpu_ns(const struct worker *worker);

#endif
