/* Processes with the launcher's set-up for bots. The programs are the system's own: sh, sleep,
 * cat. */
#define _GNU_SOURCE /* setenv beside fcntl's F_DUPFD_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bot/command.h"
#include "loop/folder.h"
#include "loop/loop.h"
#include "process/cgroup.h"
#include "process/launcher.h"
#include "process/tree.h"

#include "support/suite.h"

/* limits: its command, and those that it has. */
static struct process *start_with(struct launch limits)
{
    struct process *process = NULL;

    limits.dir = limits.dir == NULL ? "" : limits.dir;
    limits.endpoint = limits.endpoint == NULL ? "ipc:///tmp/x" : limits.endpoint;
    limits.token = "t0k";
    limits.bot = "tester";
    limits.slot = 3;
    assert_ok(process_start(&process, &limits, &error));
    return process;
}

static struct process *start(const char *cmd, const char *dir)
{
    return start_with((struct launch){.cmd = cmd, .dir = dir});
}

static bool wait_readable(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};

    return poll(&ready, 1, 60000) == 1; /* a busy machine is slow */
}

static void wait_for_end(struct process *process, char *how, size_t size)
{
    while (!process_reap(process, how, size)) {
        ck_assert_msg(wait_readable(process_news_fd(process)), "still alive after 60 s");
    }
}

/* Runs the process to its end; returns all that it wrote. */
static const char *run(struct process *process, char *how, size_t size)
{
    while (process_stderr_fd(process) >= 0) {
        ck_assert_msg(wait_readable(process_stderr_fd(process)), "no end after 60 s");
        process_read_stderr(process);
    }
    wait_for_end(process, how, size);
    return process_stderr_tail(process, NULL);
}

static const struct {
    const char *cmd, *how, *errors; /* errors: all that it wrote */
} runs[] = {
    {"sh -c 'echo out; echo err >&2; exit 3'", "exit 3", "out\nerr\n"},
    {"sh -c 'kill -SEGV $$'", "signal 11 (SIGSEGV)", ""},
    {"sh -c 'kill -KILL $$'", "signal 9 (SIGKILL)", ""},
    {"true", "exit 0", ""},
    {"sh -c 'cat; echo end >&2'", "exit 0", "end\n"}, /* nothing to read */
    {"sh -c 'echo $BGREF_ENDPOINT $BGREF_TOKEN $BGREF_BOT $BGREF_SLOT $ARENA_SLOT >&2'", "exit 0",
     "ipc:///tmp/x t0k tester 3 3\n"},
    {"sh -c 'echo ${A_SECRET-none} ${BGREF_BOTS_DIR-none} $LC_ALL >&2'", "exit 0", "none none C\n"},
    {"env A_SECRET=given sh -c 'echo $A_SECRET >&2'", "exit 0", "given\n"},
    {"sh -c 'ls /proc/self/fd | tr \"\\n\" \" \" >&2'", "exit 0", "0 1 2 3 "}, /* 3: ls itself */
    {"sh -c 'grep -c \"^Sig[BI][lg][kn]:.0000000000000000$\" /proc/self/status >&2'", "exit 0",
     "2\n"},
};

TEST_ROWS(a_process_has_its_arguments_environment_and_descriptors, runs)
{
    char how[64];
    struct process *process;
    const char *errors;
    int stray;

    setenv("A_SECRET", "leaked", 1);
    setenv("BGREF_BOTS_DIR", "/leaked", 1);
    setenv("LC_ALL", "C", 1);
    signal(SIGPIPE, SIG_IGN); /* as in the referee; must not reach the bot */
    stray = fcntl(STDERR_FILENO, F_DUPFD, 50);
    ck_assert_int_ge(stray, 50);
    process = start(runs[_i].cmd, "");
    errors = run(process, how, sizeof how);
    ck_assert_msg(strncmp(how, runs[_i].how, strlen(runs[_i].how)) == 0, "%s: %s", runs[_i].cmd,
                  how);
    ck_assert_msg(strcmp(errors, runs[_i].errors) == 0, "%s: '%s'", runs[_i].cmd, errors);
    process_destroy(process);
    close(stray);
}

TEST(the_working_folder_is_set)
{
    char how[64];
    struct process *process = start("sh -c 'pwd >&2'", "/");

    ck_assert_str_eq(run(process, how, sizeof how), "/\n");
    process_destroy(process);
}

static const struct {
    const char *cmd, *dir;
    enum bg_status status;
    const char *message;
} failures[] = {
    {"/none/such --fast", "", BG_E_START, "program /none/such: No such file"},
    {"bgref-none-such", "", BG_E_START, "program bgref-none-such: No such file"},
    {"/etc/passwd", "", BG_E_START, "chmod +x"},
    {"/", "", BG_E_START, "program /: Permission denied"},
    {"true", "/none/such", BG_E_START, "folder /none/such: No such file"},
    {"true", "/etc/passwd", BG_E_START, "folder /etc/passwd: Not a directory"},
    {"", "", BG_E_ARGUMENT, "command is empty"},
    {"  ", "", BG_E_ARGUMENT, "command is empty"},
    {"true 'x", "", BG_E_ARGUMENT, "single quote is not closed"},
    {"''", "", BG_E_ARGUMENT, "command is empty"},
};

TEST_ROWS(a_failed_start_is_reported_at_once, failures)
{
    struct launch launch = {.cmd = failures[_i].cmd,
                            .dir = failures[_i].dir,
                            .endpoint = "",
                            .token = "",
                            .bot = "tester"};
    struct process *process = NULL;

    ck_assert_int_eq(process_start(&process, &launch, &error), failures[_i].status);
    ck_assert_ptr_null(process);
    ck_assert_msg(strstr(error.text, failures[_i].message) != NULL, "%s", error.text);
    /* nothing is left behind: no child process */
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

/* Reads the number that the process writes first. */
static pid_t first_number(struct process *process)
{
    ck_assert(wait_readable(process_stderr_fd(process)));
    process_read_stderr(process);
    return (pid_t)strtol(process_stderr_tail(process, NULL), NULL, 10);
}

/* Waits until the process is gone or a zombie of init; the grandchildren here belong to others. */
static bool is_gone(pid_t pid)
{
    struct tree_process about;

    for (int i = 0; i < 1000; i++, poll(NULL, 0, 10)) {
        if (!tree_read(&about, pid) || about.state == 'Z') {
            return true;
        }
    }
    return false;
}

TEST(destroying_kills_the_whole_group)
{
    struct process *process = start("sh -c 'sleep 1000 & echo $! >&2; wait'", "");
    pid_t grandchild = first_number(process);
    pid_t child = process_pid(process);

    ck_assert_int_gt(grandchild, 1);
    ck_assert(process_owns(process, child));
    ck_assert(process_owns(process, grandchild));
    ck_assert(!process_owns(process, getpid()));
    ck_assert(!process_owns(process, 1));
    ck_assert(!process_owns(process, 0));
    process_destroy(process);
    ck_assert(is_gone(grandchild));
    ck_assert_int_eq(waitpid(child, NULL, WNOHANG), -1); /* reaped */
}

TEST(the_group_is_killed_when_its_leader_ends)
{
    struct process *process = start("sh -c 'sleep 1000 & echo $! >&2'", "");
    pid_t grandchild = first_number(process);
    char how[64];

    wait_for_end(process, how, sizeof how);
    ck_assert_str_eq(how, "exit 0");
    ck_assert(is_gone(grandchild));
    ck_assert(process_reap(process, how, sizeof how)); /* returns the same again */
    ck_assert_str_eq(how, "exit 0");
    process_destroy(process);
}

TEST(a_process_that_ignores_everything_dies)
{
    struct process *process =
        start("sh -c 'trap \"\" TERM INT HUP; echo 1 >&2; while :; do sleep 1000; done'", "");
    pid_t child = process_pid(process);
    char how[64];

    first_number(process);
    process_signal(process, SIGTERM);
    ck_assert(!process_reap(process, how, sizeof how));
    process_destroy(process);
    ck_assert_int_eq(waitpid(child, NULL, WNOHANG), -1);
}

TEST(signals_reach_the_group)
{
    struct process *process = start("sh -c 'echo 1 >&2; exec sleep 1000'", "");
    char how[64];

    first_number(process);
    process_signal(process, SIGTERM);
    wait_for_end(process, how, sizeof how);
    ck_assert_str_eq(how, "signal 15 (SIGTERM)");
    process_signal(process, SIGTERM); /* the number may be reused */
    process_destroy(process);
}

/* A small referee: starts a bot and is killed. The bot must not outlive it. */
TEST(a_bot_does_not_outlive_the_referee)
{
    int ends[2];
    pid_t referee, bot = 0;

    ck_assert_int_eq(pipe(ends), 0);
    referee = fork();
    if (referee == 0) {
        struct process *process = start("sh -c 'echo 1 >&2; exec sleep 1000'", "");

        first_number(process);
        bot = process_pid(process);
        if (write(ends[1], &bot, sizeof bot) == (ssize_t)sizeof bot) {
            pause();
        }
        _exit(1);
    }
    ck_assert_int_eq(read(ends[0], &bot, sizeof bot), (int)sizeof bot);
    ck_assert_int_eq(kill(bot, 0), 0);
    kill(referee, SIGKILL);
    ck_assert_int_eq(waitpid(referee, NULL, 0), referee);
    ck_assert(is_gone(bot));
}

/* Also with its own session and after its parent has ended. */
TEST(descendants_belong_to_their_process)
{
    struct process *process =
        start("sh -c 'setsid -w sh -c \"sleep 1000 & echo \\$! >&2\"; exec sleep 1000'", "");
    struct process *other = start("sleep 1000", "");
    pid_t orphan = first_number(process);
    clock_t begun = clock();

    ck_assert_int_gt(orphan, 1);
    ck_assert_int_ne(getsid(orphan), getsid(process_pid(process)));
    ck_assert(process_owns(process, orphan));
    ck_assert(!process_owns(other, orphan));
    for (int i = 0; i < 100000; i++) { /* a flood of frames, each of which needs an owner */
        ck_assert(process_owns(process, orphan));
    }
    ck_assert_int_lt(clock() - begun, CLOCKS_PER_SEC);
    process_destroy(process);
    ck_assert_int_eq(kill(orphan, 0), -1); /* gone, not only dead */
    process_destroy(other);
}

/* The kernel needs far longer to free half a gigabyte. */
TEST(ending_a_large_process_does_not_block)
{
    struct process *process = start("/usr/bin/python3 -c 'import sys, time; x = bytearray(b\"x\") "
                                    "* (512 << 20); sys.stderr.write(\"1\\n\"); time.sleep(1000)'",
                                    "");
    pid_t pid = process_pid(process);
    int64_t begun_ns;

    first_number(process);
    ck_assert_uint_gt(process_memory(process), UINT64_C(512) << 20);
    begun_ns = loop_now(NULL);
    process_end(process, NULL, NULL, NULL);
    ck_assert_int_lt((loop_now(NULL) - begun_ns) / 1000000,
                     50); /* a few calls, with room for a shared machine */
    launcher_end();
    ck_assert_int_eq(kill(pid, 0), -1);
}

TEST(shared_pages_count_once)
{
    struct process *process =
        start("/usr/bin/python3 -c 'import mmap, os, sys, time\n"
              "m = mmap.mmap(-1, 64 << 20); m.write(b\"x\" * (64 << 20))\n"
              "a, b = os.pipe()\n"
              "for _ in range(6):\n"
              "  if os.fork() == 0: sum(m[::4096]); os.write(b, b\"x\"); time.sleep(1000)\n"
              "[os.read(a, 1) for _ in range(6)]; sys.stderr.write(\"1\\n\"); time.sleep(1000)'",
              "");
    uint64_t held;

    first_number(process);
    held = process_memory(process);
    ck_assert_uint_gt(held, UINT64_C(64) << 20);
    ck_assert_uint_lt(held, UINT64_C(160) << 20);
    process_destroy(process);
}

/* A memfd counts if it is not mapped; a mapped one counts once. */
TEST(files_in_memory_count_once)
{
    struct process *process = start("/usr/bin/python3 -c 'import mmap, os, sys, time\n"
                                    "a = os.memfd_create(\"a\"); os.write(a, bytes(48 << 20))\n"
                                    "b = os.memfd_create(\"b\"); os.ftruncate(b, 48 << 20)\n"
                                    "m = mmap.mmap(b, 48 << 20); m.write(bytes(48 << 20))\n"
                                    "os.fork(); sys.stderr.write(\"1\\n\"); time.sleep(1000)'",
                                    "");
    uint64_t held;

    first_number(process);
    held = process_memory(process);
    ck_assert_uint_gt(held, UINT64_C(96) << 20);
    ck_assert_uint_lt(held, UINT64_C(140) << 20);
    process_destroy(process);
}

/* The last allowed core, because an unpinned process is seldom there. */
TEST(a_pinned_process_and_its_children_have_one_core)
{
    struct launch launch = {.cmd = "/usr/bin/python3 -c 'import os; child = os.fork(); "
                                   "os.write(2, b\"%r\" % sorted(os.sched_getaffinity(0))); "
                                   "child and os.waitpid(child, 0)'"};
    struct process *process;
    char how[64], expected[64];
    cpu_set_t set;
    int core = 0;

    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    for (int i = 0; i < CPU_SETSIZE; i++) {
        core = CPU_ISSET((size_t)i, &set) ? i : core;
    }
    launch.pin = 1 + core;
    snprintf(expected, sizeof expected, "[%d][%d]", core, core);
    process = start_with(launch);
    ck_assert_str_eq(run(process, how, sizeof how), expected);
    process_destroy(process);
}

TEST(too_much_memory_is_reported)
{
    struct process *process =
        start_with((struct launch){.cmd = "/usr/bin/python3 -c 'import time; x = bytearray(b\"x\") "
                                          "* (80 << 20); time.sleep(1000)'",
                                   .memory_bytes = 64 << 20});
    char how[64];

    while (process_excess(process) == 0) {
        ck_assert(wait_readable(process_news_fd(process)));
    }
    ck_assert_uint_gt(process_excess(process), UINT64_C(64) << 20);
    ck_assert(!process_reap(process, how, sizeof how)); /* its owner ends it */
    process_destroy(process);
}

/* Forks and ends without a pause, every time in a new session: this program is the bot. */
static void run_like_a_comet(void)
{
    if (write(STDERR_FILENO, "1", 1) != 1) {
        return;
    }
    for (;;) {
        if (fork() != 0) {
            _exit(0);
        }
        setsid();
    }
}

TEST(a_chain_of_forks_ends)
{
    char cmd[600], self[512];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    struct process *process;
    int64_t begun_ns;

    ck_assert_int_gt(size, 0);
    self[size] = '\0';
    snprintf(cmd, sizeof cmd, "sh -c '\"%s\" comet & exec sleep 1000'", self);
    process = start(cmd, "");
    first_number(process);
    begun_ns = loop_now(NULL);
    process_destroy(process);
    ck_assert_int_lt((loop_now(NULL) - begun_ns) / 1000000, 4000);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}

static pid_t fork_idle(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        pause();
        _exit(1);
    }
    return pid;
}

/* Orphans of a killed keeper become our children, and end; the caller's processes live. */
TEST(a_bot_ends_when_its_keeper_is_killed)
{
    pid_t callers = fork_idle(), keeper, bare;
    struct process *process;
    struct tree_process about;
    char how[64];

    launcher_begin();
    process = start("sh -c 'setsid sleep 1000 & echo $! >&2; exec sleep 1000'", "");
    bare = first_number(process);
    ck_assert(tree_read(&about, process_pid(process)));
    keeper = about.parent;
    ck_assert_int_ne(keeper, getpid());
    kill(keeper, SIGKILL);
    wait_for_end(process, how, sizeof how);
    ck_assert_str_eq(how, "its keeper was killed");
    process_destroy(process);
    ck_assert_int_eq(kill(bare, 0), -1);
    launcher_end();
    ck_assert_int_eq(waitpid(callers, NULL, WNOHANG), 0);
    kill(callers, SIGKILL);
    ck_assert_int_eq(waitpid(callers, NULL, 0), callers);
}

/* ---- cgroups ---- */

static bool has_groups(void)
{
    if (cgroup_base()[0] == '\0') {
        fprintf(stderr, "skipped: unit_launcher, groups of bots: %s\n", cgroup_about());
        return false;
    }
    return true;
}

/* The relevant line of /proc/PID/cgroup, without "0::". */
static void group_of(char *out, size_t size, pid_t pid)
{
    char path[64], text[4096];
    const char *line;

    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    line = tree_read_file(text, sizeof text, path) < 0 ? NULL : strstr(text, "0::");
    snprintf(out, size, "%.*s", line == NULL ? 0 : (int)strcspn(line + 3, "\n"),
             line == NULL ? "" : line + 3);
}

static pid_t keeper_of_group(char *folder, size_t size, pid_t pid)
{
    char name[512];
    int keeper = 0;
    const char *last;

    group_of(name, sizeof name, pid);
    last = strrchr(name, '/');
    ck_assert_ptr_nonnull(last);
    ck_assert_msg(sscanf(last, "/bgref-bot-%d-", &keeper) == 1, "it is in %s", name);
    snprintf(folder, size, "%s%s", cgroup_base(), last);
    return keeper;
}

TEST(a_bot_has_a_group_of_its_own_until_it_ends)
{
    char folder[1024], other[1024];
    struct process *process, *second;
    pid_t child;

    if (!has_groups()) {
        return;
    }
    process = start("sh -c 'setsid sleep 1000 & echo $! >&2; exec sleep 1000'", "");
    second = start("sleep 1000", "");
    child = first_number(process);
    ck_assert_int_ne(keeper_of_group(folder, sizeof folder, process_pid(process)), getpid());
    keeper_of_group(other, sizeof other, child);
    ck_assert_str_eq(folder, other);
    keeper_of_group(other, sizeof other, process_pid(second));
    ck_assert(strcmp(folder, other) != 0 && access(folder, F_OK) == 0);
    process_destroy(process);
    process_destroy(second);
    ck_assert(access(folder, F_OK) != 0 && access(other, F_OK) != 0);
}

/* Outside its session, with its parents ended, and without the bots' variables. */
TEST(a_group_names_its_owner_after_the_keeper_is_killed)
{
    pid_t callers = fork_idle(), keeper, bare;
    struct process *process, *second;
    char folder[1024], how[64];

    launcher_begin();
    process = start("sh -c '(env -i setsid sleep 1000 & echo $! >&2); exec sleep 1000'", "");
    second = start("sleep 1000", "");
    if (has_groups()) {
        bare = first_number(process);
        keeper = keeper_of_group(folder, sizeof folder, bare);
        kill(keeper, SIGKILL);
        wait_for_end(process, how, sizeof how);
        ck_assert(process_owns(process, bare));
        ck_assert(!process_owns(second, bare));
        process_destroy(process);
        ck_assert_int_eq(kill(bare, 0), -1);
        ck_assert_int_ne(access(folder, F_OK), 0);
    } else {
        process_destroy(process);
    }
    process_destroy(second);
    launcher_end();
    kill(callers, SIGKILL);
    ck_assert_int_eq(waitpid(callers, NULL, 0), callers);
}

/* A process that enters a bot's group is not counted as the bot's. */
TEST(other_processes_are_not_attributed_to_a_bot_by_group)
{
    struct process *process;
    char folder[1024], path[1100], group[512];
    pid_t stranger;
    FILE *file;

    if (!has_groups()) {
        return;
    }
    process = start("sleep 1000", "");
    keeper_of_group(folder, sizeof folder, process_pid(process));
    stranger = fork_idle();
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%d", (int)stranger);
    ck_assert_int_eq(fclose(file), 0);
    group_of(group, sizeof group, stranger);
    ck_assert_ptr_nonnull(strstr(group, "/bgref-bot-"));
    ck_assert(!process_owns(process, stranger));
    process_destroy(process); /* it ends with the group, though */
    ck_assert_int_eq(waitpid(stranger, NULL, 0), stranger);
    ck_assert_int_ne(access(folder, F_OK), 0);
}

/* Makes the group that a killed referee with its keepers would leave, with a process in it. */
static pid_t leave_group(char *folder, size_t size)
{
    int ends[2];
    pid_t keeper, left = 0;

    ck_assert_int_eq(pipe(ends), 0);
    keeper = fork();
    if (keeper == 0) {
        struct cgroup group;

        cgroup_make(&group, cgroup_base());
        left = cgroup_fork(&group);
        if (left == 0) {
            close(group.fd); /* as an exec would: the keeper owns the lock */
            left = getpid();
            if (write(ends[1], &left, sizeof left) == (ssize_t)sizeof left) {
                pause();
            }
            _exit(1);
        }
        _exit(0);
    }
    ck_assert_int_eq(read(ends[0], &left, sizeof left), sizeof left);
    ck_assert_int_gt(left, 0);
    ck_assert_int_eq(keeper_of_group(folder, size, left), keeper);
    ck_assert_int_eq(waitpid(keeper, NULL, 0), keeper);
    close(ends[0]);
    close(ends[1]);
    return left;
}

TEST(only_abandoned_groups_are_removed)
{
    char left_folder[1024], foreign[1024];
    struct process *process;
    char how[64];
    pid_t left;

    if (!has_groups()) {
        return;
    }
    launcher_begin(); /* orphans become our children, so that we can wait for them */
    process = start("sleep 1000", "");
    snprintf(foreign, sizeof foreign, "%s/bgref-bot-of-somebody-%d", cgroup_base(), (int)getpid());
    ck_assert_int_eq(mkdir(foreign, 0755), 0);
    left = leave_group(left_folder, sizeof left_folder);
    ck_assert_int_ge(launcher_begin(), 1);
    ck_assert_int_eq(waitpid(left, NULL, 0), left); /* killed */
    cgroup_sweep(0);
    ck_assert_int_ne(access(left_folder, F_OK), 0);
    ck_assert_int_eq(rmdir(foreign), 0);
    ck_assert(!process_reap(process, how, sizeof how));
    process_destroy(process);
}

/* The owner of a socket lives as long as the lock of its folder is held that the bot sees: in a
 * container another file may have its name. Who tries a bot by hand has set the variable in the
 * session from which we were started. */
TEST(only_bots_without_an_owner_are_removed)
{
    struct folder folder, other;
    char socket[LINK_ENDPOINT], command[400], how[64] = "", *by_hand[] = {"sleep", "1000", NULL};
    struct process *process, *elsewhere;
    int status;
    pid_t pid;

    ck_assert(folder_open(&folder, NULL) == BG_OK && folder_open(&other, NULL) == BG_OK);
    ck_assert_int_eq(folder_door(socket, &folder, NULL), BG_OK);
    snprintf(command, sizeof command,
             "unshare -rm sh -c 'mount --bind %s %s && echo 1 && exec sleep 1000'", other.path,
             folder.path);
    process = start_with((struct launch){.cmd = "sleep 1000", .endpoint = socket});
    elsewhere = start_with((struct launch){.cmd = command, .endpoint = socket});
    pid = first_number(elsewhere); /* 0: no mounts here */
    launcher_begin();
    ck_assert(!process_reap(process, how, sizeof how));
    flock(folder.lock_fd, LOCK_UN); /* as the kernel does for a killed referee */
    for (int i = 0; i < 1000 && !process_reap(process, how, sizeof how); i++) {
        launcher_begin(); /* or another one on this machine finds it */
    }
    ck_assert_str_eq(how, "signal 9 (SIGKILL)");
    process_signal(elsewhere, SIGTERM);
    wait_for_end(elsewhere, how, sizeof how);
    ck_assert(pid == 0 || strcmp(how, "signal 15 (SIGTERM)") == 0);
    setenv("BGREF_ENDPOINT", socket, 1);
    ck_assert_int_eq(posix_spawnp(&pid, by_hand[0], NULL, NULL, by_hand, environ), 0);
    unsetenv("BGREF_ENDPOINT"); /* other tests may run in this process too */
    launcher_begin();
    kill(pid, SIGTERM);
    ck_assert(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGTERM);
    process_destroy(process);
    process_destroy(elsewhere);
    folder_close(&folder);
    folder_close(&other);
}

static const struct {
    const char *mounts, *own, *folder; /* NULL: there is none */
} places[] = {
    {"31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
     "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
     "8:pids:/x\n0::/\n", "/sys/fs/cgroup/unified"},
    {"30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
     "0::/user.slice/run-7.scope\n", "/sys/fs/cgroup/user.slice/run-7.scope"},
    {"30 23 0:26 /docker/a /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker/a/b\n",
     "/sys/fs/cgroup/b"},
    {"30 23 0:26 /docker/a /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/docker/ab\n", NULL},
    {"30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/../beside\n", NULL},
    {"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", "1:cpu:/\n", NULL},
    {"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", "1:cpu:/\n0::/\n", NULL},
    {"", "", NULL},
};

TEST_ROWS(the_own_group_is_found, places)
{
    char folder[256] = "";
    bool found = cgroup_place(folder, sizeof folder, places[_i].mounts, places[_i].own);

    ck_assert_int_eq(found, places[_i].folder != NULL);
    ck_assert_str_eq(folder, found ? places[_i].folder : "");
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static const struct {
    const char *mounts, *own, *folder;
} charged_places[] = {
    {"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
     "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
     "33 31 0:30 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n",
     "5:cpu:/other\n4:memory:/a/b\n0::/\n", "/sys/fs/cgroup/memory/a/b"},
    {"33 31 0:30 /docker /sys/fs/cgroup/both rw - cgroup cgroup rw,cpu,memory\n",
     "4:cpu,memory:/docker\n", "/sys/fs/cgroup/both"},
    {"33 31 0:30 / /sys/fs/cgroup/x rw - cgroup cgroup rw,memoryless\n", "4:memory:/a\n", NULL},
    {"33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "0::/a\n", NULL},
    {"30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw,memory\n", "0::/a\n4:memory:/a\n", NULL},
};

TEST_ROWS(the_memory_controller_of_version_1_is_found, charged_places)
{
    char folder[256] = "";
    bool found = cgroup_place_charged(folder, sizeof folder, charged_places[_i].mounts,
                                      charged_places[_i].own);

    ck_assert_int_eq(found, charged_places[_i].folder != NULL);
    ck_assert_str_eq(folder, found ? charged_places[_i].folder : "");
}

/* The same with the files of version 1. */
TEST(charged_memory_excludes_the_page_cache_only)
{
    static const char *const files[] = {"memory.stat", "cgroup.procs", "memory.usage_in_bytes",
                                        "memory.kmem.tcp.usage_in_bytes"};
    char folder[] = "/tmp/bgref-test-group-XXXXXX", path[128];
    pid_t pids[] = {7};
    struct tree_list members = {.pids = pids, .count = 1};
    uint64_t bytes = 1;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(!cgroup_charged(&bytes, folder, 1 << 20, &members));
    write_file(folder, files[0],
               "cache 1\nrss 2\ntotal_cache 9000\ntotal_rss 500\ntotal_shmem 4000\n");
    write_file(folder, files[1], "7\n");
    write_file(folder, files[2], "10000\n");
    write_file(folder, files[3], "30\n");
    ck_assert(cgroup_charged(&bytes, folder, 1 << 20, &members));
    ck_assert_uint_eq(bytes, 10000 - (9000 - 4000) + 30);
    write_file(folder, files[1], "70\n");
    ck_assert(!cgroup_charged(&bytes, folder, 1 << 20, &members));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

/* What a bot can hold where no page of a process shows it; each takes some 150 MB. */
static const struct {
    const char *name, *program;
    bool needs_group;
} hoards[] = {
    {"pages", "held = b'x' * (150 << 20)", false},
    {"sockets",
     "import socket\n"
     "held = []\n"
     "for i in range(900):\n"
     "    held += socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)\n"
     "    held[-1].setblocking(False)\n"
     "    try:\n"
     "        while True: held[-1].send(b'x' * 65536)\n"
     "    except OSError: pass\n",
     true},
    {"memfds in flight",
     "import socket, array\n"
     "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
     "for i in range(5):\n"
     "    f = os.memfd_create('hoard')\n"
     "    for k in range(30): os.write(f, b'x' * (1 << 20))\n"
     "    a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [f]))])\n"
     "    os.close(f)\n",
     true},
    {"page tables",
     "import mmap\n"
     "size = 80 << 30\n"
     "m = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)\n"
     "m.madvise(15)\n" /* MADV_NOHUGEPAGE */
     "for at in range(0, size, 2 << 20): m[at]\n",
     false},
};

/* The soft and the hard limit, so that a bot cannot raise it. */
static const struct {
    int asked;
    const char *told;
} open_files[] = {{0, "[128 128]"}, {100, "[100 100]"}};

TEST_ROWS(a_bot_has_few_open_files, open_files)
{
    struct process *process = start_with((struct launch){
        .cmd = "/usr/bin/python3 -c 'import resource as r, sys; sys.stderr.write(\"[%d %d]\" % "
               "r.getrlimit(r.RLIMIT_NOFILE))'",
        .open_files = open_files[_i].asked});
    char how[64];

    ck_assert_str_eq(run(process, how, sizeof how), open_files[_i].told);
    process_destroy(process);
}

TEST_ROWS(memory_is_charged_where_it_is, hoards)
{
    char command[1400];
    struct process *process;
    struct pollfd news;

    if (hoards[_i].needs_group && !cgroup_counts_memory()) {
        fprintf(stderr, "skipped: unit_launcher, %s: no memory controller\n", hoards[_i].name);
        return;
    }
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"import os, time, resource\n%s\ntime.sleep(1000)\"",
             hoards[_i].program);
    process =
        start_with((struct launch){.cmd = command, .open_files = 4096, .memory_bytes = 64 << 20});
    news = (struct pollfd){process_news_fd(process), POLLIN, 0};
    for (int i = 0; i < 100 && process_excess(process) == 0; i++) {
        (void)poll(&news, 1, 100);
    }
    ck_assert_msg(process_excess(process) > UINT64_C(64) << 20, "%s: not charged", hoards[_i].name);
    process_destroy(process);
}

/* A folder with the kernel's files: few machines allow cgroups in tests. */
TEST(group_memory_excludes_the_page_cache)
{
    char folder[] = "/tmp/bgref-test-group-XXXXXX", path[128];
    pid_t pids[] = {70, 7};
    struct tree_list members = {.pids = pids, .count = 2};
    uint64_t bytes = 1;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(!cgroup_memory(&bytes, folder, &members)); /* not counted there */
    write_file(folder, "memory.stat",
               "anon 3000\nfile 999999\nkernel 900\nshmem 4096\nsock 50\nslab_reclaimable 300\n"
               "slab 500\nanon_thp 77\n");
    write_file(folder, "cgroup.procs", "7\n70\n700\n");
    ck_assert(cgroup_memory(&bytes, folder, &members));
    ck_assert_uint_eq(bytes, 3000 + 4096 + 900 - 300 + 50);
    write_file(folder, "cgroup.procs", "7\n700\n"); /* one has left the group */
    ck_assert(!cgroup_memory(&bytes, folder, &members));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "memory.stat" : "cgroup.procs");
        unlink(path);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

TEST(the_tail_of_much_output_is_kept)
{
    struct process *process = start("sh -c 'seq 1 60000 >&2; printf end >&2'", "");
    char how[64];
    const char *tail = run(process, how, sizeof how);

    ck_assert_uint_eq(strlen(tail), 64 * 1024);
    ck_assert_str_eq(tail + 64 * 1024 - 9, "60000\nend");
    process_destroy(process);
}

TEST(an_endless_writer_does_not_block_its_reader)
{
    struct process *process = start("sh -c 'yes >&2'", "");

    ck_assert(wait_readable(process_stderr_fd(process)));
    process_read_stderr(process); /* returns */
    ck_assert_int_ge(process_stderr_fd(process), 0);
    process_destroy(process);
}

TEST(cpu_time_is_measured)
{
    struct process *process = start(
        "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo 1 >&2; sleep 1000'", "");
    char how[64];

    first_number(process);
    ck_assert_int_gt(process_cpu_ns(process), 1000000);
    process_signal(process, SIGKILL);
    wait_for_end(process, how, sizeof how);
    ck_assert_int_gt(process_cpu_ns(process), 1000000);
    process_destroy(process);
    process_destroy(NULL);
}

/* ---- command lines ---- */

static const struct {
    const char *text, *words; /* words separated by bars; NULL: refused */
} splits[] = {
    {"a", "a|"},
    {"  a  b\tc\n", "a|b|c|"},
    {"a 'b c' d", "a|b c|d|"},
    {"a \"b c\" d", "a|b c|d|"},
    {"a b\\ c", "a|b c|"},
    {"a 'b\\'", "a|b\\|"},
    {"a \"b\\\"c\\\\d\\e\"", "a|b\"c\\d\\e|"},
    {"a '' \"\"", "a|||"},
    {"a'b'\"c\"d", "abcd|"},
    {"a $HOME *;|&", "a|$HOME|*;|&|"},
    {"a 'it'\\''s'", "a|it's|"},
    {"x y z x y z x y z", "x|y|z|x|y|z|x|y|z|"},
    {"a \"b", NULL},
    {"a 'b", NULL},
    {"a \\", NULL},
    {"", NULL},
};

TEST_ROWS(commands_split_like_a_shell_would, splits)
{
    char **words = NULL;
    char text[256] = "";
    enum bg_status status = command_split(&words, splits[_i].text, NULL);

    if (splits[_i].words == NULL) {
        ck_assert_msg(status == BG_E_ARGUMENT, "taken: %s", splits[_i].text);
        return;
    }
    ck_assert_int_eq(status, BG_OK);
    for (int i = 0; words[i] != NULL; i++) {
        strcat(strcat(text, words[i]), "|");
    }
    free(words);
    ck_assert_str_eq(text, splits[_i].words);
}

TEST(quoted_words_split_back)
{
    static const char *const words[] = {"plain",  "a b", "it's",         "",  "\"",  "\\",
                                        "$x;y&z", "'''", "option.A=b c", "*", "\t\n"};
    char text[256] = "";
    char **again = NULL;
    int count = (int)(sizeof words / sizeof words[0]);

    for (int i = 0; i < count; i++) {
        ck_assert(command_append(text, sizeof text, words[i]));
    }
    ck_assert_int_eq(command_split(&again, text, NULL), BG_OK);
    for (int i = 0; i < count; i++) {
        ck_assert_str_eq(again[i], words[i]);
    }
    ck_assert_ptr_null(again[count]);
    free(again);
}

/* For every buffer size: nothing is written past it, and a refusal changes nothing. */
TEST(appending_never_writes_past_the_buffer)
{
    static const char *const words[] = {"abcdef", "a b", "''''", ""};

    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        for (size_t room = 2; room < 40; room++) {
            char text[64];

            memset(text, '#', sizeof text);
            memcpy(text, "x", 2);
            if (!command_append(text, room, words[w])) {
                ck_assert_str_eq(text, "x");
            } else {
                ck_assert_uint_lt(strlen(text), room);
            }
            for (size_t i = room; i < sizeof text; i++) {
                ck_assert_int_eq(text[i], '#');
            }
        }
    }
}

void suite_begin(TCase *tests)
{
    if (suite_argument != NULL && strcmp(suite_argument, "comet") == 0) {
        run_like_a_comet();
        exit(EXIT_FAILURE);
    }
}
