/* Two looks, because neither sees all: inotify sees files that are opened and closed at once,
 * but only in watched folders; /proc sees every file that is mapped or open, but only at the
 * moment of a look. fanotify would see both, and needs the rights of root. */
#define _GNU_SOURCE
#include "opened.h"

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "bot/program.h"
#include "../process/tree.h"

enum {
    FOLDERS_MAX = 256, /* watched; a bot's folder may be a whole home */
    DEPTH_MAX = 5,
    FILES_MAX = 4096,
    EVENTS = 65536
};

/* A list of paths; owned. */
struct paths {
    char **list;
    size_t count, room;
};

struct opened {
    int notices; /* inotify; -1: there is none, and folders are not watched */
    struct folder {
        int watch;
        char *path; /* owned */
    } folder[FOLDERS_MAX];
    size_t folders;
    struct paths read, written;
};

/* ----------------------------------------------------------------------- paths */

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void sort_once(struct paths *paths)
{
    size_t kept = 0;

    if (paths->count > 0) {
        qsort(paths->list, paths->count, sizeof paths->list[0], compare);
    }
    for (size_t i = 0; i < paths->count; i++) {
        if (kept > 0 && strcmp(paths->list[kept - 1], paths->list[i]) == 0) {
            free(paths->list[i]);
        } else {
            paths->list[kept++] = paths->list[i];
        }
    }
    paths->count = kept;
}

static void add(struct paths *paths, const char *path)
{
    size_t wanted = paths->count + 1;

    if (paths->count == paths->room) {
        sort_once(paths); /* often the same files again */
        wanted = paths->count < paths->room / 2 ? paths->count + 1 : wanted;
    }
    if (paths->count < FILES_MAX) {
        paths->list = memory_list(paths->list, &paths->room, wanted, sizeof *paths->list);
        paths->list[paths->count++] = memory_text(path);
    }
}

static void paths_deinit(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        free(paths->list[i]);
    }
    free(paths->list);
}

bool opened_path(char *out, size_t size, const char *path)
{
    char folder[PATH_MAX], last[PATH_MAX], real[PATH_MAX];

    snprintf(folder, sizeof folder, "%s", path);
    snprintf(last, sizeof last, "%s", path);
    if (realpath(dirname(folder), real) == NULL) {
        return false;
    }
    snprintf(out, size, "%s/%s", strcmp(real, "/") == 0 ? "" : real, basename(last));
    return true;
}

/* --------------------------------------------------------------------- folders */

/* Whether others than the bot open files there all the time. */
static bool is_shared(const char *folder)
{
    static const char *const shared[] = {"/",        "/bin",     "/etc",       "/lib",
                                         "/opt",     "/sbin",    "/tmp",       "/usr",
                                         "/usr/bin", "/usr/lib", "/usr/games", "/usr/local/bin",
                                         "/var",     "/home",    "/usr/sbin",  "/usr/local"};
    const char *home = getenv("HOME");

    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        if (strcmp(folder, shared[i]) == 0) {
            return true;
        }
    }
    return strncmp(folder, "/proc/", 6) == 0 || strncmp(folder, "/sys/", 5) == 0 ||
           strncmp(folder, "/dev/", 5) == 0 || (home != NULL && strcmp(folder, home) == 0);
}

/* Watches a folder and those below it. */
static void watch_folder(struct opened *opened, const char *path, int depth)
{
    const int number =
        opened->folders == FOLDERS_MAX
            ? -1
            : inotify_add_watch(opened->notices, path, IN_OPEN | IN_CLOSE_WRITE | IN_ONLYDIR);
    struct dirent *entry;
    DIR *folder;

    for (size_t i = 0; i < opened->folders && number >= 0; i++) {
        if (opened->folder[i].watch == number) {
            return; /* it is watched already */
        }
    }
    if (number < 0) {
        return;
    }
    opened->folder[opened->folders].path = memory_text(path);
    opened->folder[opened->folders++].watch = number;
    folder = depth < DEPTH_MAX ? opendir(path) : NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char below[PATH_MAX];

        /* Some file systems do not tell the kind here: folders below are then left to the looks
         * at /proc. */
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
            strcmp(entry->d_name, "__pycache__") != 0 &&
            snprintf(below, sizeof below, "%s/%s", path, entry->d_name) < (int)sizeof below) {
            watch_folder(opened, below, depth + 1);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static void watch_folder_of(void *user, const char *path, bool by_command)
{
    char real[PATH_MAX + NAME_MAX + 2];

    (void)by_command;
    if (opened_path(real, sizeof real, path) && !is_shared(dirname(real))) {
        watch_folder(user, real, 0);
    }
}

struct opened *opened_begin(const struct competitor *bot)
{
    struct opened *opened = memory_zeroed(1, sizeof *opened);
    struct program program;

    opened->notices = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (opened->notices >= 0) {
        program_walk(&program, bot, watch_folder_of, opened);
    }
    return opened;
}

static void take_notice(struct opened *opened, const struct inotify_event *event)
{
    char path[PATH_MAX + NAME_MAX];

    for (size_t i = 0; i < opened->folders; i++) {
        if (opened->folder[i].watch == event->wd && event->len > 0 &&
            (event->mask & IN_ISDIR) == 0) {
            snprintf(path, sizeof path, "%s/%s", opened->folder[i].path, event->name);
            add((event->mask & IN_CLOSE_WRITE) != 0 ? &opened->written : &opened->read, path);
        }
    }
}

static void take_notices(struct opened *opened)
{
    static _Alignas(struct inotify_event) char events[EVENTS];
    ssize_t size;

    while (opened->notices >= 0 && (size = read(opened->notices, events, sizeof events)) > 0) {
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)(events + at);

            take_notice(opened, event);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

/* ------------------------------------------------------------------- processes */

static bool is_plain(const char *path)
{
    struct stat about;

    return strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 &&
           stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void look_at_maps(struct opened *opened, pid_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0;
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps != NULL && getline(&line, &room, maps) > 0) {
        char *name = strchr(line, '/'); /* addresses, rights, device and inode have none */

        line[strcspn(line, "\n")] = '\0';
        if (name != NULL && is_plain(name)) {
            add(&opened->read, name);
        }
    }
    free(line);
    if (maps != NULL) {
        fclose(maps);
    }
}

/* Whether the descriptor is open for reading only; its flags are octal in /proc. */
static bool is_read_only(pid_t pid, const char *number)
{
    char path[96], text[256];
    const char *flags;

    snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", (int)pid, number);
    if (tree_read_file(text, sizeof text, path) < 0) {
        return false;
    }
    flags = strstr(text, "flags:");
    return flags != NULL && (strtol(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) == O_RDONLY;
}

static void look_at_descriptors(struct opened *opened, pid_t pid)
{
    char path[96], name[PATH_MAX];
    struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        ssize_t size;

        snprintf(path, sizeof path, "/proc/%d/fd/%.20s", (int)pid, entry->d_name);
        size = readlink(path, name, sizeof name - 1);
        name[size > 0 ? size : 0] = '\0';
        if (name[0] == '/' && is_plain(name) && is_read_only(pid, entry->d_name)) {
            add(&opened->read, name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

void opened_look(struct opened *opened)
{
    struct tree_list list = {0};
    struct tree_process process;

    if (tree_below(&list, getpid())) {
        for (size_t i = 0; i < list.count; i++) {
            /* Our own children are the keepers, which have files of their own open; bots are
             * below them. */
            if (tree_read(&process, list.pids[i]) && process.parent != getpid()) {
                look_at_maps(opened, list.pids[i]);
                look_at_descriptors(opened, list.pids[i]);
            }
        }
    }
    tree_list_deinit(&list);
    take_notices(opened);
}

const char *const *opened_files(struct opened *opened, size_t *count)
{
    size_t kept = 0;

    take_notices(opened);
    sort_once(&opened->read);
    sort_once(&opened->written);
    for (size_t i = 0; i < opened->read.count; i++) {
        char *path = opened->read.list[i];

        /* What it has written is its state, and not what it is made of: its digest changes with
         * every game. */
        if (!is_plain(path) ||
            (opened->written.count > 0 &&
             bsearch(&path, opened->written.list, opened->written.count, sizeof path, compare))) {
            free(path);
        } else {
            opened->read.list[kept++] = path;
        }
    }
    *count = opened->read.count = kept;
    return (const char *const *)opened->read.list;
}

void opened_destroy(struct opened *opened)
{
    if (opened == NULL) {
        return;
    }
    for (size_t i = 0; i < opened->folders; i++) {
        free(opened->folder[i].path);
    }
    paths_deinit(&opened->read);
    paths_deinit(&opened->written);
    if (opened->notices >= 0) {
        close(opened->notices);
    }
    free(opened);
}
