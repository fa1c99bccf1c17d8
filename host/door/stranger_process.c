/* What talks to strangers gives up what it does not need, before the first byte of theirs. The
 * order is the point: descriptors are closed before anything is opened, and what has to be opened
 * (a secret, a listening socket) is opened before the process is confined, as no file opens then
 * any more. Each step that the kernel lacks is passed over without a word: a system without
 * Landlock or seccomp can play, with one wall less; `bgref doctor` and docs/security.md say which
 * there are.
 *
 * What fails is told in words by the control socket; who starts the program by hand has none, and
 * reads a line. */
#define _GNU_SOURCE
#include "stranger_process.h"

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sodium.h>

#include "base/exit_status.h"
#include "inside.h"
#include "process/filter.h"
#include "process/descriptors.h"

enum { INSTRUCTIONS = 4096, FILE_RIGHTS = 13 /* of Landlock's first version */ };

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

void stranger_process_confine(const char *name)
{
    const struct rlimit no_core = {0, 0};
    const struct sched_param none = {0};

    /* As bots do: what comes from outside does not interrupt the referee. */
    (void)sched_setscheduler(0, SCHED_BATCH, &none);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_NAME, name, 0, 0, 0); /* not "exe", its path in /proc */
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
