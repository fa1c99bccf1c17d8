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
#include <unistd.h>

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

enum bg_status store_lock_open(int *out, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int lock = -1;
    char owner[16];
    char *name = malloc(strlen(path) + sizeof ".lock");

    if (name == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "name of a lock");
        goto done;
    }
    strcpy(name, path);
    strcat(name, ".lock");
    lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) {
        status = bg_error_set(err, BG_E_STORE, "results %s: lock file: %s", path, strerror(errno));
        goto done;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? busy(lock, path, err)
                     : bg_error_set(err, BG_E_STORE, "results %s: lock: %s", path, strerror(errno));
        goto done;
    }

    /* The pid only improves the message; the first commit reports a full disk. */
    int size = snprintf(owner, sizeof owner, "%ld\n", (long)getpid());

    if (ftruncate(lock, 0) != 0 || pwrite(lock, owner, (size_t)size, 0) != size) {
        errno = 0;
    }
    *out = lock;
    lock = -1; /* now the caller's */
done:
    store_lock_close(lock);
    free(name);
    return status;
}

bool store_lock_is_held(const char *path)
{
    char *name = malloc(strlen(path) + sizeof ".lock");
    FILE *file;
    long pid = 0;
    char text[16] = "";

    if (name == NULL) {
        return false;
    }
    strcat(strcpy(name, path), ".lock");
    file = fopen(name, "r");
    free(name);
    if (file == NULL) {
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
