/* kill_at.c - kills the program that it is loaded into (LD_PRELOAD) with SIGKILL before the step
 * that BGREF_KILL_AT names: "37" is the 37th step, counted from 1, "unlink:2" the second unlink.
 * Steps are the calls that change files: pwrite64 (with which SQLite writes its log), fsync,
 * fdatasync, rename and unlink. Child programs are not killed. "0": nothing is killed, and at the
 * program's end the number of steps is written to the file BGREF_KILL_COUNT. With BGREF_KILL_FULL
 * the step does not kill: from there on every pwrite64 fails as on a full disk. With
 * BGREF_KILL_POWER it is a power cut that takes as much as it may: a rename whose folder was not
 * synced after it, and the bytes of a renamed file that was not synced before it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RENAMES = 64, SYNCED = 1024, PATH = 1024 };

struct renamed {
    char from[PATH], to[PATH],
        old[PATH + 16]; /* old: a second name of the file that was replaced */
    dev_t device;
    ino_t folder;
    bool has_old, is_safe, has_bytes;
};

static pid_t own;
static const char *name = ""; /* of the step; "": any */
static size_t name_size;
static long number;
static atomic_long steps, named;
static const char *count;
static bool fills, cuts;
static atomic_bool is_full;
static struct renamed renamed[RENAMES];
static int rename_count;
static ino_t synced[SYNCED];
static size_t synced_count;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("BGREF_KILL_AT");

    own = getpid();
    if (text != NULL) {
        const char *colon = strchr(text, ':'); /* pwrite64 has a number in its name */

        name = text;
        name_size = colon == NULL ? 0 : (size_t)(colon + 1 - text);
        number = atol(text + name_size);
    }
    count = getenv("BGREF_KILL_COUNT");
    cuts = getenv("BGREF_KILL_POWER") != NULL;
    fills = getenv("BGREF_KILL_FULL") != NULL;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    FILE *file = count == NULL || getpid() != own ? NULL : fopen(count, "w");

    if (file != NULL) {
        fprintf(file, "%ld\n", atomic_load(&steps));
        fclose(file);
    }
}

/* The real function, as a pointer to functions without a type. */
static void (*real(const char *of))(void)
{
    void *symbol = dlsym(RTLD_NEXT, of);
    void (*function)(void);

    memcpy(&function, &symbol, sizeof function);
    return function;
}

static int really_rename(const char *from, const char *to)
{
    return ((int (*)(const char *, const char *))real("rename"))(from, to);
}

static int really_unlink(const char *path)
{
    return ((int (*)(const char *))real("unlink"))(path);
}

/* What was synced before the cut is safe; only the deciding thread renames and syncs folders. */
static void note_sync(int fd)
{
    struct stat info;

    if (!cuts || getpid() != own || fstat(fd, &info) != 0) {
        return;
    }
    if (!S_ISDIR(info.st_mode)) {
        synced[synced_count++ % SYNCED] = info.st_ino;
        return;
    }
    for (int i = 0; i < rename_count; i++) {
        struct renamed *one = &renamed[i];

        if (!one->is_safe && one->device == info.st_dev && one->folder == info.st_ino) {
            one->is_safe = true;
            if (one->has_old) {
                (void)really_unlink(one->old);
            }
        }
    }
}

static bool is_synced(ino_t file)
{
    for (size_t i = 0; i < synced_count && i < SYNCED; i++) {
        if (synced[i] == file) {
            return true;
        }
    }
    return false;
}

static void note_rename(const char *from, const char *to)
{
    struct renamed *one = &renamed[rename_count];
    char folder[PATH];
    struct stat info, file;
    char *slash;

    if (!cuts || getpid() != own || rename_count == RENAMES || stat(from, &file) != 0) {
        return;
    }
    snprintf(folder, sizeof folder, "%s", to);
    slash = strrchr(folder, '/');
    snprintf(slash == NULL ? folder : slash + 1, 2, "%s", slash == NULL ? "." : "");
    if (stat(folder, &info) != 0) {
        return;
    }
    snprintf(one->from, sizeof one->from, "%s", from);
    snprintf(one->to, sizeof one->to, "%s", to);
    snprintf(one->old, sizeof one->old, "%s.old-%d", to, rename_count);
    one->has_old = link(to, one->old) == 0;
    one->has_bytes = is_synced(file.st_ino);
    one->device = info.st_dev;
    one->folder = info.st_ino;
    rename_count++;
}

static void cut(void)
{
    for (int i = rename_count - 1; i >= 0; i--) {
        struct renamed *one = &renamed[i];

        if (!one->has_bytes && truncate(one->to, 0) != 0) {
            perror(one->to);
        }
        if (one->is_safe) {
            continue;
        }
        if (really_rename(one->to, one->from) != 0 ||
            (one->has_old && really_rename(one->old, one->to) != 0)) {
            perror(one->from);
        }
    }
}

static void step(const char *of)
{
    long done;

    if (getpid() != own) {
        return;
    }
    done = atomic_fetch_add(&steps, 1);
    if (name_size > 0) {
        if (name_size != strlen(of) + 1 || strncmp(name, of, name_size - 1) != 0) {
            return;
        }
        done = atomic_fetch_add(&named, 1);
    }
    if (done + 1 == number && fills) {
        atomic_store(&is_full, true);
    } else if (done + 1 == number) {
        if (cuts) {
            cut();
        }
        kill(own, SIGKILL);
    }
}

int fsync(int fd)
{
    step("fsync");
    note_sync(fd);
    return ((int (*)(int))real("fsync"))(fd);
}

int fdatasync(int fd)
{
    step("fdatasync");
    note_sync(fd);
    return ((int (*)(int))real("fdatasync"))(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    step("pwrite64");
    if (atomic_load(&is_full) && getpid() == own) {
        errno = ENOSPC;
        return -1;
    }
    return ((ssize_t(*)(int, const void *, size_t, off64_t))real("pwrite64"))(fd, bytes, size, at);
}

int rename(const char *from, const char *to)
{
    step("rename");
    note_rename(from, to);
    return really_rename(from, to);
}

int unlink(const char *path)
{
    step("unlink");
    return really_unlink(path);
}
