/* ending.h - bots that are being ended, without waiting for them.
 *
 * A kill is quick, but the end may take seconds: a process frees its memory first, and its children
 * end after it. So a keeper (keeper.h) that was ordered to end its bot is handed over to this file.
 * The loop watches it and calls the owner when nothing of the bot is left.
 */
#ifndef REFEREE_PROCESS_ENDING_H
#define REFEREE_PROCESS_ENDING_H

#include "../loop/loop.h"

#include <sys/types.h>

struct ending {
    pid_t keeper;  /* our child process */
    int socket;    /* our end of its socket; taken */
    pid_t session; /* its bot's session: identifies orphans after the keeper was killed; 0 none */
    struct loop *loop;  /* lent until gone or ending_forget; NULL: ending_wait does it */
    loop_timer_fn gone; /* called by the loop, once; may be NULL */
    void *user;
};

/* Orders the keeper to end everything, and returns at once. */
void ending_begin(const struct ending *take);

/* Drops user's `gone` calls; its loop is no longer used. */
void ending_forget(const void *user);

/* Waits until all have ended, at most limit_ns; returns how many are left. Does not call `gone`. */
int ending_wait(int64_t limit_ns);

#endif
