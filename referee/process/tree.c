/* Children are read from /proc/PID/task/TID/children, not found by a walk over all of /proc: it
 * costs the bot's own processes only. The kernel does not promise a whole list while processes
 * come and go, so whoever has to find all of them looks again until there is none (keeper.c). */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CHUNK = 4096, /* bytes read at a time from a list of children */
    LEVELS = 1024 /* longest chain of ancestors that is followed: 10 ms of work */
};

ssize_t tree_read_file(char *out, size_t size, const char *path)
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

bool tree_is_visible(void)
{
    char text[32];
    ssize_t length = readlink("/proc/self", text, sizeof text - 1);

    text[length > 0 ? length : 0] = '\0';
    /* A /proc of another process namespace, as in a badly made container, shows another number
     * or none. */
    return strtol(text, NULL, 10) == getpid();
}

bool tree_read(struct tree_process *out, pid_t pid)
{
    char path[64], text[1024];
    const char *end;
    int parent, session;
    long user, kernel;
    unsigned long long started;

    /* Fields are counted from the last parenthesis: the program's name stands in a pair of them,
     * and may hold blanks and parentheses itself. */
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (pid <= 0 || tree_read_file(text, sizeof text, path) <= 0 ||
        (end = strrchr(text, ')')) == NULL ||
        sscanf(end + 1,
               " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %ld %ld %*d %*d %*d %*d %llu",
               &out->state, &parent, &session, &user, &kernel, &started) != 6) {
        return false;
    }
    out->pid = pid;
    out->parent = parent;
    out->session = session;
    out->started = started;
    out->children_cpu_ns = (user + kernel) * (INT64_C(1000000000) / sysconf(_SC_CLK_TCK));
    return true;
}

pid_t tree_branch(pid_t pid, pid_t top)
{
    struct tree_process process = {.parent = pid};

    for (int level = 0; level < LEVELS && process.parent > 1; level++) {
        if (!tree_read(&process, process.parent)) {
            return 0;
        }
        if (process.parent == top) {
            return process.pid;
        }
    }
    return 0;
}

void tree_list_deinit(struct tree_list *list)
{
    free(list->pids);
    *list = (struct tree_list){.pids = NULL};
}

bool tree_list_add(struct tree_list *list, pid_t pid)
{
    if (list->count == list->room) {
        /* realloc() itself, because the keeper, which uses this file, links the C library only. */
        size_t room = list->room == 0 ? 64 : 2 * list->room;
        pid_t *pids = realloc(list->pids, room * sizeof *pids);

        if (pids == NULL) {
            return false;
        }
        list->pids = pids;
        list->room = room;
    }
    list->pids[list->count++] = pid;
    return true;
}

bool tree_numbers(struct tree_list *list, const char *path)
{
    char chunk[CHUNK];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;
    pid_t number = 0;
    bool good = fd >= 0;

    while (good && (got = read(fd, chunk, sizeof chunk)) > 0) {
        for (ssize_t i = 0; i < got && good; i++) {
            if (chunk[i] >= '0' && chunk[i] <= '9') {
                number = 10 * number + (chunk[i] - '0');
            } else if (number > 0) {
                good = tree_list_add(list, number);
                number = 0;
            }
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* A process's children are listed for each thread. */
static bool append_children(struct tree_list *list, pid_t pid)
{
    char path[96];
    DIR *threads;
    struct dirent *entry;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, entry->d_name);
            tree_numbers(list, path); /* ignore errors: the thread may be gone */
        }
    }
    if (threads != NULL) {
        closedir(threads);
    }
    return threads != NULL;
}

bool tree_children(struct tree_list *list, pid_t pid)
{
    list->count = 0;
    return append_children(list, pid);
}

bool tree_below(struct tree_list *list, pid_t pid)
{
    bool found = tree_children(list, pid);

    for (size_t i = 0; i < list->count; i++) {
        append_children(list, list->pids[i]);
    }
    return found;
}

bool tree_all(struct tree_list *list)
{
    DIR *listing = opendir("/proc");
    struct dirent *entry;

    list->count = 0;
    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 1 && pid != getpid()) {
            tree_list_add(list, pid);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return listing != NULL;
}

int64_t tree_own_cpu_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

int64_t tree_process_cpu_ns(pid_t pid)
{
    struct tree_process process;

    /* The process's own time by its clock, in nanoseconds; what ended children have used stands
     * only in stat, in ticks. */
    return tree_own_cpu_ns(pid) + (tree_read(&process, pid) ? process.children_cpu_ns : 0);
}

int64_t tree_cpu_ns(pid_t pid)
{
    struct tree_list list = {.pids = NULL};
    int64_t sum = tree_process_cpu_ns(pid);

    tree_below(&list, pid);
    for (size_t i = 0; i < list.count; i++) {
        sum += tree_process_cpu_ns(list.pids[i]);
    }
    tree_list_deinit(&list);
    return sum;
}
