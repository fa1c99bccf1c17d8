/* Everything that a start needs is made before the fork; between vfork() and exec there are only
 * plain system calls. The wait for the keeper's first report blocks the loop for the time of an
 * exec: so a program that cannot be run is an error with its reason here, and not the end of a
 * process later. */
#define _GNU_SOURCE /* pipe2, sched_setaffinity */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../bot/command.h"
#include "../bot/shebang.h"
#include "../log.h"
#include "base/memory.h"
#include "cgroup.h"
#include "cores.h"
#include "descriptors.h"
#include "ending.h"
#include "environment.h"
#include "keeper.h"
#include "memory.h"
#include "orphans.h"
#include "sandbox.h"
#include "stderr_file.h"
#include "terminal.h"
#include "tree.h"
#include "base/plain_file.h"

enum {
    TAIL = 64 * 1024, /* bytes of standard error that are kept */
    DRAIN = TAIL, /* most bytes read in one call, so that a chatty process cannot occupy the loop */
    ADOPTED_PAUSES = 100, /* of a millisecond each: to end what killed keepers have left */
    OWNERS_KNOWN = 64,    /* see keeper_of */
    FIRST_FREE = 10       /* the child uses the descriptors below */
};

_Static_assert((int)KEEPER_FILTER == (int)SANDBOX_FILTER_FD, "the keeper passes it on");

#define OWNER_NS   INT64_C(20000000)
#define DESTROY_NS INT64_C(5000000000)
#define LEAVE_NS   INT64_C(700000000) /* limit of the wait when the referee ends */

struct process {
    pid_t keeper; /* 0: none */
    int socket;   /* our socket to the keeper */
    pid_t pid;    /* the bot's first process */
    int stderr_fd;
    struct stderr_file copy; /* copy of standard error, for the author */
    bool ended;
    bool confined;
    char how[64];
    uint64_t excess; /* bytes */
    size_t tail_size;
    char tail[2 * TAIL + 1]; /* when full, the last TAIL bytes move to the front */
};

/* ---- the child, between vfork and exec: nothing here may allocate, lock, or write to what is not
 * its own: it runs in our memory ---- */

static void child_fail(int fd, enum keeper_stage stage)
{
    struct keeper_report failure = {.news = KEEPER_FAILED, .stage = stage, .error = errno};
    ssize_t written = write(fd, &failure, sizeof failure);

    (void)written; /* a failed write cannot be reported */
    _exit(127);
}

/* Ignored signals stay ignored over exec: restore SIGPIPE, which only the referee ignores. All stay
 * blocked. */
static void child_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};

    for (int number = 1; number < NSIG; number++) {
        /* For SIGKILL and SIGSTOP it fails, which changes nothing. */
        sigaction(number, &plain, NULL);
    }
}

/* The keeper's descriptors; temporary copies are closed. */
struct launcher_files {
    int output, socket;
    int filter; /* for bwrap; -1 none */
};

/* Sets descriptors 0 to 2 to null, the pipe and the pipe; then the socket and perhaps the filter;
 * closes the rest. */
static bool child_files(struct launcher_files *files)
{
    int first = files->filter < 0 ? KEEPER_FILTER : KEEPER_FILTER + 1;
    int null, output, filter = -1;

    /* Copies above all numbers that dup2() fills below, one of which may be the original. */
    files->socket = fcntl(files->socket, F_DUPFD, FIRST_FREE);
    output = fcntl(files->output, F_DUPFD, FIRST_FREE);
    if (files->filter >= 0) {
        filter = fcntl(files->filter, F_DUPFD, FIRST_FREE);
    }
    null = open("/dev/null", O_RDWR);
    if (files->socket < 0 || output < 0 || null < 0 || (files->filter >= 0 && filter < 0)) {
        return false;
    }
    if (dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 ||
        dup2(files->socket, KEEPER_SOCKET) < 0 ||
        (filter >= 0 && dup2(filter, KEEPER_FILTER) < 0)) {
        return false;
    }
    files->socket = KEEPER_SOCKET;
    descriptors_close_from(first);
    return true;
}

/* pin 0: the cores that this program had before its own thread was bound to one. */
static bool child_pin(int pin)
{
    cpu_set_t set;

    if (pin == 0) {
        return cores_before() == NULL || sched_setaffinity(0, sizeof set, cores_before()) == 0;
    }
    CPU_ZERO(&set);
    CPU_SET((size_t)pin - 1, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

static bool child_open_files(int most)
{
    struct rlimit limit;

    descriptors_of_bot(&limit, most);
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static void child_run(const char *keeper, char **words, char **env, struct launcher_files files,
                      const struct launch *launch)
{
    child_signals();
    if (!child_pin(launch->pin) || !child_files(&files)) {
        child_fail(files.socket, KEEPER_SETUP);
    }
    /* last, because above the old limit no descriptor could be copied */
    if (!child_open_files(launch->open_files)) {
        child_fail(files.socket, KEEPER_SETUP);
    }
    execve(keeper, words, env);
    child_fail(files.socket, KEEPER_ITSELF);
}

/* ---- the parent ---- */

/* The places of the keeper: beside this program (as built), under its prefix, as configured. */
enum { KEEPER_PLACES = 3 };

static const char *const *keeper_places(void)
{
    static char beside[PLAIN_PATH + 64], under[PLAIN_PATH + 64];
    static const char *const places[KEEPER_PLACES] = {beside, under, KEEPER_INSTALLED};
    const char *own = plain_own_folder();

    if (own[0] != '\0') {
        snprintf(beside, sizeof beside, "%s/keeper", own);
        snprintf(under, sizeof under, "%s/../libexec/bgref/keeper", own);
    }
    return places;
}

static const char *keeper_path(void)
{
    const char *const *places = keeper_places();

    for (int i = 0; i < KEEPER_PLACES - 1; i++) {
        if (places[i][0] != '\0' && access(places[i], X_OK) == 0) {
            return places[i];
        }
    }
    return places[KEEPER_PLACES - 1];
}

/* Forks with all signals blocked, so that no handler of ours runs in the
 * child. Uses vfork: after fork the referee would have a page fault for every page that it writes
 * to. */
static pid_t fork_quietly(char **words, char **env, struct launcher_files files,
                          const struct launch *launch)
{
    const char *keeper = keeper_path();
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
    if (pid == 0) {
        child_run(keeper, words, env, files, launch);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static enum bg_status start_failure(const struct keeper_report *failure,
                                    const struct launch *launch, const char *program,
                                    struct bg_error *err)
{
    switch (failure->stage) {
    case KEEPER_FOLDER:
        return bg_error_set(err, BG_E_START, "start %s: folder %.200s: %s", launch->bot,
                            launch->dir, strerror(failure->error));
    case KEEPER_PROGRAM:
        return bg_error_set(err, BG_E_START, "start %s: program %.200s%s%.100s: %s%s", launch->bot,
                            program, launch->dir[0] != '\0' ? " in " : "", launch->dir,
                            strerror(failure->error),
                            failure->error == EACCES    ? " (is it executable? chmod +x)"
                            : failure->error == ENOEXEC ? " (a script needs #! in its first line)"
                                                        : "");
    case KEEPER_ITSELF:
        return bg_error_set(err, BG_E_SYSTEM,
                            "start %s: the keeper, a part of bgref, can't be run: %s (looked for "
                            "%.120s, %.120s, %.120s); install bgref again, or keep the program "
                            "beside its parts",
                            launch->bot, strerror(failure->error), keeper_places()[0],
                            keeper_places()[1], keeper_places()[2]);
    case KEEPER_SETUP:
        break;
    }
    return bg_error_set(err, BG_E_SYSTEM, "start %s: prepare the process: %s", launch->bot,
                        strerror(failure->error));
}

/* Waits until the program runs, or the keeper reports what failed. */
static enum bg_status start_outcome(struct process *process, const struct launch *launch,
                                    const char *program, struct bg_error *err)
{
    struct keeper_report report;
    ssize_t size;

    do {
        size = recv(process->socket, &report, sizeof report, 0);
    } while (size < 0 && errno == EINTR);
    if (size != (ssize_t)sizeof report) {
        return bg_error_set(err, BG_E_SYSTEM, "start %s: its keeper ended before the bot ran",
                            launch->bot);
    }
    if (report.news == KEEPER_FAILED) {
        return start_failure(&report, launch, program, err);
    }
    process->pid = report.pid;
    return BG_OK;
}

struct own_command {
    char **words, **env; /* the keeper's words and environment */
    int filter;
};

static enum bg_status process_fork(struct process *process, const struct launch *launch,
                                   const struct own_command *command, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int link[2] = {-1, -1};
    int output[2] = {-1, -1};
    pid_t pid;

    /* SEQPACKET keeps a report whole, and its end is seen as one of no bytes when the keeper is
     * gone. */
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link) != 0 ||
        pipe2(output, O_CLOEXEC) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: pipe: %s", launch->bot, strerror(errno));
        goto done;
    }
    pid = fork_quietly(command->words, command->env,
                       (struct launcher_files){output[1], link[1], command->filter}, launch);
    if (pid < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: fork: %s", launch->bot, strerror(errno));
        goto done;
    }
    process->keeper = pid;
    /* At once: a sweep for orphans takes every other child of ours for one. */
    orphans_except(pid);
    /* Only our end: the bot's end of a pipe has flags of its own, and bots expect a standard
     * error that waits. */
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    process->stderr_fd = output[0];
    process->socket = link[0];
    output[0] = link[0] = -1;
    close(link[1]); /* otherwise we would not see that the keeper closes it */
    link[1] = -1;
    status = start_outcome(process, launch, command->words[KEEPER_WORDS], err);
    if (status != BG_OK) { /* the keeper has ended or is about to */
        waitpid(pid, NULL, 0);
        orphans_forget(pid);
        close(process->socket);
        process->keeper = 0;
    }
done:
    descriptors_close_pair(link);
    descriptors_close_pair(output);
    return status;
}

struct own_words {
    char folder[PATH_MAX], nice[16], memory[32], groups[CGROUP_PATH], charges[CGROUP_PATH];
};

/* Returns the keeper's own words followed by the bot's; ended by NULL, for free(). */
static char **keeper_words(struct own_words *own, const struct launch *launch, char **words)
{
    static char name[] = "keeper";
    size_t count = 0;
    char **all;

    while (words[count] != NULL) {
        count++;
    }
    all = memory_zeroed(KEEPER_WORDS + count + 1, sizeof *all);
    snprintf(own->folder, sizeof own->folder, "%s", launch->dir);
    snprintf(own->nice, sizeof own->nice, "%d", launch->nice);
    snprintf(own->memory, sizeof own->memory, "%" PRIu64, launch->memory_bytes);
    snprintf(own->groups, sizeof own->groups, "%s", cgroup_base());
    snprintf(own->charges, sizeof own->charges, "%s", cgroup_charges());
    all[0] = name;
    all[1] = own->folder;
    all[2] = own->nice;
    all[3] = own->memory;
    all[4] = own->groups;
    all[5] = own->charges;
    memcpy(all + KEEPER_WORDS, words, count * sizeof *all);
    return all;
}

/* Makes the command to run: words, or a confined command that runs them. */
static enum bg_status confine(struct sandbox_command *out, const struct launch *launch,
                              char **words, struct bg_error *err)
{
    struct sandbox sandbox = {.words = words,
                              .dir = launch->dir,
                              .endpoint = launch->endpoint,
                              .hidden = launch->hidden == NULL ? "" : launch->hidden,
                              .memory_bytes = launch->memory_bytes};

    if (launch->confined) {
        return sandbox_wrap(out, &sandbox, err);
    }
    out->words = words;
    return BG_OK;
}

static void process_free(struct process *process)
{
    if (process->stderr_fd >= 0) {
        close(process->stderr_fd);
    }
    stderr_file_close(&process->copy);
    free(process);
}

/* Runs the command under a keeper. */
static enum bg_status process_keep(struct process *process, const struct launch *launch,
                                   const struct sandbox_command *command, struct bg_error *err)
{
    struct environment env;
    struct own_words own;
    struct own_command keeper = {.filter = command->filter_fd};
    enum bg_status status;

    environment_init(&env, launch);
    keeper.env = env.vector;
    keeper.words = keeper_words(&own, launch, command->words);
    status = process_fork(process, launch, &keeper, err);
    free(keeper.words);
    environment_deinit(&env);
    return status;
}

static enum bg_status check_script(const struct launch *launch, const char *program,
                                   struct bg_error *err)
{
    char why[400];

    return shebang_trouble(why, sizeof why, launch->dir, program)
               ? bg_error_set(err, BG_E_START, "start %s: program %.100s: %s", launch->bot, program,
                              why)
               : BG_OK;
}

enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err)
{
    enum bg_status status;
    struct sandbox_command command = {.words = NULL, .filter_fd = -1};
    char **words = NULL;
    struct process *process = memory_zeroed(1, sizeof *process);

    process->stderr_fd = process->socket = -1;
    process->confined = launch->confined;
    if (!tree_is_visible()) {
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: " TREE_UNSEEN, launch->bot);
        goto done;
    }
    status = stderr_file_open(&process->copy, launch->stderr_file, err);
    if (status == BG_OK) {
        status = command_split(&words, launch->cmd, err);
    }
    if (status == BG_OK) {
        status = check_script(launch, words[0], err);
    }
    if (status == BG_OK) {
        status = confine(&command, launch, words, err);
    }
    if (status == BG_OK) {
        status = process_keep(process, launch, &command, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    *out = process;
    process = NULL; /* now the caller's */
done:
    process_destroy(process);
    if (command.filter_fd >= 0) {
        close(command.filter_fd);
    }
    if (command.words != words) {
        free(command.words);
    }
    free(words);
    return status;
}

/* Returns "SEGV" for 11; "?" for a number without a name. The names are those of signals that end
 * processes; sigabbrev_np() would do, but came with glibc 2.32, and other C libraries lack it. */
static const char *signal_name(int number)
{
    static const char *const names[] = {
        [SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT",   [SIGILL] = "ILL",
        [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT", [SIGBUS] = "BUS",     [SIGFPE] = "FPE",
        [SIGKILL] = "KILL",     [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV",   [SIGUSR2] = "USR2",
        [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM", [SIGTERM] = "TERM",   [SIGCHLD] = "CHLD",
        [SIGCONT] = "CONT",     [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",   [SIGTTIN] = "TTIN",
        [SIGTTOU] = "TTOU",     [SIGURG] = "URG",   [SIGXCPU] = "XCPU",   [SIGXFSZ] = "XFSZ",
        [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGPOLL] = "POLL",
        [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
#ifdef SIGSTKFLT
        [SIGSTKFLT] = "STKFLT",
#endif
    };
    size_t count = sizeof names / sizeof names[0];

    return number > 0 && (size_t)number < count && names[number] != NULL ? names[number] : "?";
}

static void how_write(char *how, size_t size, const siginfo_t *info, bool confined)
{
    /* A sandbox exits with 128 plus the signal that ended its bot. */
    bool inside = confined && info->si_code == CLD_EXITED && info->si_status > 128;

    if (info->si_code == CLD_EXITED && !inside) {
        snprintf(how, size, "exit %d", info->si_status);
    } else {
        int number = inside ? info->si_status - 128 : info->si_status;

        snprintf(how, size, "signal %d (SIG%s)%s", number, signal_name(number),
                 info->si_code == CLD_DUMPED ? ", core dumped" : "");
    }
}

/* The keeper ended without a report of its bot's end, so another process has killed it. */
static void keeper_lost(struct process *process)
{
    snprintf(process->how, sizeof process->how, "its keeper was killed");
    process->ended = true;
}

/* Reads the keeper's reports. */
static void hear(struct process *process)
{
    struct keeper_report report;

    while (!process->ended) {
        ssize_t size = recv(process->socket, &report, sizeof report, MSG_DONTWAIT);

        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0 && errno == EAGAIN) {
            return;
        }
        if (size != (ssize_t)sizeof report) {
            keeper_lost(process);
        } else if (report.news == KEEPER_OVER) {
            process->excess = report.bytes;
        } else if (report.news == KEEPER_ENDED) {
            siginfo_t info = {.si_code = report.code};

            info.si_status = report.status;
            how_write(process->how, sizeof process->how, &info, process->confined);
            process->ended = true;
        }
    }
}

bool process_reap(struct process *process, char *how, size_t size)
{
    hear(process);
    if (process->ended) {
        snprintf(how, size, "%s", process->how);
    }
    return process->ended;
}

uint64_t process_excess(struct process *process)
{
    hear(process);
    return process->excess;
}

void process_signal(struct process *process, int signal)
{
    struct keeper_order order = {.signal = signal};

    if (!process->ended) {
        ssize_t sent = send(process->socket, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);

        (void)sent; /* if the keeper is gone, so is its bot */
        /* Its bot, of the same user, may have stopped it; the order would wait until somebody
         * wakes it. */
        kill(process->keeper, SIGCONT);
    }
}

void process_end(struct process *take, struct loop *loop, loop_timer_fn gone, void *user)
{
    const struct ending ending = {.keeper = take->keeper,
                                  .socket = take->socket,
                                  .session = take->pid,
                                  .loop = loop,
                                  .gone = gone,
                                  .user = user};

    ending_begin(&ending);
    process_free(take);
}

void process_forget(const void *user)
{
    ending_forget(user);
}

void process_destroy(struct process *process)
{
    if (process != NULL && process->keeper > 0) {
        process_end(process, NULL, NULL, NULL);
        ending_wait(DESTROY_NS);
    } else if (process != NULL) {
        process_free(process);
    }
}

pid_t process_pid(const struct process *process)
{
    return process->pid;
}

int process_news_fd(const struct process *process)
{
    return process->socket;
}

int process_stderr_fd(const struct process *process)
{
    return process->stderr_fd;
}

void process_read_stderr(struct process *process)
{
    size_t total = 0;

    while (process->stderr_fd >= 0 && total < DRAIN) {
        ssize_t size;

        if (process->tail_size == 2 * TAIL) {
            memmove(process->tail, process->tail + TAIL, TAIL);
            process->tail_size = TAIL;
        }
        size = read(process->stderr_fd, process->tail + process->tail_size,
                    2 * TAIL - process->tail_size);
        if (size > 0) {
            stderr_file_add(&process->copy, process->tail + process->tail_size, (size_t)size);
            process->tail_size += (size_t)size;
            total += (size_t)size;
        } else if (size < 0 && errno == EINTR) {
            continue;
        } else if (size < 0 && errno == EAGAIN) {
            return;
        } else {
            close(process->stderr_fd);
            process->stderr_fd = -1;
        }
    }
}

const char *process_stderr_tail(struct process *process, size_t *size)
{
    size_t skip = process->tail_size > TAIL ? process->tail_size - TAIL : 0;

    process->tail[process->tail_size] = '\0';
    if (size != NULL) {
        *size = process->tail_size - skip;
    }
    return process->tail + skip;
}

int64_t process_cpu_ns(const struct process *process)
{
    return tree_cpu_ns(process->keeper);
}

struct core_look *process_core_look(const struct process *process, int64_t now_ns)
{
    return core_look_take(process->keeper, now_ns);
}

/* Returns the keeper that started pid's bot: the one from which pid descends, or in whose group it
 * is if the keeper is gone; 0: none. May be called for every frame of a flood and every bot, so it
 * caches the last answers for a moment, in which a pid is not reused. */
static pid_t keeper_of(pid_t pid)
{
    static struct {
        pid_t pid, keeper;
        int64_t until_ns;
    } known[OWNERS_KNOWN];
    int64_t now_ns = loop_now(NULL);
    int i = (int)(pid % OWNERS_KNOWN);

    if (pid != known[i].pid || now_ns >= known[i].until_ns) {
        known[i].pid = pid;
        known[i].keeper = tree_branch(pid, getpid());
        if (!orphans_is_own(
                known[i].keeper)) { /* the chain is broken, or the process is a stranger */
            known[i].keeper = cgroup_dead_keeper(pid);
        }
        known[i].until_ns = now_ns + OWNER_NS;
    }
    return known[i].keeper;
}

bool process_owns(const struct process *process, pid_t pid)
{
    return pid > 0 && keeper_of(pid) == process->keeper;
}

uint64_t process_memory(const struct process *process)
{
    struct tree_list list = {.pids = NULL};
    uint64_t held = 0;

    if (tree_below(&list, process->keeper)) {
        held = memory_held(list.pids, list.count, 0);
    }
    tree_list_deinit(&list);
    return held;
}

/* Groups first: a process in a group may have changed its environment. */
static int end_leftovers(void)
{
    int count = cgroup_sweep(0);

    for (int i = 0; i < ADOPTED_PAUSES && count > 0 && cgroup_sweep(0) > 0; i++) {
        poll(NULL, 0, 1);
    }
    return count + orphans_sweep();
}

int launcher_begin(void)
{
    descriptors_raise();
    terminal_keep();
    orphans_begin();
    /* What a killed keeper leaves becomes our child then, and not that of a process that nobody
     * asks. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return end_leftovers();
}

void launcher_end(void)
{
    int left = ending_wait(LEAVE_NS);

    if (left > 0) {
        log_warn("process", "bots=%d are still ending; their keepers end them", left);
    }
    for (int i = 0; i < ADOPTED_PAUSES && orphans_end(0) > 0; i++) {
        poll(NULL, 0, 1);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    terminal_restore();
}
