/* child.h - a process of the door: this program under another name, with a socket to us. */
#ifndef HOST_DOOR_CHILD_H
#define HOST_DOOR_CHILD_H

#include <bgref/error.h>

#include <sys/types.h>

struct child {
    pid_t pid; /* 0: none */
    int fd;    /* to it; -1: none */
};

/* Starts it. words: its arguments with its name, NULL at the end. given: a descriptor that it
 * inherits as number INSIDE_FD + 1; 0: none. BG_E_SYSTEM: child is as before. */
enum bg_status child_start(struct child *child, char **words, int given, struct bg_error *err);

/* Closes the socket, which ends the process; kills it after patience_ms. */
void child_end(struct child *child, int patience_ms);

#endif
