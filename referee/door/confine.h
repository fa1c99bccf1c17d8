/* confine.h - what the gateway gives up before it talks to strangers. */
#ifndef REFEREE_DOOR_CONFINE_H
#define REFEREE_DOOR_CONFINE_H

/* Ends this process with its parent. No core dump, no debugger of the same user, no new rights, no
 * file (Landlock, where the kernel has it), no system call that a confined bot could not make
 * (process/filter.h). Call while the process has one thread. */
void confine_gateway(void);

#endif
