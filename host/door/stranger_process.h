/* stranger_process.h - how processes that talk to strangers (the gateway, the doorman, the gallery)
 * are started and ended, how they begin, and what they give up before they do.
 *
 *     exit_status = stranger_process_begin(argv[0], argc == 3, INSIDE_FD + 1);
 *     ... open what is needed ...
 *     stranger_process_confine(argv[0]);
 */
#ifndef HOST_DOOR_STRANGER_PROCESS_H
#define HOST_DOOR_STRANGER_PROCESS_H

#include <bgref/error.h>

#include <stdbool.h>
#include <sys/types.h>

/* How it is started. All is lent. */
struct stranger_start {
    char **words; /* its arguments with its name, NULL at the end */
    char *const *environment;
    int given; /* a descriptor that it inherits as number INSIDE_FD + 1; 0: none */
};

/* Starts this program again, with a socket to it in *fd. BG_E_SYSTEM. */
enum bg_status stranger_process_start(pid_t *pid, int *fd, const struct stranger_start *start,
                                      struct bg_error *err);
/* Waits until it has ended, which its closed socket asks of it; kills it after patience_ms. */
void stranger_process_end(pid_t pid, int patience_ms);

/* is_complete: it has all its arguments. Descriptors from first_free on are closed; INSIDE_FD is
 * the referee. Returns EXIT_DONE, or the exit status, and why was told. */
int stranger_process_begin(const char *name, bool is_complete, int first_free);
/* Tells the referee why the process ends, and returns its exit status. */
int stranger_process_fail(int exit_status, const char *why);

/* Ends this process with its parent, and names it; no new rights. */
void stranger_process_bind(const char *name);
/* The same; besides no core dump, no debugger of the same user, no
 * new rights, no file (Landlock, where the kernel has it), no system call that a confined bot could
 * not make (process/filter.h). Call while the process has one thread. */
void stranger_process_confine(const char *name);

#endif
