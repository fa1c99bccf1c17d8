/* backups.h - copies of the results of a host's events, by 'bgref backup' in a process of its own,
 * one after another, and of the host's own files (host_files.h).
 */
#ifndef REFEREE_HOST_BACKUPS_H
#define REFEREE_HOST_BACKUPS_H

#include "runs.h"

struct event_child;
struct backup_job;

struct backups {
    const struct host_config *config; /* lent, like these */
    const struct agenda *agenda;
    const struct runs *runs;
    struct loop *loop;
    runs_say_fn say;
    void *user;
    struct event_child *child; /* owned; NULL: no backup is being made */
    struct backup_job *jobs;   /* owned: the instances to copy; NULL as well */
    int count, next;
    bool has_failed; /* a copy of this one */
    int64_t made_s;  /* the last one that was whole, since 1970; 0: none */
    int64_t last_ns; /* the next one follows so long after this as HOST.yaml says */
};

/* Copies the host's files, the results of every event that is running or paused, and of all others
 * those that have changed since their last copy: an event that has ended is copied once more.
 * BG_E_ARGUMENT: HOST.yaml has no backup, or the last one is not done yet; BG_E_SYSTEM,
 * BG_E_MEMORY. */
enum bg_status backups_make(struct backups *backups, struct bg_error *err);

/* Makes one each time that HOST.yaml says, counted from the newest one in the folder: a host that
 * is often started anew makes them too. One that is due at the start follows a minute later. */
void backups_begin(struct backups *backups);
/* HOST.yaml may say another time: it counts from the last backup. */
void backups_plan(struct backups *backups);

void backups_deinit(struct backups *backups);

#endif
