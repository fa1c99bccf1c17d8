/* listen_fds.h - sockets that the service manager has opened for us (sd_listen_fds(3)): they are
 * there before the program starts and stay when it is started again, so those who connect wait
 * instead of being refused.
 */
#ifndef REFEREE_LOOP_LISTEN_FDS_H
#define REFEREE_LOOP_LISTEN_FDS_H

#include <bgref/error.h>

enum { LISTEN_FDS_MOST = 16, LISTEN_FDS_NAME = 64, LISTEN_FDS_FIRST = 3 };

struct listen_fd {
    int fd;                     /* the receiver's; close it */
    char name[LISTEN_FDS_NAME]; /* FileDescriptorName= of the socket unit; "unknown" */
};

/* Takes LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES out of the environment. The descriptors will not
 * survive exec. *count is 0 if they are another process's, or there are none. Call it before the
 * program opens descriptors of its own. BG_E_ARGUMENT: the variables are wrong, or there are more
 * than LISTEN_FDS_MOST; BG_E_SYSTEM: a descriptor is not open. */
enum bg_status listen_fds_take(struct listen_fd out[LISTEN_FDS_MOST], int *count,
                               struct bg_error *err);

/* BG_E_ARGUMENT: it is not a stream socket that listens; the message has its name. */
enum bg_status listen_fds_check(const struct listen_fd *socket, struct bg_error *err);

#endif
