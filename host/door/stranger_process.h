/* stranger_process.h - how the gateway and the doorman begin, and what they give up before they
 * talk to strangers.
 *
 *     exit_status = stranger_process_begin(argv[0], argc == 3, INSIDE_FD + 1);
 *     ... open what is needed ...
 *     stranger_process_confine(argv[0]);
 */
#ifndef HOST_DOOR_STRANGER_PROCESS_H
#define HOST_DOOR_STRANGER_PROCESS_H

#include <stdbool.h>

/* is_complete: it has all its arguments. Descriptors from first_free on are closed; INSIDE_FD is
 * the referee. Returns EXIT_DONE, or the exit status, and why was told. */
int stranger_process_begin(const char *name, bool is_complete, int first_free);
/* Tells the referee why the process ends, and returns its exit status. */
int stranger_process_fail(int exit_status, const char *why);

/* Ends this process with its parent, and names it. No core dump, no debugger of the same user, no
 * new rights, no file (Landlock, where the kernel has it), no system call that a confined bot could
 * not make (process/filter.h). Call while the process has one thread. */
void stranger_process_confine(const char *name);

#endif
