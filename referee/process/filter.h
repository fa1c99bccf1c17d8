/* filter.h - the system calls that a confined bot may not make (seccomp).
 *
 * A mount namespace hides files, but not the kernel. The filter refuses
 * - calls that could widen a sandbox: namespaces, mounts, ptrace, modules, bpf, io_uring, sockets
 * other than AF_UNIX, AF_INET, AF_INET6 and netlink's routes, typing into a terminal (TIOCSTI);
 * - calls that reach what other processes of the user have: keyrings, their memory, and leases,
 * which hold up everybody who opens the file;
 * - the kernel's log, and every call that is newer than this filter (ENOSYS).
 * Calls fail with an errno; nothing is killed.
 * It does not keep two bots from signalling to each other: they share the machine. No game of
 * strangers has dice that a process has seen before (fixtures/trust.h), so there is nothing to
 * signal.
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
