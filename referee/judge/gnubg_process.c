/* gnubg has no command that prints a given word. So every batch of commands ends in `help
 * BGREFnZ`: its answer repeats the unknown word, and shows that all commands before it are done.
 * The number keeps an answer to an earlier batch from counting. */
#define _GNU_SOURCE /* pipe2, execvpe */
#include "gnubg_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <base/memory.h>

#include "loop/removal.h"
#include "process/descriptors.h"
#include "process/orphans.h"
#include "process/sandbox.h"
#include "process/tree.h"

enum {
    SAID = 1 << 20,  /* bytes kept of gnubg's output; its longest table has 50 KB */
    CHUNK = 1 << 13, /* most bytes read in one wake-up */
    COMMANDS = 2048, /* commands and a mark fit into a pipe, even if gnubg has read nothing yet */
    MARK = 32
};

#define PREFIX "bgref-judge-"

struct worker {
    struct worker_setup setup;
    pid_t pid;              /* 0: none */
    int input, output;      /* -1: closed; our ends */
    unsigned commands_sent; /* number of the last worker_tell */
    bool working;
    char *said; /* owned; SAID bytes and a terminator */
    size_t used;
    char folder[WORKER_PATH];
};

/* --- the folder ------------------------------------------------------------------------------ */

static void folder_remove(char folder[WORKER_PATH])
{
    if (folder[0] != '\0') {
        removal_folder(folder);
        folder[0] = '\0';
    }
}

/* A killed referee leaves its folders; the next one removes them. */
static void folders_sweep(const char *temporary)
{
    DIR *folder = opendir(temporary);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[WORKER_PATH];
        int owner, end = -1;

        /* Only ESRCH: EPERM is a process of another user, which lives. A number that is in use
         * again keeps its folder for a later sweep. */
        if (sscanf(entry->d_name, PREFIX "%d-%n", &owner, &end) == 1 && end > 0 && owner > 0 &&
            kill(owner, 0) != 0 && errno == ESRCH &&
            snprintf(path, sizeof path, "%s/%s", temporary, entry->d_name) < (int)sizeof path) {
            folder_remove(path);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static enum bg_status folder_create(char out[WORKER_PATH], struct bg_error *err)
{
    const char *temporary = getenv("TMPDIR");

    if (temporary == NULL || temporary[0] != '/' || strlen(temporary) > WORKER_PATH / 2) {
        temporary = "/tmp";
    }
    folders_sweep(temporary);
    snprintf(out, WORKER_PATH, "%s/" PREFIX "%d-XXXXXX", temporary, (int)getpid());
    if (mkdtemp(out) == NULL) {
        enum bg_status status =
            bg_error_set(err, BG_E_SYSTEM, "folder %s for the judge: %s", out, strerror(errno));

        out[0] = '\0';
        return status;
    }
    return BG_OK;
}

/* --- the process ----------------------------------------------------------------------------- */

/* Debian installs gnubg in /usr/games, which is not in every PATH. */
enum bg_status worker_find(char out[WORKER_PATH], const char *program, struct bg_error *err)
{
    const char *path = getenv("PATH");
    char folders[8 * WORKER_PATH];
    char *rest = NULL;

    if (strchr(program, '/') != NULL) {
        snprintf(out, WORKER_PATH, "%s", program);
        return access(out, X_OK) == 0
                   ? BG_OK
                   : bg_error_set(err, BG_E_START, "judge: %s: %s", program, strerror(errno));
    }
    snprintf(folders, sizeof folders, "%s:/usr/games", path == NULL ? "/usr/bin:/bin" : path);
    for (char *folder = strtok_r(folders, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest)) {
        if (snprintf(out, WORKER_PATH, "%s/%s", folder, program) < WORKER_PATH &&
            access(out, X_OK) == 0) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_START,
                        "judge: %s: not in PATH and not in /usr/games; install the package gnubg, "
                        "or name the program: --judge gnubg:program=PATH",
                        program);
}

/* gnubg's environment: nothing of the user's configuration, numbers with a decimal point. */
struct gnubg_process_environment {
    char home[WORKER_PATH + 8], temporary[WORKER_PATH + 8], path[8 * WORKER_PATH],
        library[8 * WORKER_PATH];
    char *vector[6];
};

static void environment_init(struct gnubg_process_environment *out, const char *folder)
{
    static char locale[] = "LC_ALL=C";
    const char *path = getenv("PATH"), *library = getenv("LD_LIBRARY_PATH");

    snprintf(out->home, sizeof out->home, "HOME=%s", folder);
    snprintf(out->temporary, sizeof out->temporary, "TMPDIR=%s", folder);
    snprintf(out->path, sizeof out->path, "PATH=%s", path == NULL ? "/usr/bin:/bin" : path);
    snprintf(out->library, sizeof out->library, "LD_LIBRARY_PATH=%s",
             library == NULL ? "" : library);
    out->vector[0] = out->home;
    out->vector[1] = out->temporary;
    out->vector[2] = locale;
    out->vector[3] = out->path;
    out->vector[4] = library == NULL ? NULL : out->library;
    out->vector[5] = NULL;
}

/* The program and its command line. */
struct gnubg_process_command {
    char own[WORKER_PATH]; /* the program */
    char *words[5];        /* its command line */
    struct sandbox_command confined;
    char *const *run; /* the command line to run: words or confined.words */
    char also[2][WORKER_PATH + 16];
};

/* A program PREFIX/bin/gnubg finds its weights in PREFIX/share/gnubg or PREFIX/lib/gnubg. */
static void find_data(struct gnubg_process_command *command, struct sandbox *sandbox)
{
    static const char *const places[] = {"share/gnubg", "lib/gnubg"};
    char real[PATH_MAX], *slash;

    if (realpath(command->own, real) == NULL || (slash = strrchr(real, '/')) == NULL) {
        return;
    }
    *slash = '\0';
    slash = strrchr(real, '/');
    if (slash == NULL || slash == real || strcmp(slash, "/bin") != 0) {
        return;
    }
    *slash = '\0';
    for (int i = 0; i < 2; i++) {
        if ((size_t)snprintf(command->also[i], sizeof command->also[i], "%s/%s", real, places[i]) <
            sizeof command->also[i]) {
            sandbox->also[i] = command->also[i];
        }
    }
}

static enum bg_status command_init(struct gnubg_process_command *out, const struct worker *worker,
                                   struct bg_error *err)
{
    /* -r: a user's .gnubgrc would change the settings that judgements are compared by. */
    static char text[] = "-t", quiet[] = "-q", no_rc[] = "-r";
    const struct worker_setup *setup = &worker->setup;
    struct sandbox sandbox = {.words = out->words,
                              .dir = worker->folder,
                              .endpoint = "ipc:///-/none", /* it needs no socket */
                              .hidden = setup->hidden == NULL ? "" : setup->hidden,
                              .folder = worker->folder};
    enum bg_status status;

    *out = (struct gnubg_process_command){.confined.filter_fd = -1};
    status = worker_find(out->own, setup->program, err);
    out->words[0] = out->own;
    out->words[1] = text;
    out->words[2] = quiet;
    out->words[3] = no_rc;
    out->run = out->words;
    if (status == BG_OK && setup->confined) {
        find_data(out, &sandbox);
        status = sandbox_wrap(&out->confined, &sandbox, err);
        out->run = out->confined.words;
    }
    return status;
}

static void command_deinit(struct gnubg_process_command *command)
{
    if (command->confined.filter_fd >= 0) {
        close(command->confined.filter_fd);
    }
    free(command->confined.words);
}

/* Uses only async-signal-safe calls, because the referee has threads. */
static void become_gnubg(const struct gnubg_process_command *command, char *const environment[],
                         const char *folder, int niceness, int input, int output, pid_t parent)
{
    /* above the descriptors that are set below */
    int filter = command->confined.filter_fd < 0
                     ? -1
                     : fcntl(command->confined.filter_fd, F_DUPFD_CLOEXEC, 10);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t none;

    setpgid(0, 0);
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &plain, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* A referee that has died before this line sends no signal any more: then the parent is
     * another. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || chdir(folder) != 0 ||
        dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0 || (filter >= 0 && dup2(filter, SANDBOX_FILTER_FD) < 0)) {
        _exit(126);
    }
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + niceness);
    /* The name bwrap is found by PATH; gnubg's path is known. */
    if (command->confined.words != NULL) {
        execvpe(command->run[0], command->run, environment);
    } else {
        execve(command->run[0], command->run, environment);
    }
    _exit(127);
}

static enum bg_status spawn(struct worker *worker, const struct gnubg_process_command *command,
                            struct bg_error *err)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    struct gnubg_process_environment environment = {.vector = {NULL}};
    enum bg_status status = BG_OK;
    sigset_t all, before;
    pid_t parent = getpid();

    environment_init(&environment, worker->folder);
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "pipe to gnubg: %s", strerror(errno));
        goto done;
    }
    /* With signals blocked no handler of ours runs in the child. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    worker->pid = fork();
    if (worker->pid == 0) {
        become_gnubg(command, environment.vector, worker->folder, worker->setup.nice, input[0],
                     output[1], parent);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (worker->pid < 0) {
        worker->pid = 0;
        status = bg_error_set(err, BG_E_SYSTEM, "start %s: %s", command->own, strerror(errno));
        goto done;
    }
    orphans_except(worker->pid);
    setpgid(worker->pid, worker->pid); /* parent and child both call it: either may be first */
    fcntl(input[1], F_SETFL, O_NONBLOCK);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    worker->input = input[1];
    worker->output = output[0];
    input[1] = output[0] = -1;
done:
    descriptors_close_pair(input);
    descriptors_close_pair(output);
    return status;
}

/* --- its output ------------------------------------------------------------------------------ */

static void keep_said(struct worker *worker, const char *bytes, size_t count)
{
    if (worker->used + count > SAID) {
        size_t half = worker->used / 2;

        memmove(worker->said, worker->said + half, worker->used - half);
        worker->used -= half;
    }
    memcpy(worker->said + worker->used, bytes, count);
    worker->used += count;
    worker->said[worker->used] = '\0';
}

/* A process closes its output a moment before it has ended. */
static bool worker_has_ended(pid_t pid, int *status)
{
    const struct timespec moment = {.tv_nsec = 2000000};

    for (int i = 0; i < 100; i++) {
        if (waitpid(pid, status, WNOHANG) == pid) {
            return true;
        }
        nanosleep(&moment, NULL);
    }
    return false;
}

static void tell_gone(struct worker *worker)
{
    char why[256];
    const char *line, *printed;
    int status = 0;

    while (worker->used > 0 && strchr("\n\r ", worker->said[worker->used - 1]) != NULL) {
        worker->said[--worker->used] = '\0';
    }
    line = strrchr(worker->said, '\n');
    line = line == NULL ? worker->said : line + 1;
    printed = line[0] == '\0' ? "" : "; it printed: ";
    if (worker_has_ended(worker->pid, &status)) {
        orphans_forget(worker->pid);
        worker->pid = 0;
    }
    if (worker->pid == 0 && WIFEXITED(status)) {
        snprintf(why, sizeof why, "exit %d%s%.150s", WEXITSTATUS(status), printed, line);
    } else if (worker->pid == 0 && WIFSIGNALED(status)) {
        snprintf(why, sizeof why, "signal %d%s%.150s", WTERMSIG(status), printed, line);
    } else {
        snprintf(why, sizeof why, "it closed its output%s%.150s", printed, line);
    }
    worker->setup.listener->gone(worker->setup.user, worker, why);
}

/* Returns true if the mark of the last worker_tell was printed: gnubg repeats it in its answer to
 * `help`. */
static bool is_done(struct worker *worker, size_t from)
{
    char mark[MARK];

    snprintf(mark, sizeof mark, "`BGREF%uZ'", worker->commands_sent);
    /* The mark may have come in two pieces. */
    return strstr(worker->said + (from > MARK ? from - MARK : 0), mark) != NULL;
}

static void on_output(void *user)
{
    struct worker *worker = user;
    char bytes[CHUNK];
    size_t from = worker->used;
    ssize_t count = read(worker->output, bytes, sizeof bytes);

    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (count <= 0) {
        loop_unwatch(worker->setup.loop, worker->output);
        close(worker->output);
        worker->output = -1;
        tell_gone(worker);
        return;
    }
    keep_said(worker, bytes, (size_t)count);
    from = from < worker->used ? from : 0; /* older output was cut */
    if (worker->working && is_done(worker, from)) {
        worker->working = false;
        worker->setup.listener->done(worker->setup.user, worker, worker->said);
    }
}

/* --- the contract ---------------------------------------------------------------------------- */

enum bg_status worker_start(struct worker **out, const struct worker_setup *setup,
                            struct bg_error *err)
{
    struct gnubg_process_command command = {.confined.filter_fd = -1};
    struct worker *worker = memory_zeroed(1, sizeof *worker);
    enum bg_status status;

    worker->input = worker->output = -1;
    worker->setup = *setup;
    worker->said = memory_zeroed(SAID + 1, 1);
    status = folder_create(worker->folder, err);
    if (status == BG_OK) {
        status = command_init(&command, worker, err);
    }
    if (status == BG_OK) {
        status = spawn(worker, &command, err);
    }
    if (status == BG_OK) {
        status = loop_watch(setup->loop, worker->output, on_output, worker, err);
    }
    if (status == BG_OK) {
        *out = worker;
        worker = NULL; /* now the caller's */
    }
    command_deinit(&command);
    worker_destroy(worker);
    return status;
}

void worker_destroy(struct worker *worker)
{
    if (worker == NULL) {
        return;
    }
    if (worker->output >= 0) {
        loop_unwatch(worker->setup.loop, worker->output);
        close(worker->output);
    }
    if (worker->input >= 0) {
        close(worker->input);
    }
    if (worker->pid > 0) {
        kill(-worker->pid, SIGKILL);
        kill(worker->pid, SIGKILL); /* the child may not have made its group yet */
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        orphans_forget(worker->pid);
    }
    folder_remove(worker->folder);
    free(worker->said);
    free(worker);
}

enum bg_status worker_tell(struct worker *worker, const char *commands, struct bg_error *err)
{
    char text[COMMANDS + MARK];
    int length =
        snprintf(text, sizeof text, "%shelp BGREF%uZ\n", commands, worker->commands_sent + 1);
    void (*before)(int);
    ssize_t written;

    if (length >= (int)sizeof text) {
        return bg_error_set(err, BG_E_ARGUMENT, "gnubg: %d bytes of commands are too many", length);
    }
    worker->commands_sent++;
    worker->used = 0;
    worker->said[0] = '\0';
    worker->working = true;
    /* Not left to the caller: SIGPIPE would end the whole program because one gnubg has died. */
    before = signal(SIGPIPE, SIG_IGN);
    written = write(worker->input, text, (size_t)length);
    signal(SIGPIPE, before);
    /* The text is shorter than PIPE_BUF: a pipe takes it whole or not at all. */
    if (written != length) {
        return bg_error_set(err, BG_E_CLOSED, "gnubg does not take commands: %s",
                            written < 0 ? strerror(errno) : "its pipe is full");
    }
    return BG_OK;
}

const char *worker_folder(const struct worker *worker)
{
    return worker->folder;
}

int64_t worker_cpu_ns(const struct worker *worker)
{
    struct tree_list below = {.pids = NULL};
    int64_t sum_ns = 0;

    if (worker->pid > 0) {
        sum_ns = tree_own_cpu_ns(worker->pid);
        if (worker->setup.confined &&
            tree_below(&below, worker->pid)) { /* bwrap, its init, gnubg */
            for (size_t i = 0; i < below.count; i++) {
                sum_ns += tree_own_cpu_ns(below.pids[i]);
            }
        }
        tree_list_deinit(&below);
    }
    return sum_ns;
}
