/* sandbox.h - what a bot may see and do, by bubblewrap (bwrap) and seccomp.
 *
 * It has its own namespaces for users, processes, mounts, network, IPC, host name and cgroups; no
 * capability, even as root; its own session without a terminal. It sees the files in view.h
 * (read-only), the referee's socket, and its own /proc and /dev (read-only). It may write to /tmp,
 * which is its HOME, /var/tmp and /dev/shm, each of a limited size. filter.h lists the system calls
 * that fail. At most 512 processes and threads (no limit for root). When the referee ends, bwrap
 * ends, and with it everything inside.
 */
#ifndef REFEREE_PROCESS_SANDBOX_H
#define REFEREE_PROCESS_SANDBOX_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SANDBOX_FILTER_FD = 4,  /* where bwrap finds the filter of system calls */
    SANDBOX_FILES_MB = 256, /* size of each of /tmp, /var/tmp and /dev/shm without a memory limit */
    SANDBOX_PROCESSES_MAX =
        512 /* with threads: enough for every engine, but it stops a fork bomb */
};

/* Tests a sandbox; why (may be NULL) gets the reason why it fails, or "". */
bool sandbox_works(char *why, size_t size);

/* Returns the confinement's name in records: "bwrap+seccomp", or "bwrap" if the kernel has no
 * seccomp. */
const char *sandbox_name(void);

struct sandbox {
    char *const *words;    /* the command, split */
    const char *dir;       /* where it runs, "" the current folder */
    const char *endpoint;  /* ipc://FOLDER/bots */
    const char *hidden;    /* the file of the results, whose folder must not be seen; "" none */
    const char *folder;    /* a folder outside that it may also write to; NULL none */
    const char *also[2];   /* further folders that it sees; NULL none */
    uint64_t memory_bytes; /* most that each of them may hold; 0: SANDBOX_FILES_MB */
};

struct sandbox_command {
    char **words;  /* ended by NULL; one block, for free() */
    int filter_fd; /* to be SANDBOX_FILTER_FD of the new process; -1 none; for close() */
};

/* Makes the command that runs words confined. BG_E_START: as for view_add; BG_E_SYSTEM. */
enum bg_status sandbox_wrap(struct sandbox_command *out, const struct sandbox *sandbox,
                            struct bg_error *err);

#endif
