/* The variables survive every exec between the manager and us, so they may be meant for another
 * process: LISTEN_PID decides. The descriptors come open over exec and would stay so: each is
 * closed for what we start, since a bot must not have the host's socket. */
#define _GNU_SOURCE
#include "listen_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool read_number(long *out, const char *text)
{
    char *end;

    errno = 0;
    *out = text == NULL ? -1 : strtol(text, &end, 10);
    return text != NULL && *text != '\0' && *end == '\0' && errno == 0 && *out >= 0;
}

/* Copies the name at `at` of NAME:NAME..., and returns the next one's place. */
static const char *take_name(char out[LISTEN_FDS_NAME], const char *at)
{
    size_t length = at == NULL ? 0 : strcspn(at, ":");

    snprintf(out, LISTEN_FDS_NAME, "%.*s", length == 0 ? 7 : (int)length,
             length == 0 ? "unknown" : at);
    return at == NULL || at[length] == '\0' ? NULL : at + length + 1;
}

static enum bg_status take(struct listen_fd out[LISTEN_FDS_MOST], int count, const char *names,
                           struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        out[i].fd = LISTEN_FDS_FIRST + i;
        names = take_name(out[i].name, names);
        if (fcntl(out[i].fd, F_SETFD, FD_CLOEXEC) != 0) {
            return bg_error_set(err, BG_E_SYSTEM, "socket %d (%s) of the service manager: %s", i,
                                out[i].name, strerror(errno));
        }
    }
    return BG_OK;
}

enum bg_status listen_fds_take(struct listen_fd out[LISTEN_FDS_MOST], int *count,
                               struct bg_error *err)
{
    const char *pid_text = getenv("LISTEN_PID"), *count_text = getenv("LISTEN_FDS");
    enum bg_status status = BG_OK;
    long pid, number;

    *count = 0;
    if (pid_text == NULL || count_text == NULL) {
        goto done;
    }
    if (!read_number(&pid, pid_text) || !read_number(&number, count_text)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "LISTEN_PID='%.20s' LISTEN_FDS='%.20s': not two numbers", pid_text,
                              count_text);
        goto done;
    }
    if (pid != getpid()) {
        goto done;
    }
    if (number > LISTEN_FDS_MOST) {
        status = bg_error_set(err, BG_E_ARGUMENT, "LISTEN_FDS=%ld: at most %d sockets", number,
                              LISTEN_FDS_MOST);
        goto done;
    }
    status = take(out, (int)number, getenv("LISTEN_FDNAMES"), err);
    *count = status == BG_OK ? (int)number : 0;
done:
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return status;
}

enum bg_status listen_fds_check(const struct listen_fd *socket, struct bg_error *err)
{
    int value = 0;
    socklen_t size = sizeof value;

    if (getsockopt(socket->fd, SOL_SOCKET, SO_TYPE, &value, &size) != 0 || value != SOCK_STREAM ||
        getsockopt(socket->fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) != 0 || value != 1) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager's socket '%s' does not accept connections; its "
                            "unit needs ListenStream= and Accept=no",
                            socket->name);
    }
    return BG_OK;
}
