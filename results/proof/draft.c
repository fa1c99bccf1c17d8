/* A backup is written under another name and renamed when it is whole. The name is always the
 * same, and locked: two at once would write into each other, and a name for each would leave a
 * heap of pieces after crashes. */
#define _GNU_SOURCE /* flock: the open file holds it */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "base/durable.h"

static enum bg_status failed(struct bg_error *err, const char *what, const char *path)
{
    return bg_error_set(err, BG_E_STORE, "%s %s: %s", what, path, strerror(errno));
}

/* Whether the locked file is still the one with this name: another process may have renamed it. */
static bool is_named(int fd, const char *path)
{
    struct stat locked, named;

    return fstat(fd, &locked) == 0 && stat(path, &named) == 0 && locked.st_ino == named.st_ino &&
           locked.st_dev == named.st_dev;
}

/* SQLite would apply a journal that a killed process has left. */
static void remove_journals(const char *path)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *name = memory_print("%s%s", path, ends[i]);

        unlink(name);
        free(name);
    }
}

enum bg_status draft_open(struct draft *out, const char *to, mode_t mode, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct draft draft = DRAFT_INIT;

    draft.path = memory_print("%s.partial", to);
    /* O_NOFOLLOW: in a folder where others may write, a link could point anywhere. */
    draft.fd = open(draft.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (draft.fd < 0) {
        status = failed(err, "create", draft.path);
        goto done;
    }
    if (flock(draft.fd, LOCK_EX | LOCK_NB) != 0 || !is_named(draft.fd, draft.path)) {
        status = bg_error_set(err, BG_E_BUSY, "%s: another backup is writing it", draft.path);
        close(draft.fd);
        draft.fd = -1;
        goto done;
    }
    remove_journals(draft.path);
    /* Only now, with the lock: the file may be the draft that another process was writing a
     * moment ago. */
    if (ftruncate(draft.fd, 0) != 0 || fchmod(draft.fd, mode) != 0) {
        status = failed(err, "prepare", draft.path);
        goto done;
    }
    *out = draft;
    draft = (struct draft)DRAFT_INIT; /* now the caller's */
done:
    draft_close(&draft);
    return status;
}

enum bg_status draft_finish(struct draft *draft, const char *to, struct bg_error *err)
{
    if (!durable_rename(draft->path, to)) {
        return failed(err, "write", to);
    }
    free(draft->path);
    draft->path = NULL;
    return BG_OK;
}

void draft_close(struct draft *draft)
{
    if (draft->path != NULL && draft->fd >= 0) {
        remove_journals(draft->path);
        unlink(draft->path);
    }
    if (draft->fd >= 0) {
        close(draft->fd);
    }
    free(draft->path);
    *draft = (struct draft)DRAFT_INIT;
}

bool draft_is_left(const char *path)
{
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return left;
}
