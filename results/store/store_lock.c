#define _GNU_SOURCE    /* for flock: the open file holds it, so a second open in the same process  \
                          fails too */
#include "store_lock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "base/plain_file.h"
#include "store_place.h"

static enum bg_status busy(int lock, const char *path, struct bg_error *err)
{
    char owner[16] = "";
    ssize_t size = pread(lock, owner, sizeof owner - 1, 0);
    long pid = size > 0 ? strtol(owner, NULL, 10) : 0;

    if (pid > 0) {
        return bg_error_set(err, BG_E_BUSY, "results %s: in use by process %ld", path, pid);
    }
    return bg_error_set(err, BG_E_BUSY, "results %s: in use by another process", path);
}

/* Whether the locked file still has its name: its owner may have removed it (store_lock_remove)
 * between our open and our lock. */
static bool has_name(int lock, const char *name)
{
    struct stat own, there;

    return fstat(lock, &own) == 0 && stat(name, &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
}

static enum bg_status take_lock(int *lock, const char *name, const char *path, struct bg_error *err)
{
    /* Each try loses only against a process that removes the file at this moment; so many in a
     * row mean something else is wrong. */
    enum { TRIES = 100 };
    int error;

    for (int i = 0; i < TRIES; i++) {
        *lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, STORE_PLACE_MODE);
        if (*lock < 0) {
            return bg_error_set(err, BG_E_STORE, "results %s: lock file: %s", path,
                                strerror(errno));
        }
        if (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
            error = errno;
            return error == EWOULDBLOCK ? busy(*lock, path, err)
                                        : bg_error_set(err, BG_E_STORE, "results %s: lock: %s",
                                                       path, strerror(error));
        }
        if (has_name(*lock, name)) {
            return BG_OK;
        }
        close(*lock);
        *lock = -1;
    }
    return bg_error_set(err, BG_E_STORE, "results %s: its lock file is removed again and again",
                        path);
}

static char *lock_name(const char *path)
{
    return memory_print("%s.lock", path);
}

enum bg_status store_lock_open(int *out, const char *path, struct bg_error *err)
{
    char *name = lock_name(path), owner[16];
    int lock = -1;
    enum bg_status status = take_lock(&lock, name, path, err);

    if (status == BG_OK) {
        /* The pid only improves the message; the first commit reports a full disk. */
        int size = snprintf(owner, sizeof owner, "%ld\n", (long)getpid());

        if (ftruncate(lock, 0) != 0 || pwrite(lock, owner, (size_t)size, 0) != size) {
            errno = 0;
        }
        *out = lock;
        lock = -1; /* now the caller's */
    }
    store_lock_close(lock);
    free(name);
    return status;
}

void store_lock_remove(const char *path)
{
    char *name = lock_name(path);
    int lock = -1;

    if (access(name, F_OK) == 0 && take_lock(&lock, name, path, NULL) == BG_OK &&
        access(path, F_OK) != 0) {
        (void)unlink(name);
    }
    store_lock_close(lock);
    free(name);
}

/* By the pid in the file and not by trying the lock: a reader that held it for a moment could
 * make a referee's start fail. */
bool store_lock_is_held(const char *path)
{
    char *name = lock_name(path);
    FILE *file;
    const char *why;
    long pid = 0;
    char text[16] = "";

    why = plain_file_open(&file, name, PLAIN_FILE_ANY);
    free(name);
    if (why != NULL) {
        return false;
    }
    if (fgets(text, sizeof text, file) != NULL) {
        pid = strtol(text, NULL, 10);
    }
    fclose(file);
    return pid > 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

void store_lock_close(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}
