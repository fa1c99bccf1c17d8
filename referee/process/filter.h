/* filter.h - the system calls that a confined bot may not make (seccomp).
 *
 * A mount namespace hides files, but not the kernel. The filter refuses
 * - calls that could widen a sandbox: namespaces, mounts, ptrace, modules, bpf, io_uring, sockets
 * other than AF_UNIX, AF_INET, AF_INET6 and netlink's routes, typing into a terminal (TIOCSTI);
 * - calls by which two sandboxes could communicate through a read-only file: locks, leases,
 * inotify, fanotify, dnotify, write hints, questions about the page cache;
 * - keyrings, the kernel's log, and every call that is newer than this filter (ENOSYS).
 * Calls fail with an errno; nothing is killed. Setting a lock succeeds without effect: programs
 * that lock their own files (SQLite) run, and no other process sees the lock.
 */
#ifndef REFEREE_PROCESS_FILTER_H
#define REFEREE_PROCESS_FILTER_H

#include <bgref/error.h>

#include <stdbool.h>

/* Returns true if the running kernel has what the filter needs. */
bool filter_is_known(void);

/* Opens a descriptor with the filter as bwrap --seccomp reads it, at its start; the caller closes
 * it. BG_E_SYSTEM: no memory, or no descriptor. */
enum bg_status filter_open(int *fd, struct bg_error *err);

#endif
