/* Groups of version 2 are for finding and ending processes; where the memory controller is still
 * in version 1 (hybrid systems) a second group there only counts. Whether groups can be used is
 * tried with a real one (works): rights on the files do not tell, because moving a process also
 * needs a right on the common parent of both groups. */
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
static char charges[CGROUP_PATH];
static bool is_charges_known, counts_memory;

/* ---- where ---- */

/* Whether `list`, words between commas up to a ':', has this word. */
static bool has_word(const char *list, size_t size, const char *word)
{
    const size_t length = strlen(word);

    for (const char *end = list + size; list < end;) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        const size_t part = (size_t)((comma == NULL ? end : comma) - list);

        if (part == length && memcmp(list, word, length) == 0) {
            return true;
        }
        list += part + 1;
    }
    return false;
}

/* Returns the group's name in a line of /proc/PID/cgroup, "NUMBER:CONTROLLERS:/...", if it is of
 * this controller; NULL: it is not. controller NULL: version 2, "0::/...". */
static const char *name_in(const char *line, const char *controller)
{
    const char *list = strchr(line, ':');
    const char *name = list == NULL ? NULL : strchr(list + 1, ':');

    if (name == NULL) {
        return NULL;
    }
    return controller == NULL ? (strncmp(line, "0::", 3) == 0 ? line + 3 : NULL)
           : has_word(list + 1, (size_t)(name - list - 1), controller) ? name + 1
                                                                       : NULL;
}

/* Finds this controller's group in the text of a /proc/PID/cgroup. */
static bool group_name(char *out, size_t size, const char *text, const char *controller)
{
    const char *name = NULL;
    size_t length;

    for (const char *line = text; line != NULL && name == NULL;) {
        const char *end = strchr(line, '\n');
        const char *colons = name_in(line, controller);

        name = colons != NULL && (end == NULL || colons < end) ? colons : NULL;
        line = end == NULL ? NULL : end + 1;
    }
    if (name == NULL || name[0] != '/' ||
        strncmp(name, "/..", 3) == 0) { /* ".." is outside of the groups that we can see */
        return false;
    }
    length = strcspn(name, "\n");
    if (length >= size) {
        return false;
    }
    memcpy(out, name, length);
    out[length] = '\0';
    return true;
}

/* Whether a line of mountinfo is a mount of this controller. `end`: of the line. */
static bool is_mount_of(const char *line, const char *end, const char *controller)
{
    const char *kind = strstr(line, controller == NULL ? " - cgroup2 " : " - cgroup ");
    const char *options = kind;

    if (kind == NULL || kind >= end) {
        return false;
    }
    for (const char *at = kind; at < end; at++) { /* the last word */
        options = *at == ' ' ? at + 1 : options;
    }
    return controller == NULL || has_word(options, (size_t)(end - options), controller);
}

static bool place(char *folder, size_t size, const char *mounts, const char *own,
                  const char *controller)
{
    char name[CGROUP_PATH], root[512], point[512];

    if (!group_name(name, sizeof name, own, controller)) {
        return false;
    }
    for (const char *line = mounts; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');

        if (is_mount_of(line, end == NULL ? line + strlen(line) : end, controller) &&
            sscanf(line, "%*d %*d %*s %511s %511s", root, point) == 2) {
            size_t skip = strcmp(root, "/") == 0 ? 0 : strlen(root);

            if (strncmp(name, root, skip) == 0 && (name[skip] == '/' || name[skip] == '\0')) {
                const char *rest = strcmp(name + skip, "/") == 0 ? "" : name + skip;

                return (size_t)snprintf(folder, size, "%s%s", point, rest) < size;
            }
        }
        line = end == NULL ? NULL : end + 1;
    }
    return false;
}

bool cgroup_place(char *folder, size_t size, const char *mounts, const char *own)
{
    return place(folder, size, mounts, own, NULL);
}

bool cgroup_place_charged(char *folder, size_t size, const char *mounts, const char *own)
{
    return place(folder, size, mounts, own, "memory");
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
    char file[CGROUP_PATH + 16];
    struct cgroup group;
    pid_t pid;
    bool gone = false;

    cgroup_make(&group, folder);
    snprintf(file, sizeof file, "%s/memory.stat", group.path);
    counts_memory = group.fd >= 0 && access(file, R_OK) == 0;
    pid = cgroup_fork(&group);
    if (pid == 0) {
        _exit(0);
    }
    if (pid < 0) {
        counts_memory = false;
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
        !group_name(own_name, sizeof own_name, own, NULL)) {
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

/* Makes and removes a group. */
static bool charges_work(const char *folder)
{
    struct cgroup group = CGROUP_NONE;
    struct statfs kind;
    bool made;

    if (statfs(folder, &kind) != 0 || kind.f_type != CGROUP_SUPER_MAGIC) {
        return false;
    }
    cgroup_make_charged(&group, folder);
    made = group.charged_fd >= 0;
    return cgroup_end(&group) && made;
}

const char *cgroup_charges(void)
{
    static char mounts[MOUNTS_TEXT];
    char own[OWN_TEXT];

    if (!is_charges_known) {
        is_charges_known = true;
        if (tree_read_file(mounts, sizeof mounts, "/proc/self/mountinfo") <= 0 ||
            tree_read_file(own, sizeof own, "/proc/self/cgroup") <= 0 ||
            !cgroup_place_charged(charges, sizeof charges, mounts, own) || !charges_work(charges)) {
            charges[0] = '\0';
        }
    }
    return charges;
}

bool cgroup_counts_memory(void)
{
    return cgroup_charges()[0] != '\0' || (cgroup_base()[0] != '\0' && counts_memory);
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
    /* sscanf() takes more than is written here: signs, zeros, anything behind. Only the exact
     * name is ours. */
    return pid > 1 && strcmp(again, name) == 0;
}

static bool lives(const struct tree_process *keeper)
{
    struct tree_process now;

    /* A number alone may be another process's by now; the start tells them apart. */
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

/* Processes have been killed by then, or are in it only because they left our other group. */
static bool end_charged(struct cgroup *group)
{
    bool gone = true;

    if (group->entry_fd >= 0) {
        close(group->entry_fd);
        group->entry_fd = -1;
    }
    if (group->charged_fd >= 0) {
        end_folder(group->charged_fd, group->charged, &gone);
    }
    if (gone && group->charged_fd >= 0) {
        close(group->charged_fd);
        group->charged_fd = -1;
    }
    return gone;
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
    return end_charged(group) && gone;
}

/* ---- a keeper's ---- */

/* Makes and locks this process's folder; returns its descriptor or -1. */
static int make_folder(char path[CGROUP_PATH], const char *folder)
{
    struct tree_process self;
    int fd;

    if (folder[0] == '\0' || !tree_read(&self, getpid()) ||
        snprintf(path, CGROUP_PATH, "%s/" PREFIX "%d-%llu", folder, (int)getpid(),
                 (unsigned long long)self.started) >= CGROUP_PATH ||
        mkdir(path, 0755) != 0) {
        return -1;
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* The folder itself is locked, since none of our files can be made in it. */
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        rmdir(path);
        if (fd >= 0) {
            close(fd);
        }
        fd = -1;
    }
    return fd;
}

void cgroup_make(struct cgroup *out, const char *folder)
{
    *out = (struct cgroup)CGROUP_NONE;
    out->fd = make_folder(out->path, folder);
}

void cgroup_make_charged(struct cgroup *group, const char *folder)
{
    group->charged_fd = make_folder(group->charged, folder);
    group->entry_fd = group->charged_fd < 0
                          ? -1
                          : openat(group->charged_fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    if (group->charged_fd >= 0 && group->entry_fd < 0) {
        end_charged(group);
    }
}

void cgroup_enter(const struct cgroup *group)
{
    ssize_t written = group->entry_fd < 0 ? 0 : write(group->entry_fd, "0", 1);

    (void)written; /* then the group does not have it, and its memory is counted in /proc */
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
        bool gone;

        end_folder(group->fd, group->path, &gone);
        close(group->fd);
        group->fd = -1;
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

/* Returns the value, 0 if the kernel does not tell it. */
static uint64_t value_or_0(const char *text, const char *name)
{
    uint64_t value = 0;

    (void)value_of(&value, text, name);
    return value;
}

bool cgroup_memory(uint64_t *bytes, const char *path, const struct tree_list *members)
{
    char file[CGROUP_PATH + 16], text[8192];
    uint64_t anonymous, shared, kernel, spare;

    snprintf(file, sizeof file, "%s/memory.stat", path);
    if (tree_read_file(text, sizeof text, file) <= 0 || !value_of(&anonymous, text, "anon") ||
        !value_of(&shared, text, "shmem") || !are_in(path, members)) {
        return false;
    }
    if (!value_of(&kernel, text, "kernel")) { /* Linux before 5.18 */
        kernel = value_or_0(text, "slab") + value_or_0(text, "kernel_stack") +
                 value_or_0(text, "pagetables");
    }
    spare = value_or_0(text, "slab_reclaimable"); /* names and caches of files */
    *bytes =
        anonymous + shared + kernel - (spare < kernel ? spare : kernel) + value_or_0(text, "sock");
    return true;
}

static bool read_file_number(uint64_t *out, const char *path, const char *name)
{
    char file[CGROUP_PATH + 64], text[64];

    snprintf(file, sizeof file, "%s/%s", path, name);
    if (tree_read_file(text, sizeof text, file) <= 0) {
        return false;
    }
    *out = strtoull(text, NULL, 10);
    return true;
}

/* *own: of it, what the processes have themselves. */
static bool read_charged(uint64_t *bytes, uint64_t *own, const char *path)
{
    char file[CGROUP_PATH + 16], text[8192];
    uint64_t used, cache, shared, tcp = 0;

    snprintf(file, sizeof file, "%s/memory.stat", path);
    if (tree_read_file(text, sizeof text, file) <= 0 || !value_of(&cache, text, "total_cache") ||
        !read_file_number(&used, path, "memory.usage_in_bytes")) {
        return false;
    }
    (void)read_file_number(&tcp, path, "memory.kmem.tcp.usage_in_bytes"); /* not in usage */
    shared = value_or_0(text, "total_shmem");
    cache -= shared < cache ? shared : cache;
    *own = value_or_0(text, "total_rss") + shared;
    *bytes = used - (cache < used ? cache : used) + tcp;
    return true;
}

bool cgroup_charged(uint64_t *bytes, const char *path, uint64_t most,
                    const struct tree_list *members)
{
    uint64_t own;

    if (!read_charged(bytes, &own, path) || !are_in(path, members)) {
        return false;
    }
    /* Beyond what the processes hold themselves the rest may be caches that the kernel has not
     * given back yet: it is made to, and the sum is read again. */
    if (*bytes > most && own <= most) {
        char file[CGROUP_PATH + 32];
        int fd;

        snprintf(file, sizeof file, "%s/memory.force_empty", path);
        fd = open(file, O_WRONLY | O_CLOEXEC);
        if (fd >= 0) {
            ssize_t written = write(fd, "0", 1);

            (void)written;
            close(fd);
        }
        return read_charged(bytes, &own, path);
    }
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
        !group_name(name, sizeof name, text, NULL)) {
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
static int sweep_one(const char *folder, const char *name)
{
    char path[CGROUP_PATH + 300];
    struct stat status;
    int count = 0, fd;
    bool gone;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    /* Another user's group stays, and one whose keeper lives and holds the lock. */
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        count = end_folder(fd, path, &gone);
    }
    if (fd >= 0) {
        close(fd);
    }
    return count;
}

static int sweep_folder(const char *folder, pid_t only)
{
    DIR *listing = folder[0] == '\0' ? NULL : opendir(folder);
    struct dirent *entry;
    int count = 0;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        struct tree_process keeper;

        if (name_read(&keeper, entry->d_name) && (only == 0 || only == keeper.pid) &&
            !lives(&keeper)) {
            count += sweep_one(folder, entry->d_name);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return count;
}

int cgroup_sweep(pid_t only)
{
    return sweep_folder(cgroup_base(), only) + sweep_folder(cgroup_charges(), only);
}
