/* tree.h - the processes of this machine as a tree, read from /proc.
 *
 * Who descends from whom is what decides whom a process belongs to: a process can leave its group
 * and its session, but not its parent; and when the parent ends, the next one above that collects
 * orphans (a subreaper, or the first process of a pid namespace) takes its place. Used by the
 * referee and by its keepers, so it needs the C library only.
 */
#ifndef REFEREE_PROCESS_TREE_H
#define REFEREE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What /proc/PID/stat says. */
struct tree_process {
    pid_t pid, parent, session;
    char state;       /* 'Z': ended, not yet reaped */
    uint64_t started; /* in clock ticks since the machine started: with pid, names one process */
    int64_t children_cpu_ns; /* processor time of the children that were reaped */
};

/* False: there is no such process (any more). */
bool tree_read(struct tree_process *out, pid_t pid);

/* The child of top that pid is or descends from; 0: it does not descend from top. */
pid_t tree_branch(pid_t pid, pid_t top);

/* A list that grows; zero it before its first use. */
struct tree_list {
    pid_t *pids; /* owned */
    size_t count, room;
};

void tree_list_deinit(struct tree_list *list);
bool tree_list_add(struct tree_list *list, pid_t pid); /* false: no memory */

/* Replaces the list by the children of pid, or by all that descend from it, however deep; parents
 * come before their children. Some may be missing while processes begin and end: whoever needs all
 * of them looks again until there are none. False: no memory, or no such process. */
bool tree_children(struct tree_list *list, pid_t pid);
bool tree_below(struct tree_list *list, pid_t pid);

/* Appends the numbers of a file, whatever its length; false: it cannot be read, or no memory. */
bool tree_numbers(struct tree_list *list, const char *path);

/* Every process of the machine but this one and the first. */
bool tree_all(struct tree_list *list);

/* Processor time of a process and of all below it, also of those that its own have reaped. */
int64_t tree_cpu_ns(pid_t pid);

/* Reads a file of /proc into out, terminated; its size, -1 when it cannot be read. Long ones are
 * cut. */
ssize_t tree_read_file(char *out, size_t size, const char *path);

#endif
