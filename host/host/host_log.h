/* host_log.h - standard output and error of a host, in a file that can be rotated.
 *
 * Programs that rotate logs rename the file and send SIGHUP: the file is opened anew then.
 */
#ifndef HOST_HOST_HOST_LOG_H
#define HOST_HOST_HOST_LOG_H

#include <bgref/error.h>

struct host_log {
    int out, error; /* what standard output and error were before; 0: they still are */
};

/* Writes to this file from now on, which is made if it is not there; path "": to where it was
 * before. BG_E_SYSTEM: nothing has changed. */
enum bg_status host_log_open(struct host_log *log, const char *path, struct bg_error *err);
/* To where it was before. */
void host_log_close(struct host_log *log);

#endif
