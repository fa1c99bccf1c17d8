/* cmd_doctor.c - bgref doctor: what this machine offers. One line a finding, bounded time. What
 * can be tried is tried: a limit in a file does not say what a container or a disk makes of it. */
#define _GNU_SOURCE /* unshare */
#include "host_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <base/docs.h>
#include <base/exit_status.h>
#include <base/library.h>
#include <sqlite3.h>
#include <zmq.h>

#include "bot/command.h"
#include "doctor_host.h"
#include "doctor_sandbox.h"
#include "judge/confinement.h"
#include "process/cgroup.h"
#include "process/descriptors.h"
#include "process/tree.h"
#include "bot/registry.h"
#include "cmd/command.h"
#include "tables/page.h"
#include "base/plain_file.h"
#include "base/utc.h"

enum { ASK_S = 10 };

static int bad_count;

static void note(enum verdict verdict, const char *what, const char *format, ...) BG_PRINTF(3, 4);

static void note(enum verdict verdict, const char *what, const char *format, ...)
{
    static const char *const words[] = {"ok", "warn", "bad"};
    char text[PAGE_PARAGRAPH - 32];
    va_list arguments;

    bad_count += verdict == BAD;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    page_line(stdout, 17, "%-4s  %-9s  %s", words[verdict], what, text);
}

/* ---- asking other programs ---- */

/* Kills a process that did not end in time, and its group. */
static void end_program(pid_t pid)
{
    /* The group may not exist yet, as the child makes it itself: so the process is killed by its
     * own number too. */
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Reads until the end, the deadline or a full buffer. Returns true at the end. */
static bool read_until(int fd, char *out, size_t size, int64_t deadline)
{
    size_t used = 0;

    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int64_t left_ms = (deadline - utc_steady_ns()) / 1000000;
        ssize_t count;

        if (left_ms <= 0 || poll(&ready, 1, (int)left_ms) <= 0) {
            return false;
        }
        count = read(fd, out + used, size - 1 - used);
        if (count <= 0) {
            return count == 0;
        }
        used += (size_t)count;
        out[used] = '\0';
        if (used == size - 1) {
            return true;
        }
    }
}

/* Runs words without input; its output goes to out. Returns false if the program does not exist,
 * fails, or takes longer than ASK_S, which is long enough for a busy machine. */
static bool ask_program(char *out, size_t size, char *const words[])
{
    int ends[2];
    int state = -1;
    bool done;
    pid_t pid;

    out[0] = '\0';
    if (pipe(ends) != 0) {
        return false;
    }
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        /* A group of its own, so that what it starts can be killed with it. */
        setpgid(0, 0);
        dup2(null, 0);
        dup2(ends[1], 1);
        dup2(null, 2);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    done = read_until(ends[0], out, size, utc_steady_ns() + ASK_S * INT64_C(1000000000));
    close(ends[0]);
    /* A process may close its output before it ends: wait for it in small steps. */
    for (int i = 0; done && i < ASK_S * 100 && waitpid(pid, &state, WNOHANG) == 0; i++) {
        poll(NULL, 0, 10);
        state = -1;
    }
    if (state == -1) {
        end_program(pid);
    }
    return state != -1 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

static void cut_line(char *text)
{
    text[strcspn(text, "\r\n")] = '\0';
}

/* ---- findings ---- */

static void check_cores(void)
{
    int cores = config_cores();

    note(cores > 1 ? GOOD : WARN, "cores", "%d%s", cores,
         cores > 1 ? "" : "; bots and referee share it, clocks will be coarse");
}

static void check_clock(void)
{
    struct timespec resolution;
    int64_t first = utc_steady_ns(), last = first;

    for (int i = 0; i < 1000; i++) {
        last = utc_steady_ns();
    }
    clock_getres(CLOCK_MONOTONIC, &resolution);
    note(resolution.tv_sec == 0 && resolution.tv_nsec <= 1000 ? GOOD : WARN, "clock",
         "monotonic, resolution %ld ns, %ld ns to read", resolution.tv_nsec,
         (long)((last - first) / 1000));
}

/* Bots are started, measured and ended by what /proc shows. */
static void check_proc(void)
{
    if (!tree_is_visible()) {
        note(BAD, "proc", "%s", TREE_UNSEEN);
    }
}

static void check_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        note(WARN, "files", "limit unknown: %s", strerror(errno));
        return;
    }
    note(limit.rlim_cur >= 256 ? GOOD : WARN, "files", "%ju open at once%s",
         (uintmax_t)limit.rlim_cur,
         limit.rlim_cur >= 256 ? "" : "; raise it with 'ulimit -n 1024'");
}

/* Finds the nearest existing folder: the given one or a parent. */
static void existing_folder(char out[PLAIN_PATH], const char *folder)
{
    char below[PLAIN_PATH];
    struct stat about;

    snprintf(out, PLAIN_PATH, "%s", folder);
    while (stat(out, &about) != 0 || !S_ISDIR(about.st_mode)) {
        memcpy(below, out, sizeof below);
        plain_folder_of(out, below);
    }
}

/* Measures for 300 ms what appending and syncing costs, as in a group commit. */
static void check_disk(const char *folder)
{
    char where[PLAIN_PATH], path[PLAIN_PATH + 32];
    char block[4096] = {0};
    int64_t begun, spent = 0;
    int count = 0;
    int fd;

    existing_folder(where, folder);
    snprintf(path, sizeof path, "%s/.bgref-doctor-XXXXXX", where);
    fd = mkstemp(path);
    if (fd < 0) {
        note(BAD, "disk", "%s: cannot write: %s; results need a folder", where, strerror(errno));
        return;
    }
    /* From here on nothing is left behind, whatever ends the doctor. */
    unlink(path);
    begun = utc_steady_ns();
    while (spent < 300000000 && count < 100000) {
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block || fdatasync(fd) != 0) {
            note(BAD, "disk", "%s: write and sync: %s", where, strerror(errno));
            close(fd);
            return;
        }
        count++;
        spent = utc_steady_ns() - begun;
    }
    close(fd);
    note(spent / count < 20000000 ? GOOD : WARN, "disk", "%s: %.0f syncs a second", where,
         1e9 * count / (double)spent);
}

/* Only pages need it; a host has pages for monitoring. */
static void check_http(void)
{
    static const char *const names[] = {"MHD_get_version"};
    const char *(*version)(void);
    struct bg_error err;

    if (library_load(&version, names, 1, "libmicrohttpd.so.12", &err) == BG_OK) {
        note(GOOD, "pages", "libmicrohttpd %s", version());
    } else {
        note(WARN, "pages", "%s; 'bgref host' and pages for browsers need it", err.text);
    }
}

/* The referee speaks ZeroMQ's protocol by itself: the library is the bots'. */
static void check_libraries(void)
{
    static const char *const names[] = {"zmq_version", "zmq_has"};
    struct {
        __typeof__(zmq_version) *version;
        __typeof__(zmq_has) *has;
    } zmq;
    struct bg_error err;
    int major, minor, patch;

    note(GOOD, "sqlite", "%s", sqlite3_libversion());
    if (library_load(&zmq, names, 2, "libzmq.so.5", &err) != BG_OK) {
        note(BAD, "zeromq", "%s; bots in C and Python need it", err.text);
        return;
    }
    zmq.version(&major, &minor, &patch);
    note(major > 4 || (major == 4 && minor >= 2) ? GOOD : WARN, "zeromq", "%d.%d.%d%s", major,
         minor, patch, zmq.has("ipc") ? "" : ", without ipc");
}

static void check_gnubg(void)
{
    static char bare[] = "gnubg", games[] = "/usr/games/gnubg", flag[] = "--version";
    char *const paths[] = {bare, games};
    char text[512];

    for (int i = 0; i < 2; i++) {
        char *const words[] = {paths[i], flag, NULL};

        if (ask_program(text, sizeof text, words)) {
            cut_line(text);
            note(GOOD, "gnubg", "%s (%s)", text, paths[i]);
            return;
        }
    }
    note(WARN, "gnubg", "not found in PATH or /usr/games; apt install gnubg, or play without it");
}

static void check_python(void)
{
    static char program[] = "/usr/bin/python3", flag[] = "-c";
    static char code[] = "import sys, zmq, google.protobuf as p\n"
                         "print('%d.%d.%d, zmq %s, protobuf %s' % (sys.version_info[:3] + "
                         "(zmq.__version__, p.__version__)))";
    char *const words[] = {program, flag, code, NULL};
    char text[256];

    if (ask_program(text, sizeof text, words)) {
        cut_line(text);
        note(GOOD, "python", "%s", text);
    } else if (access(program, X_OK) == 0) {
        note(WARN, "python",
             "python3 lacks zmq or protobuf; apt install python3-zmq "
             "python3-protobuf, or play without Python bots");
    } else {
        note(WARN, "python", "no /usr/bin/python3; only the Python bot needs it");
    }
}

/* MiB that the socket buffers of one process may take: twice wmem_max each. */
static long long buffers_mib(void)
{
    FILE *file = fopen("/proc/sys/net/core/wmem_max", "re");
    long long most = 212992; /* Linux's own */

    if (file != NULL) {
        if (fscanf(file, "%lld", &most) != 1) {
            most = 212992;
        }
        fclose(file);
    }
    return most * 2 * DESCRIPTORS_BOT >> 20;
}

#define MAY_COUNT                                                                                  \
    "Start bgref where it may make a cgroup: as root, in no container; or by 'systemd-run --user " \
    "--scope -p Delegate=yes bgref ...'"

/* What `memory: 2G` counts here. */
static void check_memory(void)
{
    if (cgroup_counts_memory()) {
        note(GOOD, "memory",
             "the kernel's memory controller counts what a bot holds (%s): its pages, page tables, "
             "socket buffers, and files in memory, also those in flight between its processes",
             cgroup_charges()[0] != '\0' ? cgroup_charges() : cgroup_base());
    } else if (access("/proc/self/smaps_rollup", R_OK) == 0) {
        note(
            WARN, "memory",
            "no memory controller (cgroup) can be used: 'memory' counts pages, page tables and "
            "files in memory by /proc. A bot can hold beside them what socket buffers take (here "
            "%lld MiB a process with its %d open files) and files in flight between its processes, "
            "without a limit. " MAY_COUNT " (%s/running.md)",
            buffers_mib(), DESCRIPTORS_BOT, docs_folder());
    } else {
        note(WARN, "memory",
             "no memory controller (cgroup) can be used, and there is no /proc/PID/smaps_rollup: "
             "pages that processes of a bot share count for each of them; socket buffers and files "
             "in flight do not count. " MAY_COUNT " (%s/running.md)",
             docs_folder());
    }
}

static void check_sandbox(void)
{
    static char program[] = "bwrap", flag[] = "--version";
    char *const words[] = {program, flag, NULL};
    char text[128];
    struct confinement judge;

    ask_program(text, sizeof text, words);
    cut_line(text);
    fflush(stdout);
    doctor_sandbox(note, text);
    confinement_of(&judge, CONFIG_SANDBOX_AUTO, "judge_sandbox", NULL);
    if (judge.confined) {
        note(GOOD, "judge",
             "runs %s ('sandbox' is only for bots); 'judge_sandbox: off' would run it as your user",
             judge.how);
    } else {
        note(WARN, "judge",
             "cannot be confined either and runs as your user: take a program that you trust "
             "('judge_sandbox: on' would refuse to judge)");
    }
    check_memory();
}

/* Optional: the referee works without it. */
static void check_cgroup(void)
{
    bool used = cgroup_base()[0] != '\0';

    note(GOOD, "cgroup", "%s; %s (%s/running.md)", cgroup_about(),
         used ? "it finds and ends what an unconfined bot leaves when it kills its keeper"
              : "with one, the referee could find and end what an unconfined bot leaves when it "
                "kills its keeper",
         docs_folder());
}

static bool bundled_is_there(const struct competitor *bot)
{
    char **words = NULL;
    bool there = command_split(&words, bot->cmd, NULL) == BG_OK && access(words[0], X_OK) == 0;

    free(words);
    return there;
}

static void check_bots(void)
{
    struct registry *registry = NULL;
    struct bg_error err = {.text = ""};
    int bundled = 0, there = 0, own = 0;

    if (registry_open(&registry, &err) != BG_OK) {
        note(BAD, "bots", "%s", err.text);
        return;
    }
    for (int i = 0; i < registry_count(registry); i++) {
        if (strcmp(registry_origin(registry, i), "bundled") == 0) {
            bundled++;
            there += bundled_is_there(registry_at(registry, i));
        } else {
            own++;
        }
    }
    note(there > 0 ? there == bundled ? GOOD : WARN : BAD, "bots", "%d of %d bundled ones in %s",
         there, bundled, registry_bots_dir(registry));
    if (access(registry_user_file(registry), F_OK) == 0) {
        note(GOOD, "config", "%s: own bots: %d", registry_user_file(registry), own);
    } else {
        note(GOOD, "config", "%s: not there, so no bots of your own", registry_user_file(registry));
    }
    registry_close(registry);
}

struct arguments {
    const char *folder;
};

static const struct command_row words[] = {{"folder", COMMAND_TEXT(folder)}, {0}};

static const struct command command = {
    .usage = "[FOLDER|HOST.yaml]",
    .help =
        "Lists what this machine offers to a referee: cores, clock, sync rate of FOLDER (default "
        "./bgref-results, or its parent where it does not exist yet), libraries, bots, gnubg, "
        "Python, what confines bots and each gap in it, cgroups. With the file of a host (bgref "
        "host) "
        "also what that needs: its events' files, folder, admin, clock, page, and the ports and "
        "keys of doors.\v"
        "Exit status 0, or 5 when something is missing that every event needs.",
    .words = words,
};

int cmd_doctor(int argc, char **argv)
{
    struct arguments arguments = {.folder = NULL};
    const char *folder;
    char hosted[1024] = "";
    struct stat about;

    command_read(&command, argc, argv, &arguments);
    folder = arguments.folder;
    if (folder != NULL && stat(folder, &about) == 0 && S_ISREG(about.st_mode)) {
        doctor_host(note, folder, hosted, sizeof hosted);
        folder = hosted[0] == '\0' ? NULL : hosted;
    }
    check_cores();
    check_clock();
    check_proc();
    check_files();
    check_disk(folder == NULL ? "./bgref-results" : folder);
    check_libraries();
    check_http();
    check_bots();
    check_gnubg();
    check_python();
    check_sandbox();
    check_cgroup();
    return bad_count > 0 ? EXIT_SURROUNDINGS : EXIT_DONE;
}
