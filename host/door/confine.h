/* confine.h - what the gateway and the doorman give up before they talk to strangers. */
#ifndef HOST_DOOR_CONFINE_H
#define HOST_DOOR_CONFINE_H

/* Ends this process with its parent, and names it. No core dump, no debugger of the same user, no
 * new rights, no file (Landlock, where the kernel has it), no system call that a confined bot could
 * not make (process/filter.h). Call while the process has one thread. */
void confine_child(const char *name);

#endif
