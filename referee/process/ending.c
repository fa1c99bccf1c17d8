#define _GNU_SOURCE /* pidfd_open, pipe2 */
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

struct ending {
    int fd;
};

/* What the waiting thread owns. */
struct waiter {
    pid_t pid;
    int fd; /* closed when the child has ended: its other end is then readable */
};

static void *wait_for_end(void *user)
{
    struct waiter *waiter = user;
    siginfo_t info;

    /* The child is left to whom it belongs; if that was quicker, there is none any more. */
    while (waitid(P_PID, (id_t)waiter->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    close(waiter->fd);
    free(waiter);
    return NULL;
}

/* Detached, for it may outlast us: a child in uninterruptible sleep does not end even when killed.
 * No signal is handled there. */
static int start_thread(struct waiter *waiter)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    int failed = pthread_attr_init(&attributes);

    if (failed != 0) {
        return failed;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (failed == 0) {
        failed = pthread_create(&thread, &attributes, wait_for_end, waiter);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

static enum bg_status wait_by_thread(int *out, pid_t pid, struct bg_error *err)
{
    struct waiter *waiter = malloc(sizeof *waiter);
    int ends[2];
    int failed;

    if (waiter == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "waiting for a process");
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(waiter);
        return bg_error_set(err, BG_E_SYSTEM, "pipe: %s", strerror(errno));
    }
    *waiter = (struct waiter){pid, ends[1]};
    failed = start_thread(waiter);
    if (failed != 0) {
        close(ends[0]);
        close(ends[1]);
        free(waiter);
        return bg_error_set(err, BG_E_SYSTEM, "thread: %s", strerror(failed));
    }
    *out = ends[0];
    return BG_OK;
}

enum bg_status ending_open(struct ending **out, pid_t pid, struct bg_error *err)
{
    struct ending *ending = malloc(sizeof *ending);
    enum bg_status status = BG_OK;

    if (ending == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "waiting for a process");
    }
    ending->fd = pidfd_open(pid, 0);
    if (ending->fd < 0 && errno == ENOSYS) {
        status = wait_by_thread(&ending->fd, pid, err);
    } else if (ending->fd < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "pidfd: %s", strerror(errno));
    }
    if (status != BG_OK) {
        free(ending);
        return status;
    }
    *out = ending;
    return BG_OK;
}

void ending_close(struct ending *ending)
{
    if (ending != NULL) {
        close(ending->fd);
        free(ending);
    }
}

int ending_fd(const struct ending *ending)
{
    return ending->fd;
}
