#define _GNU_SOURCE /* pipe2, close_range, execvpe, sigabbrev_np */
#include "launcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../bot/command.h"
#include "devices.h"
#include "ending.h"
#include "sandbox.h"
#include "orphans.h"

enum {
    TAIL = 64 * 1024, /* bytes of standard error that are kept */
    DRAIN = TAIL,     /* most that one call reads, so that a chatty process holds up nobody */
    KILL_WAIT_MS = 5000,
    CHAIN_MAX = SANDBOX_PROCESSES_MAX + 2 /* from a process in a sandbox up to bwrap */
};

struct process {
    pid_t pid;
    char token[64]; /* marks what it leaves behind */
    struct ending *ending;
    int stderr_fd;
    bool reaped;
    bool confined;
    char how[64];
    int64_t cpu_ns; /* after it was reaped */
    size_t tail_size;
    char tail[2 * TAIL + 1]; /* when full, the last TAIL bytes move to the front */
};

/* What reaches a bot of our environment. Everything else may be a secret (tokens, keys, agents'
 * sockets); a bot that needs more says so in its command: env NAME=value ./bot. */
static const char *const env_names[] = {
    "PATH",         "HOME",          "USER",         "LOGNAME",
    "SHELL",        "LANG",          "LANGUAGE",     "TZ",
    "TMPDIR",       "TERM",          "VIRTUAL_ENV",  "JAVA_HOME",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LLVM_PROFILE_FILE",
};
static const char *const env_prefixes[] = {
    "LC_", "LD_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "CUDA_", "HIP_", "ROCR_", "XDG_DATA_",
};

static bool env_passes(const char *entry)
{
    size_t length = strcspn(entry, "=");

    for (size_t i = 0; i < sizeof env_names / sizeof env_names[0]; i++) {
        if (strlen(env_names[i]) == length && strncmp(entry, env_names[i], length) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof env_prefixes / sizeof env_prefixes[0]; i++) {
        if (strncmp(entry, env_prefixes[i], strlen(env_prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

enum { OWN_VARIABLES = 5 };

struct environment {
    char **vector; /* lends from environ and from own */
    char own[OWN_VARIABLES][600];
};

static enum bg_status environment_init(struct environment *env, const struct launch *launch,
                                       struct bg_error *err)
{
    size_t count = 0;
    size_t kept = 0;
    int own = 0;

    while (environ != NULL && environ[count] != NULL) {
        count++;
    }
    env->vector = calloc(count + OWN_VARIABLES + 1, sizeof *env->vector);
    if (env->vector == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "environment of a bot");
    }
    for (size_t i = 0; i < count; i++) {
        if (env_passes(environ[i])) {
            env->vector[kept++] = environ[i];
        }
    }
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_ENDPOINT=%s", launch->endpoint);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_TOKEN=%s", launch->token);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_BOT=%s", launch->bot);
    snprintf(env->own[own++], sizeof env->own[0], "BGREF_SLOT=%d", launch->slot);
    snprintf(env->own[own++], sizeof env->own[0], "ARENA_SLOT=%d", launch->slot);
    assert(own == OWN_VARIABLES);
    for (int i = 0; i < own; i++) {
        env->vector[kept++] = env->own[i];
    }
    return BG_OK;
}

/* What the child could not do, as it comes through the pipe that a good exec closes. */
enum stage { STAGE_SETUP, STAGE_DIR, STAGE_EXEC };

struct failure {
    enum stage stage;
    int error;
};

/* ---- the child, between vfork and exec: nothing here may allocate, lock, or write to what is not
 * its own: it runs in our memory ---- */

static void child_fail(int fd, enum stage stage)
{
    struct failure failure = {.stage = stage, .error = errno};
    ssize_t written = write(fd, &failure, sizeof failure);

    (void)written; /* nobody is left to tell */
    _exit(127);
}

static void child_close_from(int first)
{
    struct rlimit limit;

    if (close_range((unsigned)first, ~0U, 0) == 0) {
        return;
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 65536) {
        limit.rlim_cur = 65536;
    }
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) {
        close(fd);
    }
}

static void child_signals(void)
{
    sigset_t none;
    struct sigaction plain = {.sa_handler = SIG_DFL};

    /* Ignored signals stay ignored over exec: SIGPIPE is ours, not the bot's. */
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &plain, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Descriptors 0 to 2 become null, null and the pipe; 3 reports a failing exec; 4 is the filter for
 * bwrap, if there is one, which bwrap closes; the rest closes. */
static int child_files(int report, int output, int filter)
{
    int null;
    int first = filter < 0 ? SANDBOX_FILTER_FD : SANDBOX_FILTER_FD + 1;

    filter = filter < 0 ? -1 : fcntl(filter, F_DUPFD, 10);
    report = fcntl(report, F_DUPFD, 10);
    output = fcntl(output, F_DUPFD, 10);
    null = open("/dev/null", O_RDWR);
    if (report < 0 || output < 0 || null < 0) {
        return -1;
    }
    if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(output, 2) < 0 || dup2(report, 3) < 0) {
        return -1;
    }
    if (filter >= 0 && dup2(filter, SANDBOX_FILTER_FD) < 0) {
        return -1;
    }
    fcntl(3, F_SETFD, FD_CLOEXEC);
    child_close_from(first);
    return 3;
}

static void child_run(char **words, char **env, const char *dir, pid_t parent, int report,
                      int output, int filter)
{
    int moved;

    setpgid(0, 0);
    /* The signal comes when the thread that forked ends: the main thread, so with the referee. It
     * may be gone already. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        child_fail(report, STAGE_SETUP);
    }
    if (getppid() != parent) {
        _exit(127);
    }
    child_signals();
    moved = child_files(report, output, filter);
    if (moved < 0) {
        child_fail(report, STAGE_SETUP);
    }
    if (dir[0] != '\0' && chdir(dir) != 0) {
        child_fail(moved, STAGE_DIR);
    }
    if (filter >= 0) {
        devices_hold();
    }
    execvpe(words[0], words, env);
    child_fail(moved, STAGE_EXEC);
}

/* ---- the parent ---- */

/* Forks with all signals blocked, so that no handler of ours runs in the child. By vfork: a copy of
 * the referee's memory would cost it a fault for every page that it writes to afterwards. */
static pid_t fork_quietly(char **words, char **env, const char *dir, int report, int output,
                          int filter)
{
    sigset_t all, before;
    pid_t parent = getpid();
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
    if (pid == 0) {
        child_run(words, env, dir, parent, report, output, filter);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* Waits until exec has closed the pipe or told what failed. */
static enum bg_status exec_outcome(int report, const struct launch *launch, const char *program,
                                   struct bg_error *err)
{
    struct failure failure;
    ssize_t size;

    do {
        size = read(report, &failure, sizeof failure);
    } while (size < 0 && errno == EINTR);
    if (size != (ssize_t)sizeof failure) {
        return BG_OK;
    }
    switch (failure.stage) {
    case STAGE_DIR:
        return bg_error_set(err, BG_E_START, "start %s: folder %.200s: %s", launch->bot,
                            launch->dir, strerror(failure.error));
    case STAGE_EXEC:
        return bg_error_set(err, BG_E_START, "start %s: program %.200s%s%.100s: %s%s", launch->bot,
                            program, launch->dir[0] != '\0' ? " in " : "", launch->dir,
                            strerror(failure.error),
                            failure.error == EACCES    ? " (is it executable? chmod +x)"
                            : failure.error == ENOEXEC ? " (a script needs #! in its first line)"
                                                       : "");
    case STAGE_SETUP:
        break;
    }
    return bg_error_set(err, BG_E_SYSTEM, "start %s: prepare the process: %s", launch->bot,
                        strerror(failure.error));
}

static enum bg_status process_fork(struct process *process, const struct launch *launch,
                                   const struct sandbox_command *command, char **env,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int report[2] = {-1, -1};
    int output[2] = {-1, -1};

    if (pipe2(report, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: pipe: %s", launch->bot, strerror(errno));
        goto done;
    }
    process->pid =
        fork_quietly(command->words, env, launch->dir, report[1], output[1], command->filter_fd);
    if (process->pid < 0) {
        process->pid = 0;
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: fork: %s", launch->bot, strerror(errno));
        goto done;
    }
    setpgid(process->pid, process->pid); /* whoever comes first; fails harmlessly after exec */
    close(report[1]);
    report[1] = -1;
    status = ending_open(&process->ending, process->pid, err);
    if (status != BG_OK) {
        goto done;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    process->stderr_fd = output[0];
    output[0] = -1;
    status = exec_outcome(report[0], launch, command->words[0], err);
done:
    for (int i = 0; i < 2; i++) {
        if (report[i] >= 0) {
            close(report[i]);
        }
        if (output[i] >= 0) {
            close(output[i]);
        }
    }
    return status;
}

/* The command that is run for words: themselves, or what runs them confined. */
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

enum bg_status process_start(struct process **out, const struct launch *launch,
                             struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct environment env = {.vector = NULL};
    struct sandbox_command command = {.words = NULL, .filter_fd = -1};
    char **words = NULL;
    struct process *process = calloc(1, sizeof *process);

    if (process == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "process of %s", launch->bot);
        goto done;
    }
    process->stderr_fd = -1;
    snprintf(process->token, sizeof process->token, "%s", launch->token);
    process->confined = launch->confined;
    status = command_split(&words, launch->cmd, err);
    if (status == BG_OK) {
        status = confine(&command, launch, words, err);
    }
    if (status == BG_OK) {
        status = environment_init(&env, launch, err);
    }
    if (status == BG_OK) {
        status = process_fork(process, launch, &command, env.vector, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    *out = process;
    process = NULL; /* now the caller's */
done:
    process_destroy(process);
    free(env.vector);
    if (command.filter_fd >= 0) {
        close(command.filter_fd);
    }
    if (command.words != words) {
        free(command.words);
    }
    free(words);
    return status;
}

static void how_write(char *how, size_t size, const siginfo_t *info, bool confined)
{
    /* A sandbox ends with 128 and the signal that ended the bot in it. */
    bool inside = confined && info->si_code == CLD_EXITED && info->si_status > 128;

    if (info->si_code == CLD_EXITED && !inside) {
        snprintf(how, size, "exit %d", info->si_status);
    } else {
        int number = inside ? info->si_status - 128 : info->si_status;
        const char *name = sigabbrev_np(number);

        snprintf(how, size, "signal %d (SIG%s)%s", number, name == NULL ? "?" : name,
                 info->si_code == CLD_DUMPED ? ", core dumped" : "");
    }
}

/* Takes the process from the table of the system if it has ended. The rest of its group is killed
 * while the ended leader still holds the number, so that no stranger's group can be hit. */
static bool reap(struct process *process)
{
    siginfo_t info = {.si_pid = 0};
    struct rusage usage;

    if (process->reaped) {
        return true;
    }
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0) {
        return false;
    }
    kill(-process->pid, SIGKILL);
    orphans_end(process->token);
    how_write(process->how, sizeof process->how, &info, process->confined);
    if (wait4(process->pid, NULL, 0, &usage) == process->pid) {
        process->cpu_ns = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000) +
                          (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
    }
    process->reaped = true;
    return true;
}

void process_destroy(struct process *process)
{
    if (process == NULL) {
        return;
    }
    if (process->pid > 0 && !reap(process)) {
        struct pollfd ended = {.fd = process_end_fd(process), .events = POLLIN};

        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL); /* a child that had no time to make its group */
        /* A process in uninterruptible sleep outlasts even this; it is then left to the system. */
        poll(&ended, ended.fd >= 0 ? 1 : 0, KILL_WAIT_MS);
        reap(process);
    }
    ending_close(process->ending);
    if (process->stderr_fd >= 0) {
        close(process->stderr_fd);
    }
    free(process);
}

pid_t process_pid(const struct process *process)
{
    return process->pid;
}

int process_end_fd(const struct process *process)
{
    return process->ending == NULL ? -1 : ending_fd(process->ending);
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

void process_signal(struct process *process, int signal)
{
    if (!process->reaped) {
        kill(-process->pid, signal);
    }
}

bool process_reap(struct process *process, char *how, size_t size)
{
    if (!reap(process)) {
        return false;
    }
    snprintf(how, size, "%s", process->how);
    return true;
}

int64_t process_cpu_ns(const struct process *process)
{
    clockid_t clock;
    struct timespec used;

    if (process->reaped) {
        return process->cpu_ns;
    }
    if (clock_getcpuclockid(process->pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

/* A sandbox has a session of its own, so not by the group. */
static pid_t parent_of(pid_t pid)
{
    char path[40], text[512];
    const char *end;
    ssize_t size;
    int parent = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    if (size <= 0) {
        return 0;
    }
    text[size] = '\0';
    end = strrchr(text, ')'); /* a name may hold anything */
    return end != NULL && sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

bool process_owns(const struct process *process, pid_t pid)
{
    if (process->reaped || pid <= 0) {
        return pid == process->pid;
    }
    if (!process->confined) {
        return pid == process->pid || getpgid(pid) == process->pid;
    }
    for (int i = 0; i < CHAIN_MAX && pid > 1; i++) {
        if (pid == process->pid) {
            return true;
        }
        pid = parent_of(pid);
    }
    return false;
}

uint64_t process_memory(const struct process *process, int *count)
{
    *count = 0;
    return process->reaped ? 0 : orphans_memory(process->pid, count);
}

int launcher_begin(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return orphans_sweep();
}

void launcher_end(void)
{
    orphans_end_children();
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}
