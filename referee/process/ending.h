/* ending.h - a descriptor that tells when a child process has ended.
 *
 * A pidfd where the system has one (Linux 5.3). On older kernels, and under tools that do not know
 * the call (valgrind 3.19), a thread that does nothing but wait for the child.
 */
#ifndef PROCESS_ENDING_H
#define PROCESS_ENDING_H

#include <bgref/error.h>

#include <sys/types.h>

struct ending;

/* pid is a child of ours that nobody has reaped yet. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status ending_open(struct ending **out, pid_t pid, struct bg_error *err);

/* Never waits; NULL is fine. The child may still run. */
void ending_close(struct ending *ending);

/* Readable when the child has ended, reaped or not. */
int ending_fd(const struct ending *ending);

#endif
