/* The descriptors 1 and 2 are replaced, and stdio stays on them: printf, log lines, and
 * everything that is started below write to the same file without knowing of it. */
#include "host_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_FREE = 3 };

/* Keeps what there was, once: for messages after the end. */
static bool keep_old(struct host_log *log)
{
    if (log->out == 0) {
        log->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE);
        log->error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE);
    }
    return log->out > 0 && log->error > 0;
}

void host_log_close(struct host_log *log)
{
    fflush(NULL);
    if (log->out > 0) { /* a full disk below the log is no failure of the host */
        /* What could not be written would fail again at exit, and its status would hide the
         * host's. */
        __fpurge(stdout);
        clearerr(stdout);
        (void)dup2(log->out, STDOUT_FILENO);
        close(log->out);
    }
    if (log->error > 0) {
        (void)dup2(log->error, STDERR_FILENO);
        close(log->error);
    }
    *log = (struct host_log){.out = 0};
}

enum bg_status host_log_open(struct host_log *log, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int fd;

    if (path[0] == '\0') {
        host_log_close(log);
        return BG_OK;
    }
    /* not blocking: a pipe without a reader fails instead of holding up the host */
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
    fflush(NULL);
    if (fd < 0 || !keep_old(log) || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "log %s: %s%s", path, strerror(errno),
                              errno == ENOENT ? "; make its folder first" : "");
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}
