#define _GNU_SOURCE    /* F_OFD_SETLK: held by the open file, so a second open in one process fails \
                          too */
#include "store_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

/* What cannot be asked counts as a folder: making the file reports the true error. */
static bool may_be_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) != 0 || S_ISDIR(info.st_mode);
}

enum bg_status store_place_missing(const char *path, int error, struct bg_error *err)
{
    char usual[400];

    if (error == ENOENT && strchr(path, '/') == NULL &&
        snprintf(usual, sizeof usual, "bgref-results/%s", path) < (int)sizeof usual) {
        if (access(usual, F_OK) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: %s; did you mean %s?", path,
                                strerror(error), usual);
        }
        if (strlen(usual) + 4 < sizeof usual && access(strcat(usual, ".db"), F_OK) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: %s; did you mean %s?", path,
                                strerror(error), usual);
        }
    }
    return bg_error_set(err, error == ENOENT ? BG_E_ARGUMENT : BG_E_STORE, "%s: %s", path,
                        strerror(error));
}

enum bg_status store_place_folders(const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *folder = memory_text(path);

    /* From the second byte on: a path that begins with '/' has no name before it. */
    for (char *at = folder + 1; status == BG_OK && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            status = bg_error_set(err, BG_E_STORE, "results %s: make folder %s: %s", path, folder,
                                  strerror(errno));
        } else if (!may_be_folder(folder)) {
            status = bg_error_set(err, BG_E_ARGUMENT,
                                  "results %s: %s is a file, not a folder; choose another place",
                                  path, folder);
        }
        *at = '/';
    }
    free(folder);
    return status;
}

static enum bg_status lock_names(int fd, const char *path, struct bg_error *err)
{
    /* A byte that no file has, so that the lock is in nobody's way: SQLite's own locks are on bytes
     * around 1 GiB. */
    struct flock last = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};

    /* On a file system without such locks, only PATH.lock protects the file. */
    if (fcntl(fd, F_OFD_SETLK, &last) != 0 && (errno == EAGAIN || errno == EACCES)) {
        return bg_error_set(err, BG_E_BUSY,
                            "results %s: in use by another process under another name of this "
                            "file (a hard link, a symbolic link or a mount); end that one first",
                            path);
    }
    return BG_OK;
}

enum bg_status store_place_take(struct store_place *place, const char *path, struct bg_error *err)
{
    struct stat info;
    enum bg_status status;
    int fd;

    if (place->fd >= 0) {
        return BG_OK;
    }
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, STORE_PLACE_MODE);
    if (fd < 0 || fstat(fd, &info) != 0) { /* SQLite reports the error */
        if (fd >= 0) {
            close(fd);
        }
        return BG_OK;
    }
    status = lock_names(fd, path, err);
    if (status == BG_OK && info.st_nlink > 1) {
        status = bg_error_set(
            err, BG_E_STORE,
            "results %s: the file has %lu names (hard links), and its log is found under only one "
            "of them; remove the others, or continue with a copy of the file",
            path, (unsigned long)info.st_nlink);
    }
    if (status != BG_OK) {
        close(fd);
        return status;
    }
    *place =
        (struct store_place){.fd = fd, .index = -1, .device = info.st_dev, .file = info.st_ino};
    return BG_OK;
}

void store_place_leave(struct store_place *place)
{
    if (place->fd >= 0) {
        close(place->fd);
        place->fd = -1;
    }
    if (place->index >= 0) {
        close(place->index);
        place->index = -1;
    }
}

enum { AT_PAGE = 14, AT_FRAMES = 16, INDEX_HEAD = 20 };

void store_place_watch(struct store_place *place, const char *log)
{
    char *index = memory_text(log);

    if (place->index < 0) {
        memcpy(index + strlen(log) - 3, "shm", 3); /* of "-wal" */
        place->index = open(index, O_RDONLY | O_CLOEXEC);
    }
    free(index);
}

/* Reads from the head of SQLite's index, in the order of bytes of this machine, how many bytes the
 * log must have. False: there is no index. The descriptor stays open as long as SQLite has the
 * file: to close any descriptor of the index drops SQLite's locks on it, and the next program that
 * opens the database then cuts the index that is in use. */
static bool read_log_size(off_t *out, const struct store_place *place)
{
    enum { FILE_HEAD = 32, FRAME_HEAD = 24, LARGEST = 1 /* stands for 65536 */ };
    unsigned char head[INDEX_HEAD];
    uint16_t page;
    uint32_t frames;

    if (place->index < 0 || pread(place->index, head, sizeof head, 0) != (ssize_t)sizeof head) {
        return false;
    }
    memcpy(&page, head + AT_PAGE, sizeof page);
    memcpy(&frames, head + AT_FRAMES, sizeof frames);
    *out = frames == 0
               ? 0
               : FILE_HEAD + (off_t)frames * (FRAME_HEAD + (page == LARGEST ? 65536 : page));
    return true;
}

/* Another program may empty the log in good order, and then changes the index before the file. */
static bool is_cut(const struct store_place *place, const char *log)
{
    off_t before, after;
    struct stat info;

    return read_log_size(&before, place) && stat(log, &info) == 0 && info.st_size < before &&
           read_log_size(&after, place) && after == before;
}

const char *store_place_check(struct store_place *place, const char *path, const char *log)
{
    struct stat info;

    place->log_lost = place->log_cut = false;
    if (place->fd < 0) {
        return NULL;
    }
    if (stat(path, &info) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? "was removed" : NULL;
    }
    if (info.st_dev != place->device || info.st_ino != place->file) {
        return "was replaced by another file";
    }
    if (stat(log, &info) == 0) {
        place->log_lost = place->log != 0 && info.st_ino != place->log;
        place->log = place->log == 0 ? info.st_ino : place->log;
        if (place->log_lost) {
            return "was replaced by another file";
        }
        place->log_lost = place->log_cut = is_cut(place, log);
        return place->log_cut ? "was cut" : NULL;
    }
    place->log_lost = place->log != 0 && errno == ENOENT;
    return place->log_lost ? "was removed" : NULL;
}

bool store_place_has_log(const struct store_place *place, const char *log)
{
    struct stat info;

    return place->log != 0 && stat(log, &info) == 0 && info.st_ino == place->log;
}

bool store_place_met_limit(const char *path, const char *log)
{
    struct rlimit limit;
    struct stat info;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) {
        return false;
    }
    /* Compares with the hard limit, because a soft one can be raised later. The kernel writes what
     * fits, up to the limit itself. */
    return (stat(path, &info) == 0 && (rlim_t)info.st_size >= limit.rlim_max) ||
           (stat(log, &info) == 0 && (rlim_t)info.st_size >= limit.rlim_max);
}
