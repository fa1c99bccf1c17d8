/* fork and not posix_spawn: niceness, a signal mask, PR_SET_PDEATHSIG and an inherited descriptor
 * are set in the child. The host has one thread when it forks, so between fork and exec any call
 * is allowed.
 *
 * Its end is a readable pidfd in the host's loop, not SIGCHLD: a signal would have to find its
 * child, and two that wait are one. */
#define _GNU_SOURCE /* syscall */
#include "event_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event/tournament.h"
#include "base/memory.h"

struct event_child {
    pid_t pid;
    int fd; /* of the process: readable when it has ended */
    struct loop *loop;
    event_child_fn ended;
    void *user;
};

/* ------------------------------------------------------------------ in the child */

static void fail(const char *what)
{
    dprintf(STDERR_FILENO, "bgref host: %s: %s\n", what, strerror(errno));
    _exit(127);
}

/* Undoes what the host has set for itself. The signal that means nothing to a program that does not
 * wait for it would kill the event until it does. */
static void reset_signals(void)
{
    sigset_t blocked;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigemptyset(&blocked);
    sigaddset(&blocked, TOURNAMENT_FINISH);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static void become(const struct event_child_setup *setup, char **words, pid_t host)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    /* O_APPEND: earlier processes of the same instance have written there. O_NONBLOCK: a pipe
     * without a reader fails instead of holding up the start. */
    int log = open(setup->log, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0640);

    if (log < 0 || null < 0) {
        fail(setup->log);
    }
    if (dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0) {
        fail("standard descriptors");
    }
    /* All descriptors of the host are CLOEXEC; this one is to stay. */
    if (setup->lent >= 0 && fcntl(setup->lent, F_SETFD, 0) != 0) {
        fail("the host's door");
    }
    setpgid(0, 0);
    /* The signal comes at the end of the parent from now on, not for one before: hence the
     * question below. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != host) { /* it ended before the line above */
        _exit(127);
    }
    errno = 0;
    /* -1 is also a niceness. An event with a wrong share is played nevertheless. */
    if (setup->nice > 0 && nice(setup->nice) == -1 && errno != 0) {
        dprintf(STDERR_FILENO, "bgref host: nice %d: %s\n", setup->nice, strerror(errno));
    }
    reset_signals();
    execv("/proc/self/exe", words);
    fail("/proc/self/exe");
}

/* ------------------------------------------------------------------ in the host */

static void words_free(char **words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        free(words[i]);
    }
    free(words);
}

/* Returns a copy that exec may take. */
static char **command_words(const struct event_child_setup *setup)
{
    char **words = memory_zeroed((size_t)setup->count + 1, sizeof *words);

    for (int i = 0; i < setup->count; i++) {
        words[i] = memory_text(setup->words[i]);
    }
    return words;
}

static void on_end(void *user)
{
    struct event_child *child = user;
    int state = 0;
    pid_t ended = waitpid(child->pid, &state, WNOHANG);

    /* The loop may call for a descriptor that was readable before. */
    if (ended != child->pid) {
        return;
    }
    loop_unwatch(child->loop, child->fd);
    close(child->fd);
    child->fd = -1;
    child->pid = 0;
    /* Last: it closes the child. */
    child->ended(child->user, child, state);
}

/* Watches the process by a descriptor, which Linux has since 5.3. */
static enum bg_status watch_child(struct event_child *child, struct bg_error *err)
{
    child->fd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    if (child->fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "pidfd_open: %s", strerror(errno));
    }
    return loop_watch(child->loop, child->fd, on_end, child, err);
}

enum bg_status event_child_start(struct event_child **out, const struct event_child_setup *setup,
                                 struct loop *loop, event_child_fn ended, void *user,
                                 struct bg_error *err)
{
    struct event_child *child = memory_zeroed(1, sizeof *child);
    char **words = command_words(setup);
    pid_t host = getpid();
    enum bg_status status = BG_OK;

    *child = (struct event_child){.fd = -1, .loop = loop, .ended = ended, .user = user};
    /* What stands in stdio's buffers would be printed by both processes. */
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        become(setup, words, host);
    }
    if (child->pid < 0) {
        child->pid = 0;
        status = bg_error_set(err, BG_E_SYSTEM, "fork: %s", strerror(errno));
        goto done;
    }
    setpgid(child->pid, child->pid); /* whichever of the two is first */
    status = watch_child(child, err);
    if (status == BG_OK) {
        *out = child;
        child = NULL;
    }
done:
    event_child_close(child);
    words_free(words);
    return status;
}

void event_child_close(struct event_child *child)
{
    if (child == NULL) {
        return;
    }
    if (child->fd >= 0) {
        loop_unwatch(child->loop, child->fd);
        close(child->fd);
    }
    if (child->pid > 0) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    free(child);
}

pid_t event_child_pid(const struct event_child *child)
{
    return child->pid;
}

void event_child_signal(const struct event_child *child, int number)
{
    if (child->pid > 0) {
        kill(child->pid, number);
    }
}

void event_child_end(const struct event_child *child, enum tournament_end why)
{
    if (child->pid > 0) {
        /* The reason travels with the signal, as the event tells it to its bots. */
        (void)sigqueue(child->pid, SIGTERM, (union sigval){.sival_int = (int)why});
    }
}
