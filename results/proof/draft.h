/* draft.h - the unfinished file of a backup, NAME.partial. Its lock separates two backups with the
 * same name, and ends with the process: a draft without one was left by a killed process. */
#ifndef RESULTS_PROOF_DRAFT_H
#define RESULTS_PROOF_DRAFT_H

#include <stdbool.h>
#include <sys/types.h>

#include <bgref/error.h>

struct draft {
    char *path; /* owned */
    int fd;     /* holds the lock; -1: none */
};

#define DRAFT_INIT                                                                                 \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/* Creates `to`.partial, or takes one that was left; it is empty and has these permissions.
 * BG_E_BUSY: a backup is writing it; BG_E_STORE. */
enum bg_status draft_open(struct draft *out, const char *to, mode_t mode, struct bg_error *err);
/* Brings the file to the disk and renames it to `to`. Keeps the lock. BG_E_STORE. */
enum bg_status draft_finish(struct draft *draft, const char *to, struct bg_error *err);
/* Removes the file unless it was renamed, and gives up the lock. Call after everything else has
 * closed the file. Accepts DRAFT_INIT. */
void draft_close(struct draft *draft);

/* Whether the file at this path was left by a killed process. */
bool draft_is_left(const char *path);

#endif
