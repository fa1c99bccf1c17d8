/* Two locks. The folder's own cannot be removed; the file's is what a person sees, and what
 * serves where folders cannot be locked. flock and not fcntl: it belongs to the open file and is
 * gone with it, also after a kill, and closing another descriptor of the same file does not lose
 * it. */
#include "host_made.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = "host.lock";

static void note(struct host_made *made, const char *path, bool was_there)
{
    if (made->count < HOST_MADE && path[0] != '\0') {
        snprintf(made->files[made->count].path, sizeof made->files[0].path, "%s", path);
        made->files[made->count++].was_there = was_there;
    }
}

/* A host that was refused may have removed the file between our open and our lock. */
static bool is_same_file(int fd, const char *path)
{
    struct stat own, there;

    return fstat(fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
}

static enum bg_status busy(const char *path, struct bg_error *err)
{
    return bg_error_set(err, BG_E_BUSY, "%s: another host runs with this folder", path);
}

/* The lock file can be removed while a host runs; the folder in which it works cannot. Where
 * folders cannot be locked (NFS) the file has to do. */
static enum bg_status lock_folder(struct host_made *made, const char *folder, struct bg_error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return busy(folder, err);
    }
    made->folder_fd = fd;
    return BG_OK;
}

static enum bg_status take_lock(struct host_made *made, const char *path, struct bg_error *err)
{
    /* First with O_EXCL, which alone tells whether the file is ours to remove again. */
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool was_there = fd < 0 && errno == EEXIST;

    if (was_there) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    if (fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || !is_same_file(fd, path)) {
        close(fd);
        return busy(path, err);
    }
    made->lock_fd = fd;
    note(made, path, was_there);
    return BG_OK;
}

enum bg_status host_made_folder(struct host_made *made, const char *folder, struct bg_error *err)
{
    char path[HOST_PATH + 32];
    enum bg_status status;

    snprintf(made->folder, sizeof made->folder, "%s", folder);
    made->is_new = mkdir(folder, 0750) == 0;
    if (!made->is_new && errno != EEXIST) {
        return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
    }
    status = lock_folder(made, folder, err);
    snprintf(path, sizeof path, "%s/%s", folder, lock_name);
    if (status == BG_OK) {
        status = take_lock(made, path, err);
    }
    if (status != BG_OK && made->is_new) {
        (void)rmdir(folder); /* fails if another host is in it by now */
    }
    return status;
}

void host_made_note(struct host_made *made, const struct host_config *config)
{
    static const char *const names[] = {"host.journal", "host.state", "host.gate",
                                        "host.quarantine", NULL};
    char path[HOST_PATH + 32];

    for (int i = 0; names[i] != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", made->folder, names[i]);
        note(made, path, access(path, F_OK) == 0);
    }
    note(made, config->log, access(config->log, F_OK) == 0);
    note(made, config->door.file, access(config->door.file, F_OK) == 0);
}

/* The lock goes last. */
void host_made_undo(const struct host_made *made)
{
    if (made->lock_fd < 0) {
        return;
    }
    for (int i = made->count - 1; i >= 0; i--) {
        if (!made->files[i].was_there) {
            (void)unlink(made->files[i].path);
        }
    }
    if (made->is_new) {
        (void)rmdir(made->folder);
    }
}

void host_made_close(struct host_made *made)
{
    if (made->lock_fd >= 0) {
        close(made->lock_fd);
    }
    if (made->folder_fd >= 0) {
        close(made->folder_fd);
    }
    made->lock_fd = made->folder_fd = -1;
}
