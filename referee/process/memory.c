/* Two counts. The sum of resident pages is too high where processes share some, but costs a line
 * of /proc; only if it is above the limit are the pages counted by share, for which the kernel
 * walks the page tables of every process while they wait. */
#define _GNU_SOURCE /* major, minor */
#include "memory.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tree.h"

enum {
    DEVICES_MAX = 64, /* file systems in memory, in all their namespaces */
    FILES_MAX =
        1024, /* memfds that are distinguished; further ones count once for each descriptor */
    MOUNTS_TEXT = 256 * 1024 /* most bytes read of a list of mounts */
};

/* Files in memory that are already counted, by device and number. */
struct memory_files {
    uint64_t bytes;
    dev_t devices[DEVICES_MAX]; /* tmpfs of other namespaces than ours */
    size_t device_count;
    struct {
        dev_t device;
        ino_t number;
    } seen[FILES_MAX];
    size_t seen_count;
};

static uint64_t kilobytes(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    unsigned long long value = 0;

    return at != NULL && sscanf(at + strlen(name), " %llu", &value) == 1 ? value * 1024 : 0;
}

/* Page tables: a process that touches one page in each 2 MB has as much of them as of pages. */
static uint64_t tables(pid_t pid)
{
    char path[64], text[4096];

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    return tree_read_file(text, sizeof text, path) <= 0 ? 0 : kilobytes(text, "\nVmPTE:");
}

static uint64_t resident(pid_t pid)
{
    char path[64], text[128];
    unsigned long pages = 0;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    if (tree_read_file(text, sizeof text, path) <= 0 || sscanf(text, "%*u %lu", &pages) != 1) {
        return 0;
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- file systems in memory ---- */

static bool has_device(const dev_t *devices, size_t count, dev_t device)
{
    for (size_t i = 0; i < count; i++) {
        if (devices[i] == device) {
            return true;
        }
    }
    return false;
}

struct memory_mount {
    dev_t device;
    char point[512];
    bool in_memory;
};

/* Reads one line of a mountinfo. Escapes (\040) are kept: no mount of a sandbox has them. */
static bool mount_read(struct memory_mount *out, const char *line)
{
    unsigned major, minor;
    const char *kind = strstr(line, " - ");

    if (kind == NULL || sscanf(line, "%*d %*d %u:%u %*s %511s", &major, &minor, out->point) != 3) {
        return false;
    }
    out->device = makedev(major, minor);
    out->in_memory = strncmp(kind + 3, "tmpfs ", 6) == 0;
    return true;
}

typedef void (*mount_fn)(const struct memory_mount *mount, pid_t pid, void *user);

static void each_mount(pid_t pid, mount_fn fn, void *user)
{
    static char text[MOUNTS_TEXT]; /* a keeper has one thread */
    char path[64];
    char *rest = NULL;

    snprintf(path, sizeof path, "/proc/%d/mountinfo", (int)pid);
    if (tree_read_file(text, sizeof text, path) <= 0) {
        return;
    }
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        struct memory_mount mount;

        if (strstr(line, " - tmpfs ") != NULL && mount_read(&mount, line) && mount.in_memory) {
            fn(&mount, pid, user);
        }
    }
}

struct devices {
    dev_t list[DEVICES_MAX];
    size_t count;
};

static void note_device(const struct memory_mount *mount, pid_t pid, void *user)
{
    struct devices *devices = user;

    (void)pid;
    if (devices->count < DEVICES_MAX) {
        devices->list[devices->count++] = mount->device;
    }
}

/* Returns the host's file systems in memory, which are not counted: it is unknown who writes
 * there. */
static const struct devices *own_devices(void)
{
    static struct devices own;
    static bool known;

    if (!known) {
        known = true;
        each_mount(getpid(), note_device, &own);
    }
    return &own;
}

static void count_mount(const struct memory_mount *mount, pid_t pid, void *user)
{
    const struct devices *own = own_devices();
    struct memory_files *files = user;
    struct statvfs about;
    struct stat root;
    char path[64 + sizeof mount->point];

    if (has_device(own->list, own->count, mount->device) ||
        has_device(files->devices, files->device_count, mount->device) ||
        files->device_count == DEVICES_MAX) {
        return;
    }
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)pid, mount->point);
    /* Another file system may be mounted over it. */
    if (stat(path, &root) == 0 && root.st_dev == mount->device && statvfs(path, &about) == 0) {
        files->devices[files->device_count++] = mount->device;
        files->bytes += (about.f_blocks - about.f_bfree) * about.f_frsize;
    }
}

static ino_t mounts_of(pid_t pid)
{
    char path[64];
    struct stat about;

    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)pid);
    return stat(path, &about) == 0 ? about.st_ino : 0;
}

/* ---- memfds ---- */

static bool is_new(struct memory_files *files, const struct stat *about)
{
    for (size_t i = 0; i < files->seen_count; i++) {
        if (files->seen[i].device == about->st_dev && files->seen[i].number == about->st_ino) {
            return false;
        }
    }
    if (files->seen_count < FILES_MAX) {
        files->seen[files->seen_count].device = about->st_dev;
        files->seen[files->seen_count++].number = about->st_ino;
    }
    return true;
}

static void count_memfds(struct memory_files *files, pid_t pid)
{
    char path[300], target[64];
    struct dirent *entry;
    struct stat about;
    DIR *open_files;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    open_files = opendir(path);
    while (open_files != NULL && (entry = readdir(open_files)) != NULL) {
        ssize_t size;

        snprintf(path, sizeof path, "/proc/%d/fd/%.20s", (int)pid, entry->d_name);
        size = readlink(path, target, sizeof target);
        if (size >= 7 && memcmp(target, "/memfd:", 7) == 0 && stat(path, &about) == 0 &&
            is_new(files, &about)) {
            files->bytes += (uint64_t)about.st_blocks * 512;
        }
    }
    if (open_files != NULL) {
        closedir(open_files);
    }
}

static void count_files(struct memory_files *files, const pid_t *pids, size_t count)
{
    ino_t own = mounts_of(getpid()), last = own;

    for (size_t i = 0; i < count; i++) {
        ino_t mounts = mounts_of(pids[i]);

        count_memfds(files, pids[i]);
        if (mounts != own && mounts != last && mounts != 0) {
            each_mount(pids[i], count_mount, files);
            last = mounts;
        }
    }
}

/* ---- pages, each counted once ---- */

struct pages {
    uint64_t others; /* proportional bytes except those of files in memory */
    uint64_t shared; /* proportional bytes of files in memory, also those without a name */
};

static void pages_add(struct pages *sum, pid_t pid)
{
    char path[64], text[2048];
    uint64_t all, shared;

    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (tree_read_file(text, sizeof text, path) <= 0) {
        sum->others += resident(pid); /* Linux before 4.14 */
        return;
    }
    all = kilobytes(text, "\nPss:");
    shared = kilobytes(text, "\nPss_Shmem:");
    sum->others += all - (shared < all ? shared : all);
    sum->shared += shared;
}

/* Returns true for the first line of a mapping of a file that count_files has counted. */
static bool is_counted_mapping(const char *line, const struct memory_files *files)
{
    unsigned major, minor;

    return strstr(line, " /memfd:") != NULL ||
           (sscanf(line, "%*x-%*x %*4s %*x %x:%x", &major, &minor) == 2 &&
            has_device(files->devices, files->device_count, makedev(major, minor)));
}

/* Returns the proportional bytes of mappings whose files are counted: they would count twice. */
static uint64_t mapped(pid_t pid, const struct memory_files *files)
{
    char path[64], *line = NULL;
    size_t room = 0;
    uint64_t sum = 0;
    bool counts = false;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
    file = fopen(path, "re");
    while (file != NULL && getline(&line, &room, file) > 0) {
        if (line[0] >= 'A' && line[0] <= 'Z') { /* "Pss:   12 kB" */
            sum += counts && strncmp(line, "Pss:", 4) == 0 ? kilobytes(line, "Pss:") : 0;
        } else {
            counts = is_counted_mapping(line, files);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    free(line);
    return sum;
}

static uint64_t exact(const pid_t *pids, size_t count, const struct memory_files *files)
{
    struct pages pages = {.others = 0};
    uint64_t twice = 0;

    for (size_t i = 0; i < count; i++) {
        pages_add(&pages, pids[i]);
    }
    for (size_t i = 0; i < count && pages.shared > 0 && files->bytes > 0; i++) {
        twice += mapped(pids[i], files);
    }
    return pages.others + pages.shared - (twice < pages.shared ? twice : pages.shared) +
           files->bytes;
}

uint64_t memory_held(const pid_t *pids, size_t count, uint64_t enough)
{
    static struct memory_files files; /* large; a keeper has one thread */
    uint64_t sum = 0, page_tables = 0;

    files.device_count = files.seen_count = 0;
    for (size_t i = 0; i < count; i++) {
        sum += resident(pids[i]);
        page_tables += tables(pids[i]);
    }
    files.bytes = page_tables; /* they count once as files do: nobody shares them */
    count_files(&files, pids, count);
    return sum + files.bytes <= enough ? sum + files.bytes : exact(pids, count, &files);
}
