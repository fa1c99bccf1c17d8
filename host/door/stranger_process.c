/* What talks to strangers gives up what it does not need, before the first byte of theirs. The
 * order is the point: descriptors are closed before anything is opened, and what has to be opened
 * (a secret, a listening socket) is opened before the process is confined, as no file opens then
 * any more. Each step that the kernel lacks is passed over without a word: a system without
 * Landlock or seccomp can play, with one wall less; `bgref doctor` and docs/security.md say which
 * there are.
 *
 * What fails is told in words by the control socket; who starts the program by hand has none, and
 * reads a line.
 *
 * posix_spawn and not fork: the referee may have the store's thread, and between fork and exec
 * of a process with threads only async-signal-safe calls are allowed. The program is
 * /proc/self/exe, so that the process is of the same build as its parent also after an upgrade has
 * replaced the file. */
#define _GNU_SOURCE
#include "stranger_process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sodium.h>

#include "base/exit_status.h"
#include "inside.h"
#include "process/filter.h"
#include "process/descriptors.h"
#include "process/orphans.h"

enum {
    INSTRUCTIONS = 4096,
    FILE_RIGHTS = 13, /* of Landlock's first version */
    LOOK_MS = 10
};

/* ------------------------------------------------------------------ its parent */

/* The process keeps none of our descriptors but its socket and standard error (it closes the others
 * itself), none of our blocked signals, and a process group of its own: signals of the terminal are
 * for the referee. */
static int spawn(pid_t *pid, int socket, int given, const struct stranger_start *start)
{
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
    error =
        posix_spawn(pid, "/proc/self/exe", &files, &attributes, start->words, start->environment);
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

enum bg_status stranger_process_start(pid_t *pid, int *fd, const struct stranger_start *start,
                                      struct bg_error *err)
{
    const char *name = start->words[0];
    int ends[2], socket, copy, error;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", name, strerror(errno));
    }
    socket = copy_above(ends[1]);
    copy = start->given > 0 && socket >= 0 ? copy_above(start->given) : -1;
    error = socket < 0 || (start->given > 0 && copy < 0) ? errno : spawn(pid, socket, copy, start);
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
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", name, strerror(error));
    }
    *fd = ends[0];
    /* The referee ends processes that were orphaned below it; this one is no orphan. */
    orphans_except(*pid);
    return BG_OK;
}

/* Its number is free once it was waited for, so it is not killed then. */
void stranger_process_end(pid_t pid, int patience_ms)
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
    orphans_forget(pid);
}

/* ------------------------------------------------------------------ itself */

/* A connection needs two descriptors in the gateway and one in the doorman, which admits no more
 * than these suffice for. */
static void raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int stranger_process_begin(const char *name, bool is_complete, int first_free)
{
    int type = 0;
    socklen_t size = sizeof type;

    if (!is_complete || getsockopt(INSIDE_FD, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "%s: a part of 'bgref tournament' and 'bgref host', which start it\n",
                name);
        return EXIT_MISUSE;
    }
    /* What the referee had open without O_CLOEXEC is none of a stranger's business. */
    descriptors_close_from(first_free);
    /* A stranger who closes must not end the process. */
    signal(SIGPIPE, SIG_IGN);
    raise_descriptors();
    return sodium_init() < 0 ? stranger_process_fail(EXIT_SURROUNDINGS, "no random numbers")
                             : EXIT_DONE;
}

int stranger_process_fail(int exit_status, const char *why)
{
    inside_send(inside_own(), INSIDE__KIND__FAILED, NULL, 0, why);
    return exit_status;
}

/* Refuses every opening of a file from now on. Without Landlock nothing happens. */
static void close_files(void)
{
    /* A ruleset without one rule: what it handles is refused everywhere. Descriptors that are
     * open stay usable, so everything is opened before. */
    const struct landlock_ruleset_attr all = {.handled_access_fs =
                                                  (UINT64_C(1) << FILE_RIGHTS) - 1};
    long rules = syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);

    if (rules >= 0) {
        (void)syscall(SYS_landlock_restrict_self, (int)rules, 0);
        close((int)rules);
    }
}

static void filter_calls(void)
{
    static struct sock_filter program[INSTRUCTIONS];
    struct sock_fprog filter = {.filter = program};
    ssize_t size;
    int fd;

    /* The bots' filter of system calls, which there is for the processors whose numbers of calls
     * are known. */
    if (!filter_is_known() || filter_open(&fd, NULL) != BG_OK) {
        return;
    }
    size = read(fd, program, sizeof program);
    close(fd);
    if (size > 0 && (size_t)size < sizeof program) {
        filter.len = (unsigned short)((size_t)size / sizeof program[0]);
        (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
    }
}

/* The sanitizer's search for leaks traces the process at its end. */
#ifdef __SANITIZE_ADDRESS__
static const bool is_traced = true;
#else
static const bool is_traced = false;
#endif

void stranger_process_bind(const char *name)
{
    const struct sched_param none = {0};

    /* As bots do: what comes from outside does not interrupt the referee. */
    (void)sched_setscheduler(0, SCHED_BATCH, &none);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_NAME, name, 0, 0, 0); /* not "exe", its path in /proc */
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void stranger_process_confine(const char *name)
{
    const struct rlimit no_core = {0, 0};

    stranger_process_bind(name);
    if (is_traced) {
        return;
    }
    /* No core file, and no other process of the user may look into the memory: the gateway's has
     * the host's secret key. */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    /* The kernel lets a process without privileges confine itself only after this. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        close_files();
        filter_calls();
    }
}
