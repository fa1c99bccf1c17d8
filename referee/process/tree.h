/* tree.h - the machine's processes as a tree, read from /proc.
 *
 * A process belongs to the bot that it descends from: it can leave its group and its session, but
 * not its parent. When the parent ends, the next ancestor that collects orphans (a subreaper, or
 * the first process of a pid namespace) takes its place. Used by the referee and its keepers, so it
 * needs the C library only.
 */
#ifndef REFEREE_PROCESS_TREE_H
#define REFEREE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The content of /proc/PID/stat. */
struct tree_process {
    pid_t pid, parent, session;
    char state;       /* 'Z': ended, not yet reaped */
    uint64_t started; /* in clock ticks since the machine started: with pid, names one process */
    int64_t children_cpu_ns; /* processor time of the children that were reaped */
};

/* Returns false if /proc is not mounted, or shows the processes of another namespace: TREE_UNSEEN
 * says so, with the remedy. */
bool tree_is_visible(void);

#define TREE_UNSEEN "/proc does not show this process; mount it: mount -t proc proc /proc"

/* Returns false if the process does not exist, or has ended. */
bool tree_read(struct tree_process *out, pid_t pid);

/* Returns top's child that pid is or descends from; 0: pid does not descend from top. */
pid_t tree_branch(pid_t pid, pid_t top);

/* A list that grows; zero it before its first use. */
struct tree_list {
    pid_t *pids; /* owned */
    size_t count, room;
};

void tree_list_deinit(struct tree_list *list);
bool tree_list_add(struct tree_list *list, pid_t pid); /* false: no memory */

/* Replaces the list by pid's children, or by all its descendants; parents come before their
 * children. Some may be missing while processes begin and end: a caller that needs all repeats the
 * call until there are none. False: no memory, or no such process. */
bool tree_children(struct tree_list *list, pid_t pid);
bool tree_below(struct tree_list *list, pid_t pid);

/* Appends the numbers in a file of any length. False: unreadable, or no memory. */
bool tree_numbers(struct tree_list *list, const char *path);

/* Lists every process of the machine except this one and the first. */
bool tree_all(struct tree_list *list);

/* Returns the processor time of a process itself; 0: it is gone. */
int64_t tree_own_cpu_ns(pid_t pid);
/* Returns the processor time of a process and of the children that it has reaped. */
int64_t tree_process_cpu_ns(pid_t pid);
/* Returns the processor time of a process and its descendants, also of those that they have
 * reaped. */
int64_t tree_cpu_ns(pid_t pid);

/* Reads a file of /proc into out, terminated; returns its size, -1 if it is unreadable. Longer
 * files are cut. */
ssize_t tree_read_file(char *out, size_t size, const char *path);

#endif
