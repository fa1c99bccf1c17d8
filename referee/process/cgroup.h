/* cgroup.h - a group of the kernel's (cgroup, version 2) for each bot, where one can be had.
 *
 * What descends from a keeper is its bot's; but an unconfined bot can kill its keeper, and the
 * chain is broken. Whoever is in a group stays in it however often it forks, so the group still
 * says whose it is, and ends with all that is in it. Groups are made below the one that the referee
 * is in, where the user may: as root, or where it was lent (systemd-run --user --scope -p
 * Delegate=yes). Where none can be had everything goes on without. A group is
 * "bgref-bot-KEEPER-STARTED", by number and start of its keeper, which holds a lock on its folder;
 * nothing else is ever touched. Used by the referee and by its keepers, so it needs the C library
 * only.
 */
#ifndef REFEREE_PROCESS_CGROUP_H
#define REFEREE_PROCESS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tree.h"

enum { CGROUP_PATH = 4096 };

/* ---- where ---- */

/* From the texts of mountinfo and cgroup in /proc/self: the folder of the own group in the file
 * system. False: there is none that can be seen, or no room. */
bool cgroup_place(char *folder, size_t size, const char *mounts, const char *own);

/* The folder below which groups are made, "" when none can be. Found at the first call. */
const char *cgroup_base(void);

/* Why there is none, or that there is one; for people. */
const char *cgroup_about(void);

/* ---- a keeper's group ---- */

struct cgroup {
    int fd; /* of its folder, with the lock; -1: there is none */
    char path[CGROUP_PATH];
};

/* Makes a group for the bot of this process, empty, if it can. base "" none. */
void cgroup_make(struct cgroup *out, const char *base);

/* As fork(), with the child in the group from its first instruction; -1: that cannot be, the group
 * is gone, and the caller forks by itself. */
pid_t cgroup_fork(struct cgroup *group);

/* Kills all that is in it. */
void cgroup_kill(const struct cgroup *group);

/* Kills all that is in it and removes it; true when it is gone, or there was none. */
bool cgroup_end(struct cgroup *group);

/* Bytes that a group holds without the cache of files: anonymous memory and files in memory. False:
 * memory is not counted there, or one of these processes is not in it. */
bool cgroup_memory(uint64_t *bytes, const char *path, const struct tree_list *members);

/* ---- the referee's view ---- */

/* The keeper in whose group pid is when that keeper lives no more; 0: none. While a keeper lives,
 * its bot is what descends from it, and nobody can join by entering the group. */
pid_t cgroup_dead_keeper(pid_t pid);

/* Ends the groups of keepers that live no more, or of this one only; returns how many processes
 * were in them. Never waits: a group that was not empty yet is there at the next call. */
int cgroup_sweep(pid_t keeper);

#endif
