/* ending.h - bots that are being ended, while nobody waits for them.
 *
 * To kill is quick, to be gone may take seconds: a process frees its memory first, and what it has
 * started ends after it. So a keeper (keeper.h) that was told to end its bot is handed over here;
 * the loop watches it, and the owner is called when nothing of the bot is left.
 */
#ifndef REFEREE_PROCESS_ENDING_H
#define REFEREE_PROCESS_ENDING_H

#include "../loop/loop.h"

#include <sys/types.h>

struct ending {
    pid_t keeper;       /* a child of ours */
    int socket;         /* ours; taken */
    pid_t session;      /* of its bot: how orphans are known when the keeper was killed; 0 none */
    struct loop *loop;  /* lent until gone or ending_forget; NULL: ending_wait does it */
    loop_timer_fn gone; /* called by the loop, once; NULL: nobody cares */
    void *user;
};

/* Tells the keeper to end everything, and returns at once. */
void ending_begin(const struct ending *take);

/* Calls of user's `gone` are dropped, and its loop is not used any more. */
void ending_forget(const void *user);

/* Waits until all are gone, at most limit_ns; how many are left. `gone` is not called. */
int ending_wait(int64_t limit_ns);

#endif
