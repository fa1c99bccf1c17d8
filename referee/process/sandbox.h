/* sandbox.h - what a bot may see, by bubblewrap (bwrap).
 *
 * The system read-only, the folder of its program and of the files that its command names
 * read-only, the socket, a private /tmp; no network, no other process, user and process namespaces
 * of its own, at most 512 processes and threads in it (root's are not held). When bwrap ends, which
 * it does with the referee, everything inside ends.
 */
#ifndef PROCESS_SANDBOX_H
#define PROCESS_SANDBOX_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

/* Tries a sandbox; why (may be NULL) gets what stands in the way, or the version. */
bool sandbox_works(char *why, size_t size);

struct sandbox {
    char *const *words;   /* the command, split */
    const char *dir;      /* where it runs, "" the current folder */
    const char *endpoint; /* ipc://FOLDER/bots */
    const char *hidden;   /* a folder that must not be seen (results and key); "" none */
};

/* The command that runs words confined, ended by NULL; one block, for free(). BG_E_START: the
 * hidden folder holds what the bot needs; BG_E_MEMORY. */
enum bg_status sandbox_wrap(char ***out, const struct sandbox *sandbox, struct bg_error *err);

#endif
