/* cgroup.h - a kernel group (cgroup, version 2) for each bot, where available.
 *
 * A keeper's descendants belong to its bot. But an unconfined bot can kill its keeper, which breaks
 * the chain. A process stays in its group however often it forks, so the group still shows the
 * owner, and all its processes can be ended. Groups are made below the referee's own group, where
 * the user may make groups: as root, or with delegation (systemd-run --user --scope -p
 * Delegate=yes). Without groups everything else works. A group's name is
 * "bgref-bot-KEEPER-STARTED", the keeper's pid and start time; the keeper holds a lock on its
 * folder. No other group is ever changed. Used by the referee and its keepers, so it needs the C
 * library only.
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

/* Finds the folder of this process's group, from the texts of mountinfo and cgroup in /proc/self.
 * False: no such folder is visible, or it does not fit. */
bool cgroup_place(char *folder, size_t size, const char *mounts, const char *own);

/* Returns the folder below which groups are made, "" if that is not possible. Tested at the first
 * call. */
const char *cgroup_base(void);

/* Returns whether groups are used, and if not, why; for display. */
const char *cgroup_about(void);

/* As cgroup_place, for the memory controller of version 1. */
bool cgroup_place_charged(char *folder, size_t size, const char *mounts, const char *own);

/* Returns the folder of the memory controller of version 1 below which groups are made, "" if there
 * is none or that is not possible. Tested at the first call. */
const char *cgroup_charges(void);

/* Whether the kernel counts a bot's memory in its group, by either version. */
bool cgroup_counts_memory(void);

/* ---- a keeper's group ---- */

struct cgroup {
    int fd; /* the folder, with its lock; -1: no group */
    char path[CGROUP_PATH];
    int charged_fd, entry_fd; /* its group of the memory controller of version 1, and what a process
                                 writes to so that it enters; -1: none */
    char charged[CGROUP_PATH];
};

/* No group: for an object that is not made yet. */
#define CGROUP_NONE                                                                                \
    {                                                                                              \
        .fd = -1, .charged_fd = -1, .entry_fd = -1                                                 \
    }

/* Makes an empty group for this process's bot, if possible. base "": no group. */
void cgroup_make(struct cgroup *out, const char *base);

/* The same, for its memory, below the folder of cgroup_charges; "": none. */
void cgroup_make_charged(struct cgroup *group, const char *base);

/* Moves the calling process into the group of the memory controller: before exec, since pages stay
 * charged where they were first used. Only calls write(). */
void cgroup_enter(const struct cgroup *group);

/* As fork(), with the child in the group from its first instruction. Returns -1 if that is not
 * possible; then the group is gone and the caller must use fork(). */
pid_t cgroup_fork(struct cgroup *group);

/* Kills all its processes. */
void cgroup_kill(const struct cgroup *group);

/* Kills all its processes and removes it; returns true if it is gone, or there was none. */
bool cgroup_end(struct cgroup *group);

/* Reads the group's memory in bytes without the cache of files: anonymous memory, files in memory
 * (also those that only a message in flight holds), and what the kernel keeps for the group: socket
 * buffers, page tables. False: memory is not counted there, or one of these processes is not in the
 * group. */
bool cgroup_memory(uint64_t *bytes, const char *path, const struct tree_list *members);

/* The same of a group of the memory controller of version 1. If only what the kernel keeps exceeds
 * `most`, the kernel first gives up what it can (names and caches of files). */
bool cgroup_charged(uint64_t *bytes, const char *path, uint64_t most,
                    const struct tree_list *members);

/* ---- the referee's view ---- */

/* Returns the dead keeper in whose group pid is; 0: none. While a keeper lives, only its
 * descendants are its bot's, so that a process cannot join a bot by entering its group. */
pid_t cgroup_dead_keeper(pid_t pid);

/* Ends the groups of dead keepers, or only this keeper's; returns how many processes were in them.
 * Never waits: a group that is not empty yet is tried again at the next call. */
int cgroup_sweep(pid_t keeper);

#endif
