/* Everything here is asked of the file and not of SQLite: SQLite opens what is there as it finds
 * it, a file of another program too, and reports a file that was removed or replaced much later or
 * never. */
#define _GNU_SOURCE    /* F_OFD_SETLK and flock: held by the open file, so a second open in one    \
                          process    fails too */
#include "store_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "base/plain_file.h"

/* ------------------------------------------------------------------ before it is opened */

/* The header of an SQLite file, 100 bytes, and the beginning of its first page; numbers are
 * big-endian. */
enum { HEADER = 105, AT_VERSION = 60, AT_APPLICATION = 68, AT_PAGE = 100, AT_CELLS = 103 };
enum { PAGE_LEAF = 0x0d }; /* a leaf page of the table of tables, used while it has few rows */
static const char magic[] = "SQLite format 3";

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Formats the mark: "GPKG" if it is four letters, else 0x0f055112. */
static void application_write(char out[16], uint32_t mark)
{
    char letters[5] = {(char)(mark >> 24), (char)(mark >> 16), (char)(mark >> 8), (char)mark, '\0'};
    bool plain = true;

    for (int i = 0; i < 4; i++) {
        plain = plain && isalnum((unsigned char)letters[i]) != 0;
    }
    if (plain) {
        snprintf(out, 16, "%s", letters);
    } else {
        snprintf(out, 16, "0x%08" PRIx32, mark);
    }
}

static enum bg_status check_header(const char *path, const unsigned char *header, size_t size,
                                   struct bg_error *err)
{
    uint32_t application, version;
    char name[16];
    bool is_empty; /* has no table */

    if (size == 0) {
        return BG_OK;
    }
    if (size < HEADER || memcmp(header, magic, sizeof magic) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "results %s: not a results database, nor an SQLite database at all; "
                            "choose another name",
                            path);
    }
    application = number_at(header + AT_APPLICATION);
    version = number_at(header + AT_VERSION);
    is_empty = header[AT_PAGE] == PAGE_LEAF && header[AT_CELLS] == 0 && header[AT_CELLS + 1] == 0;
    if (application == STORE_APPLICATION || (application == 0 && version == 0 && is_empty)) {
        return BG_OK;
    }
    application_write(name, application);
    return bg_error_set(err, BG_E_ARGUMENT,
                        "results %s: a database of another program (application %s, user_version "
                        "%" PRIu32 "), not results of bgref; choose another name",
                        path, application == 0 ? "not said" : name, version);
}

/* SQLite opens these files as it finds them, and waits at a FIFO for ever. */
static enum bg_status check_beside(const char *path, struct bg_error *err)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char name[4096];
        struct stat info;

        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        if (stat(name, &info) == 0 && !S_ISREG(info.st_mode)) {
            return bg_error_set(err, BG_E_ARGUMENT, "results %s: %s is not a plain file; remove it",
                                path, name);
        }
    }
    return BG_OK;
}

enum bg_status store_file_check(const char *path, struct bg_error *err)
{
    unsigned char header[HEADER];
    struct stat info;
    ssize_t size;
    int fd;

    if (check_beside(path, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    if (stat(path, &info) != 0) {
        return BG_OK; /* does not exist yet; opening reports other errors */
    }
    if (!S_ISREG(info.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT, "results %s: %s; name a file, like %s", path,
                            S_ISDIR(info.st_mode) ? "a folder" : "not a plain file",
                            S_ISDIR(info.st_mode) ? "FOLDER/event.db" : "event.db");
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return BG_OK;
    }
    size = read(fd, header, sizeof header);
    close(fd);
    return size < 0 ? BG_OK : check_header(path, header, (size_t)size, err);
}

/* ------------------------------------------------------------------ PATH.lock */

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
            return bg_error_set(err, BG_E_STORE, "results %s: lock file: %s%s", path,
                                strerror(errno),
                                errno == EACCES || errno == EROFS
                                    ? "; they are changed by a user who may write to them and to "
                                      "their folder: let this one, or name another file"
                                    : "");
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

/* ------------------------------------------------------------------ the file, while it is open */

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

static enum bg_status lock_byte(int fd, const char *path, struct bg_error *err)
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
    status = lock_byte(fd, path, err);
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

enum { AT_PAGE_SIZE = 14, AT_FRAMES = 16, INDEX_HEAD = 20 };

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
    memcpy(&page, head + AT_PAGE_SIZE, sizeof page);
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
