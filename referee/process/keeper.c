/* keeper.c - the program that every bot runs under; see keeper.h.
 *
 * A program of its own and not a process of the referee's: it stays when the referee is killed,
 * and it takes 1 MB, once for each bot. It links the C library only, so nothing of a library
 * runs in it that starts threads or catches signals. The order at the end: kill, reap, look
 * again, until waitid() says that there is no child left; only then does it exit, because its
 * exit is what tells the referee that nothing of the bot is left. */
#define _GNU_SOURCE /* execvpe, ppoll, SCHED_BATCH, signalfd, unshare */
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "memory.h"
#include "tree.h"

#define MS_NS       INT64_C(1000000)
#define LOOK_NS     (100 * MS_NS)  /* shortest time between two memory checks ... */
#define LOOK_MAX_NS (2000 * MS_NS) /* ... and longest; */
#define LOOK_SHARE  300            /* otherwise this many times the duration of the last check */
#define AGAIN_NS    (2 * MS_NS)    /* pause between two tries to kill what is left */
#define GROUP_TRIES 500 /* attempts to remove the group; after that a later referee does it */

struct keeper {
    const char *folder;
    int nice;
    uint64_t limit;  /* bytes; 0: none, or it was exceeded */
    pid_t bot;       /* its first process; 0: ended */
    int children_fd; /* signalfd of SIGCHLD */
    bool has_filter; /* KEEPER_FILTER is open: the program confines the bot */
    bool ending;
    int64_t look_ns; /* time of the next memory check */
    struct tree_list list;
    struct cgroup group;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Sends a report. A failure is ignored: a referee that does not read is about to end the keeper. */
static void report(const struct keeper_report *news)
{
    ssize_t sent = send(KEEPER_SOCKET, news, sizeof *news, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)sent;
}

/* ---- the bot's start ---- */

/* Takes the environment for the bot and removes the token from our own /proc entry: another
 * referee's sweep looks for bots, and must not end a keeper before its bot. */
static char **take_environment(void)
{
    size_t count = 0;
    char **copy;

    while (environ[count] != NULL) {
        count++;
    }
    copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = strdup(environ[i]);
        memset(environ[i], 0, strlen(environ[i]));
    }
    environ = copy == NULL ? environ : copy; /* execvp reads PATH from it */
    return copy;
}

static void child_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &plain, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void child_fail(int fd, enum keeper_stage stage)
{
    struct keeper_report failure = {.news = KEEPER_FAILED, .stage = stage, .error = errno};
    ssize_t written = write(fd, &failure, sizeof failure);

    (void)written;
    _exit(127);
}

/* A batch process that wakes up does not take the core from the program that runs there. So the
 * referee, which wakes a bot with each message, handles all that is ready before the bots go on: it
 * loses its core half as often. The bot's share of the processor stays the same. A failure only
 * costs speed. */
static void be_a_batch_process(void)
{
    const struct sched_param none = {.sched_priority = 0};

    if (sched_getscheduler(0) == SCHED_OTHER) {
        (void)sched_setscheduler(0, SCHED_BATCH, &none);
    }
}

/* The devices that bwrap shows. It keeps the mount flags of its source; its own read-only option
 * would also forbid the use of devices. */
static const char *const nodes[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                    "/dev/random", "/dev/urandom", "/dev/tty"};

/* For a root process that is about to run a sandbox: makes read-only mounts of /dev/null and
 * similar devices. They work as before, but a bot, which is root there, too, cannot change their
 * mode or times, which are the host's. Only root needs this, since another user may not change
 * these files. The mounts are made slaves first: what is mounted here would else appear in the
 * namespace of the whole system. */
static void hold_devices(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        if (mount(nodes[i], nodes[i], NULL, MS_BIND, NULL) == 0) {
            mount(NULL, nodes[i], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID, NULL);
        }
    }
}

/* May share the keeper's memory until exec (vfork): must not allocate or change the keeper's
 * data. */
static void child_run(const struct keeper *keeper, char **words, char **env, pid_t parent, int fd)
{
    setsid(); /* no controlling terminal, so it cannot type into one */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        child_fail(fd, KEEPER_SETUP);
    }
    /* The keeper may have ended before that call, and then no signal comes any more. */
    if (getppid() != parent) {
        _exit(127);
    }
    if (keeper->nice > 0 && setpriority(PRIO_PROCESS, 0, keeper->nice) != 0) {
        child_fail(fd, KEEPER_SETUP);
    }
    be_a_batch_process();
    cgroup_enter(&keeper->group);
    if (keeper->folder[0] != '\0' && chdir(keeper->folder) != 0) {
        child_fail(fd, KEEPER_FOLDER);
    }
    if (keeper->has_filter) {
        hold_devices();
    }
    child_signals();
    execvpe(words[0], words, env);
    child_fail(fd, KEEPER_PROGRAM);
}

/* Starts the bot and reports the outcome. */
static bool start_bot(struct keeper *keeper, char **own, char **env)
{
    struct keeper_report outcome = {.news = KEEPER_STARTED};
    pid_t parent = getpid(), pid;
    int ends[2];
    ssize_t size;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        outcome =
            (struct keeper_report){.news = KEEPER_FAILED, .stage = KEEPER_SETUP, .error = errno};
        report(&outcome);
        return false;
    }
    cgroup_make(&keeper->group, own[4]);
    cgroup_make_charged(&keeper->group, keeper->limit > 0 ? own[5] : "");
    pid = cgroup_fork(&keeper->group);
    if (pid < 0) {
        pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
    }
    if (pid == 0) {
        child_run(keeper, own + KEEPER_WORDS, env, parent, ends[1]);
    }
    outcome.pid = pid;
    if (pid < 0) {
        outcome =
            (struct keeper_report){.news = KEEPER_FAILED, .stage = KEEPER_SETUP, .error = errno};
    }
    close(ends[1]);
    do {
        size = pid < 0 ? 0 : read(ends[0], &outcome, sizeof outcome);
    } while (size < 0 && errno == EINTR);
    close(ends[0]);
    keeper->bot = pid < 0 ? 0 : pid;
    if (outcome.news == KEEPER_FAILED && pid > 0) {
        waitpid(pid, NULL, 0);
        keeper->bot = 0;
    }
    report(&outcome);
    return outcome.news == KEEPER_STARTED;
}

/* ---- while it runs ---- */

/* Reaps every child that has ended. Kills the first process's group before it is reaped: until then
 * the group id cannot be reused. */
static void reap(struct keeper *keeper)
{
    for (;;) {
        siginfo_t info = {.si_pid = 0};

        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
            return;
        }
        if (info.si_pid == keeper->bot) {
            struct keeper_report news = {
                .news = KEEPER_ENDED, .code = info.si_code, .status = info.si_status};

            kill(-keeper->bot, SIGKILL);
            keeper->bot = 0;
            keeper->ending = true;
            report(&news);
        }
        waitpid(info.si_pid, NULL, 0);
    }
}

static void take_orders(struct keeper *keeper)
{
    struct keeper_order order;
    ssize_t size = recv(KEEPER_SOCKET, &order, sizeof order, MSG_DONTWAIT);

    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (size != (ssize_t)sizeof order || order.signal == SIGKILL) {
        keeper->ending = true; /* the referee has closed its end, is gone, or orders the end */
    } else if (keeper->bot > 0) {
        kill(-keeper->bot, order.signal);
    }
}

/* By the kernel, in the bot's group; false: it does not. */
static bool counted(uint64_t *held, const struct keeper *keeper)
{
    const struct cgroup *group = &keeper->group;

    return (group->charged_fd >= 0 &&
            cgroup_charged(held, group->charged, keeper->limit, &keeper->list)) ||
           (group->fd >= 0 && cgroup_memory(held, group->path, &keeper->list));
}

static void look(struct keeper *keeper, int64_t begun_ns)
{
    int64_t rest_ns = LOOK_NS;
    uint64_t held = 0;

    if (tree_below(&keeper->list, getpid()) && !counted(&held, keeper)) {
        held = memory_held(keeper->list.pids, keeper->list.count, keeper->limit);
    }
    if (held > keeper->limit) {
        struct keeper_report news = {.news = KEEPER_OVER, .bytes = held};

        keeper->limit = 0;
        report(&news);
    }
    if ((now_ns() - begun_ns) * LOOK_SHARE > rest_ns) {
        rest_ns = (now_ns() - begun_ns) * LOOK_SHARE;
    }
    keeper->look_ns = begun_ns + (rest_ns < LOOK_MAX_NS ? rest_ns : LOOK_MAX_NS);
}

/* Waits for the end of a child, an order, or wait_ns; < 0: no limit. */
static void pause_for(const struct keeper *keeper, int64_t wait_ns, bool orders)
{
    struct pollfd fds[] = {{.fd = keeper->children_fd, .events = POLLIN},
                           {.fd = orders ? KEEPER_SOCKET : -1, .events = POLLIN}};
    struct timespec wait = {.tv_sec = wait_ns / 1000000000, .tv_nsec = wait_ns % 1000000000};
    struct signalfd_siginfo info;
    ssize_t size;

    ppoll(fds, 2, wait_ns < 0 ? NULL : &wait, NULL);
    size = read(keeper->children_fd, &info, sizeof info); /* one signal may stand for several */
    (void)size;
}

static void keep_watch(struct keeper *keeper)
{
    while (!keeper->ending) {
        int64_t now = now_ns();

        if (keeper->limit > 0 && now >= keeper->look_ns) {
            look(keeper, now);
            now = now_ns();
        }
        pause_for(keeper,
                  keeper->limit == 0      ? -1
                  : keeper->look_ns > now ? keeper->look_ns - now
                                          : 0,
                  true);
        take_orders(keeper);
        reap(keeper);
    }
}

/* Kills until no process is left. A process forked during one look is found at the next, as our
 * child if its parent was killed. */
static void end_all(struct keeper *keeper)
{
    if (keeper->bot > 0) {
        kill(-keeper->bot, SIGKILL);
    }
    for (;;) {
        siginfo_t info = {.si_pid = 0};

        tree_below(&keeper->list, getpid());
        for (size_t i = 0; i < keeper->list.count; i++) {
            kill(keeper->list.pids[i], SIGKILL);
        }
        cgroup_kill(&keeper->group);
        reap(keeper);
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) {
            break;
        }
        pause_for(keeper, AGAIN_NS, false);
    }
    for (int i = 0; i < GROUP_TRIES && !cgroup_end(&keeper->group); i++) {
        pause_for(keeper, AGAIN_NS, false);
    }
}

static int run_keeper(int argc, char **argv)
{
    struct keeper keeper = {.has_filter = fcntl(KEEPER_FILTER, F_GETFD) >= 0, .group = CGROUP_NONE};
    char **env = take_environment();
    sigset_t children;

    if (argc <= KEEPER_WORDS || env == NULL) {
        return 2;
    }
    keeper.folder = argv[1];
    keeper.nice = (int)strtol(argv[2], NULL, 10);
    keeper.limit = strtoull(argv[3], NULL, 10);
    /* Forbids other processes of this user to trace us or take our descriptors. */
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setsid(); /* so that Ctrl-C goes to the referee only */
    fcntl(KEEPER_SOCKET, F_SETFD, FD_CLOEXEC);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    keeper.children_fd = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (keeper.children_fd < 0 || !start_bot(&keeper, argv, env)) {
        cgroup_end(&keeper.group);
        return 0; /* already reported, or the closed socket shows it */
    }
    dup2(0, 1); /* closes the pipe: it must end with the bot */
    dup2(0, 2);
    if (keeper.has_filter) {
        close(KEEPER_FILTER);
    }
    /* Neither the bot's folder nor a mount is held by its keeper. */
    if (chdir("/") != 0) {
        keeper.ending = true;
    }
    keep_watch(&keeper);
    end_all(&keeper);
    return 0;
}

/* Uses _exit: in exit() a sanitizer's leak check traces the process, which is forbidden here, and
 * would wait for ever. */
int main(int argc, char **argv)
{
    _exit(run_keeper(argc, argv));
}
