#define _GNU_SOURCE /* syscall */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define PREFIX "bgref-bot-"

enum {
    MOUNTS_TEXT = 256 * 1024, /* most bytes read of the list of mounts */
    OWN_TEXT = 8192,          /* ... and of a process's list of groups */
    DEPTH = 16                /* nesting of groups that a bot made in its own group */
};

static char base[CGROUP_PATH];
static char own_name[CGROUP_PATH]; /* this process's group, as /proc names it */
static char about[CGROUP_PATH + 256];
static bool is_known;

/* ---- where ---- */

/* Finds the version 2 group in the text of a /proc/PID/cgroup: the line "0::/...". */
static bool group_name(char *out, size_t size, const char *text)
{
    const char *line = text;
    size_t length;

    while (line != NULL && strncmp(line, "0::/", 4) != 0) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    if (line == NULL ||
        strncmp(line, "0::/..", 6) == 0) { /* ".." is outside of the groups that we can see */
        return false;
    }
    length = strcspn(line + 3, "\n");
    if (length >= size) {
        return false;
    }
    memcpy(out, line + 3, length);
    out[length] = '\0';
    return true;
}

bool cgroup_place(char *folder, size_t size, const char *mounts, const char *own)
{
    char name[CGROUP_PATH], root[512], point[512];
    const char *line = mounts;

    if (!group_name(name, sizeof name, own)) {
        return false;
    }
    for (; line != NULL && *line != '\0'; line = line == NULL ? NULL : line + 1) {
        const char *end = strchr(line, '\n');
        const char *kind = strstr(line, " - cgroup2 ");

        if (kind != NULL && (end == NULL || kind < end) &&
            sscanf(line, "%*d %*d %*s %511s %511s", root, point) == 2) {
            size_t skip = strcmp(root, "/") == 0 ? 0 : strlen(root);

            if (strncmp(name, root, skip) == 0 && (name[skip] == '/' || name[skip] == '\0')) {
                const char *rest = strcmp(name + skip, "/") == 0 ? "" : name + skip;

                return (size_t)snprintf(folder, size, "%s%s", point, rest) < size;
            }
        }
        line = end;
    }
    return false;
}

static bool is_usable(const char *folder)
{
    char path[CGROUP_PATH + 16];
    struct statfs kind;

    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    return statfs(folder, &kind) == 0 && kind.f_type == CGROUP2_SUPER_MAGIC &&
           access(folder, W_OK) == 0 && access(path, W_OK) == 0;
}

/* Tests a group: makes one, starts a process in it, and ends both. */
static bool works(const char *folder)
{
    struct cgroup group;
    pid_t pid;
    bool gone = false;

    cgroup_make(&group, folder);
    pid = cgroup_fork(&group);
    if (pid == 0) {
        _exit(0);
    }
    if (pid < 0) {
        return false;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < 100 && !gone; i++) {
        gone = cgroup_end(&group);
        poll(NULL, 0, gone ? 0 : 1);
    }
    return gone;
}

static void find(void)
{
    static char mounts[MOUNTS_TEXT];
    char own[OWN_TEXT];

    if (tree_read_file(mounts, sizeof mounts, "/proc/self/mountinfo") <= 0 ||
        tree_read_file(own, sizeof own, "/proc/self/cgroup") <= 0 ||
        !cgroup_place(base, sizeof base, mounts, own) ||
        !group_name(own_name, sizeof own_name, own)) {
        snprintf(about, sizeof about, "not used: no cgroups of version 2 are mounted here");
        base[0] = '\0';
    } else if (!is_usable(base)) {
        snprintf(about, sizeof about,
                 "not used: this user may not make a group in %s; start with: systemd-run --user "
                 "--scope -p Delegate=yes bgref ...",
                 base);
        base[0] = '\0';
    } else if (!works(base)) {
        snprintf(about, sizeof about, "not used: no process can be started in a group below %s",
                 base);
        base[0] = '\0';
    } else {
        snprintf(about, sizeof about, "used: every bot gets a group below %s", base);
    }
    is_known = true;
}

const char *cgroup_base(void)
{
    if (!is_known) {
        find();
    }
    return base;
}

const char *cgroup_about(void)
{
    cgroup_base();
    return about;
}

/* ---- names ---- */

/* Reads the keeper's pid and start from a group's name. False: the group is not bgref's. */
static bool name_read(struct tree_process *keeper, const char *name)
{
    char again[64];
    unsigned long long started;
    int pid;

    if (sscanf(name, PREFIX "%d-%llu", &pid, &started) != 2) {
        return false;
    }
    snprintf(again, sizeof again, PREFIX "%d-%llu", pid, started);
    keeper->pid = pid;
    keeper->started = started;
    return pid > 1 && strcmp(again, name) == 0;
}

static bool lives(const struct tree_process *keeper)
{
    struct tree_process now;

    return tree_read(&now, keeper->pid) && now.started == keeper->started && now.state != 'Z';
}

/* ---- ending ---- */

/* Kills a group's processes; returns how many there were. The list has 0 for processes outside our
 * pid namespace. */
static int kill_members(int folder)
{
    char path[64];
    int count = 0;
    struct tree_list pids = {.pids = NULL};

    snprintf(path, sizeof path, "/proc/self/fd/%d/cgroup.procs", folder);
    tree_numbers(&pids, path);
    for (size_t i = 0; i < pids.count; i++) {
        count += pids.pids[i] != getpid() && kill(pids.pids[i], SIGKILL) == 0;
    }
    tree_list_deinit(&pids);
    return count;
}

/* Kills all at once, also processes that are just being forked. */
static void kill_at_once(int folder)
{
    int fd = openat(folder, "cgroup.kill", O_WRONLY | O_CLOEXEC); /* Linux 5.14 */
    ssize_t written;

    if (fd >= 0) {
        written = write(fd, "1", 1);
        (void)written;
        close(fd);
    }
}

static int clear(int folder, int depth)
{
    int count = kill_members(folder);
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again < 0 ? NULL : fdopendir(again);
    struct dirent *entry;

    while (listing != NULL && depth < DEPTH && (entry = readdir(listing)) != NULL) {
        int inner =
            entry->d_type != DT_DIR || entry->d_name[0] == '.'
                ? -1
                : openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (inner >= 0) {
            count += clear(inner, depth + 1);
            close(inner);
            unlinkat(folder, entry->d_name, AT_REMOVEDIR);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    } else if (again >= 0) {
        close(again);
    }
    return count;
}

static int end_folder(int folder, const char *path, bool *gone)
{
    int count = clear(folder, 0);

    kill_at_once(folder);
    *gone = rmdir(path) == 0 || errno == ENOENT;
    return count;
}

void cgroup_kill(const struct cgroup *group)
{
    if (group->fd >= 0) {
        kill_at_once(group->fd);
        clear(group->fd, 0);
    }
}

bool cgroup_end(struct cgroup *group)
{
    bool gone = true;

    if (group->fd >= 0) {
        end_folder(group->fd, group->path, &gone);
    }
    if (gone && group->fd >= 0) {
        close(group->fd);
        group->fd = -1;
    }
    return gone;
}

/* ---- a keeper's ---- */

void cgroup_make(struct cgroup *out, const char *folder)
{
    struct tree_process self;

    out->fd = -1;
    if (folder[0] == '\0' || !tree_read(&self, getpid()) ||
        (size_t)snprintf(out->path, sizeof out->path, "%s/" PREFIX "%d-%llu", folder, (int)getpid(),
                         (unsigned long long)self.started) >= sizeof out->path ||
        mkdir(out->path, 0755) != 0) {
        return;
    }
    out->fd = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->fd < 0 || flock(out->fd, LOCK_EX | LOCK_NB) != 0) {
        rmdir(out->path);
        if (out->fd >= 0) {
            close(out->fd);
        }
        out->fd = -1;
    }
}

/* clone3 starts the child in the group: moving a running process costs the kernel milliseconds. */
pid_t cgroup_fork(struct cgroup *group)
{
    struct clone_args how = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD};
    pid_t pid;

    if (group->fd < 0) {
        return -1;
    }
    how.cgroup = (__u64)group->fd;
    pid = (pid_t)syscall(SYS_clone3, &how, sizeof how); /* Linux 5.7 */
    if (pid < 0) {
        cgroup_end(group);
    }
    return pid;
}

/* Reads the value of a line "NAME VALUE". */
static bool value_of(uint64_t *out, const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += line[0] == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            *out = strtoull(line + length + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

static bool are_in(const char *path, const struct tree_list *members)
{
    char file[CGROUP_PATH + 16];
    struct tree_list inside = {.pids = NULL};
    bool all;

    snprintf(file, sizeof file, "%s/cgroup.procs", path);
    all = tree_numbers(&inside, file);
    for (size_t i = 0; i < members->count && all; i++) {
        size_t at = 0;

        while (at < inside.count && inside.pids[at] != members->pids[i]) {
            at++;
        }
        all = at < inside.count;
    }
    tree_list_deinit(&inside);
    return all;
}

bool cgroup_memory(uint64_t *bytes, const char *path, const struct tree_list *members)
{
    char file[CGROUP_PATH + 16], text[8192];
    uint64_t anonymous, shared;

    snprintf(file, sizeof file, "%s/memory.stat", path);
    if (tree_read_file(text, sizeof text, file) <= 0 || !value_of(&anonymous, text, "anon") ||
        !value_of(&shared, text, "shmem") || !are_in(path, members)) {
        return false;
    }
    *bytes = anonymous + shared;
    return true;
}

/* ---- the referee's view ---- */

pid_t cgroup_dead_keeper(pid_t pid)
{
    char path[64], text[OWN_TEXT], name[CGROUP_PATH];
    struct tree_process keeper;
    size_t length;

    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    if (cgroup_base()[0] == '\0' || tree_read_file(text, sizeof text, path) <= 0 ||
        !group_name(name, sizeof name, text)) {
        return 0;
    }
    length = strcmp(own_name, "/") == 0 ? 0 : strlen(own_name);
    if (strncmp(name, own_name, length) != 0 || name[length] != '/') {
        return 0;
    }
    name[length + 1 + strcspn(name + length + 1, "/")] =
        '\0'; /* the bot may have made groups in its group */
    return name_read(&keeper, name + length + 1) && !lives(&keeper) ? keeper.pid : 0;
}

/* Ends a group of bgref's if its keeper is gone, so that its lock is free. */
static int sweep_one(const char *name)
{
    char path[CGROUP_PATH + 300];
    struct stat status;
    int count = 0, fd;
    bool gone;

    snprintf(path, sizeof path, "%s/%s", base, name);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        count = end_folder(fd, path, &gone);
    }
    if (fd >= 0) {
        close(fd);
    }
    return count;
}

int cgroup_sweep(pid_t only)
{
    DIR *listing = cgroup_base()[0] == '\0' ? NULL : opendir(base);
    struct dirent *entry;
    int count = 0;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        struct tree_process keeper;

        if (name_read(&keeper, entry->d_name) && (only == 0 || only == keeper.pid) &&
            !lives(&keeper)) {
            count += sweep_one(entry->d_name);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return count;
}
