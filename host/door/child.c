/* posix_spawn and not fork: the referee may have the store's thread, and between fork and exec
 * of a process with threads only async-signal-safe calls are allowed. The program is
 * /proc/self/exe, so that the two processes are of the same build as their referee also after an
 * upgrade has replaced the file. They get an empty environment: nothing of the operator's
 * reaches what talks to strangers. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"
#include "process/orphans.h"

enum { LOOK_MS = 10 };

/* The process keeps none of our descriptors but its socket and standard error (it closes the others
 * itself), none of our blocked signals, and a process group of its own: signals of the terminal are
 * for the referee. */
static int spawn(pid_t *pid, int socket, int given, char **words)
{
    static char *const environment[] = {NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    /* The loop reads signals from a descriptor and has blocked them; exec keeps a mask. */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, socket, INSIDE_FD);
    if (given >= 0) {
        posix_spawn_file_actions_adddup2(&files, given, INSIDE_FD + 1);
    }
    /* Everything above is an instruction for the new process, carried out in this order; the
     * caller's own descriptors stay as they are. */
    error = posix_spawn(pid, "/proc/self/exe", &files, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* A copy whose number is none of those that the process gets: dup2 to the same number would leave
 * it to be closed at exec, and one dup2 could close what the next one needs. */
static int copy_above(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, INSIDE_FD + 2);
}

enum bg_status child_start(struct child *child, char **words, int given, struct bg_error *err)
{
    int ends[2], socket, copy, error;
    pid_t pid = 0;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", words[0], strerror(errno));
    }
    socket = copy_above(ends[1]);
    copy = given > 0 && socket >= 0 ? copy_above(given) : -1;
    error = socket < 0 || (given > 0 && copy < 0) ? errno : spawn(&pid, socket, copy, words);
    if (copy >= 0) {
        close(copy);
    }
    /* In any case: while a copy of the other end is open here, its end would never be seen. */
    close(ends[1]);
    if (socket >= 0) {
        close(socket);
    }
    if (error != 0) {
        close(ends[0]);
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", words[0], strerror(error));
    }
    *child = (struct child){pid, ends[0]};
    /* The referee ends processes that were orphaned below it; this one is no orphan. */
    orphans_except(pid);
    return BG_OK;
}

/* Ends the process if it has not ended within patience_ms. Its number is free once it was waited
 * for, so it is not killed then. */
static void reap(pid_t pid, int patience_ms)
{
    pid_t ended = waitpid(pid, NULL, WNOHANG);

    for (int waited_ms = 0; ended == 0 && waited_ms < patience_ms; waited_ms += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
        ended = waitpid(pid, NULL, WNOHANG);
    }
    if (ended == 0) {
        /* No grace by SIGTERM before: the closed socket was the request to end. */
        kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
    }
}

void child_end(struct child *child, int patience_ms)
{
    if (child->fd >= 0) {
        close(child->fd);
    }
    if (child->pid > 0) {
        reap(child->pid, patience_ms);
        orphans_forget(child->pid);
    }
    *child = (struct child){.fd = -1};
}
