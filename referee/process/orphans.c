#define _GNU_SOURCE /* memmem */
#include "orphans.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    ENVIRONMENT = 256 * 1024, /* what is looked at of one */
    PASSES = 16,              /* a process may fork while it is looked for */
    CHILDREN = 64 * 1024,     /* what is looked at of their list */
    DEPTH = 8,
    TASKS_MAX = 64
};

/* Reads a file of /proc, terminated; its size, -1 when it cannot be read. */
static ssize_t read_file(char *out, size_t size, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t used = 0, got = 1;

    if (fd < 0) {
        return -1;
    }
    while (got > 0 && (size_t)used < size - 1) {
        got = read(fd, out + used, size - 1 - (size_t)used);
        used += got > 0 ? got : 0;
    }
    close(fd);
    out[used] = '\0';
    return used;
}

/* Calls fn for every process but this one; returns how often it said true. */
static int each_process(bool (*fn)(pid_t pid, const void *user), const void *user)
{
    DIR *listing = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        count += pid > 1 && pid != getpid() && fn(pid, user);
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return count;
}

/* The value of a variable in the environment that pid began with; NULL: none, or not ours to see.
 */
static const char *variable(pid_t pid, const char *name)
{
    static char text[ENVIRONMENT];
    char path[64];
    size_t length = strlen(name);
    ssize_t size;

    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    size = read_file(text, sizeof text, path);
    for (const char *at = text; at < text + size; at += strlen(at) + 1) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            return at + length + 1;
        }
    }
    return NULL;
}

static bool end_marked(pid_t pid, const void *token)
{
    const char *value = variable(pid, "BGREF_TOKEN");

    return value != NULL && strcmp(value, token) == 0 && kill(pid, SIGKILL) == 0;
}

/* As each_process, for the children of this process only; -1: the kernel does not list them. */
static int each_child(bool (*fn)(pid_t pid, const void *user), const void *user)
{
    static char text[CHILDREN];
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    int count = tasks == NULL ? -1 : 0;

    while (count >= 0 && (entry = readdir(tasks)) != NULL) {
        char path[64];
        pid_t child;

        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "/proc/self/task/%.20s/children", entry->d_name);
        if (read_file(text, sizeof text, path) < 0) {
            count = -1;
            break;
        }
        for (char *at = text, *end; (child = (pid_t)strtol(at, &end, 10)) > 0; at = end) {
            count += fn(child, user);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return count;
}

void orphans_end(const char *token)
{
    int adopts = 0, pass = 0, ended = 1;

    if (token[0] == '\0') {
        return;
    }
    /* What an ended process leaves comes to us, if that was arranged. To look at every process of
     * the machine takes milliseconds, in which no table is served. */
    prctl(PR_GET_CHILD_SUBREAPER, &adopts);
    while (pass++ < PASSES && ended > 0) {
        ended = adopts ? each_child(end_marked, token) : -1;
        if (ended < 0) {
            ended = each_process(end_marked, token);
        }
    }
}

/* The parent of a process; 0 when it is gone. */
static pid_t parent_of(pid_t pid)
{
    char path[64], text[1024];
    const char *end;
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (read_file(text, sizeof text, path) <= 0 || (end = strrchr(text, ')')) == NULL ||
        sscanf(end + 1, " %*c %d", &parent) != 1) {
        return 0;
    }
    return (pid_t)parent;
}

static bool end_child(pid_t pid, const void *user)
{
    (void)user;
    if (parent_of(pid) != getpid()) {
        return false;
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return true;
}

void orphans_end_children(void)
{
    int pass = 0;

    while (pass++ < PASSES && each_process(end_child, NULL) > 0) {
    }
}

/* True when the referee whose socket this was is gone: the lock of its folder is there and nobody
 * holds it. Where there is no lock we cannot know (another mount, another program), and let live.
 */
static bool is_orphaned(const char *endpoint)
{
    char path[256];
    const char *slash = strrchr(endpoint, '/');
    bool free_lock;
    int fd;

    if (strncmp(endpoint, "ipc:///", 7) != 0 || slash == NULL ||
        (size_t)snprintf(path, sizeof path, "%.*s/lock", (int)(slash - endpoint - 6),
                         endpoint + 6) >= sizeof path) {
        return false;
    }
    fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return false;
    }
    free_lock = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return free_lock;
}

static bool end_orphan(pid_t pid, const void *user)
{
    const char *endpoint = variable(pid, "BGREF_ENDPOINT");

    (void)user;
    return endpoint != NULL && is_orphaned(endpoint) && kill(pid, SIGKILL) == 0;
}

int orphans_sweep(void)
{
    return each_process(end_orphan, NULL);
}

static uint64_t resident(pid_t pid)
{
    char path[64], text[128];
    unsigned long pages = 0;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    if (read_file(text, sizeof text, path) <= 0 || sscanf(text, "%*u %lu", &pages) != 1) {
        return 0;
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Something of one process that can be summed. */
typedef uint64_t (*measure_fn)(pid_t pid);

static uint64_t sum_of(pid_t pid, measure_fn measure, int depth, int *count);

/* The sum over the children of one thread. */
static uint64_t sum_below(pid_t pid, const char *task, measure_fn measure, int depth, int *count)
{
    char path[96], text[4096];
    uint64_t sum = 0;

    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, task);
    if (read_file(text, sizeof text, path) <= 0) {
        return 0;
    }
    for (char *at = text, *end;; at = end) {
        pid_t child = (pid_t)strtol(at, &end, 10);

        if (end == at) {
            return sum;
        }
        sum += sum_of(child, measure, depth + 1, count);
    }
}

static uint64_t sum_of(pid_t pid, measure_fn measure, int depth, int *count)
{
    char path[64];
    uint64_t sum = measure(pid);
    DIR *tasks = NULL;
    struct dirent *entry;
    int looked_at = 0;

    ++*count;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = depth < DEPTH ? opendir(path) : NULL;
    while (tasks != NULL && looked_at++ < TASKS_MAX && (entry = readdir(tasks)) != NULL) {
        sum += entry->d_name[0] == '.' ? 0 : sum_below(pid, entry->d_name, measure, depth, count);
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return sum;
}

uint64_t orphans_memory(pid_t pid, int *count)
{
    return sum_of(pid, resident, 0, count);
}

static uint64_t cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

int64_t orphans_cpu_ns(pid_t pid)
{
    int count = 0;

    return (int64_t)sum_of(pid, cpu_of, 0, &count);
}
