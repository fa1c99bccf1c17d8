/* A lock and not a process's number tells whether a folder's owner lives: the kernel lets go of
 * it at any death, and numbers are used again. Paths are short because sun_path holds 108 bytes;
 * a base that is too long is passed over for /tmp rather than refused. */
#define _GNU_SOURCE /* flock */
#include "folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "removal.h"

/* A path has to fit sun_path with its terminator. */
enum { PATH_LONGEST = 107, STALE_SECONDS = 60, DOOR_LONGEST = 11 /* "/XXXXXX/bot" */ };

#define FOLDER_NAME "bgref-"
#define RANDOM      "XXXXXX" /* as mkdtemp wants it */
#define LOCK_NAME   "lock"
#define LOCK_TEXT   "sockets of a bgref that runs while this file is locked\n"
#define SCHEME      "ipc://"

const char *folder_path_of(const char *endpoint)
{
    return endpoint + strlen(SCHEME);
}

/* While the bot lives, remove only the socket and an empty folder: a bot that fills the folder must
 * not occupy the loop. The rest is removed with the whole folder. */
void folder_remove_door(const char *endpoint)
{
    char door[LINK_ENDPOINT];

    unlink(folder_path_of(endpoint));
    snprintf(door, sizeof door, "%s", folder_path_of(endpoint));
    *strrchr(door, '/') = '\0';
    rmdir(door);
}

/* Removes the lock last: a folder without a lock would never be swept. */
static void remove_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder >= 0) {
        if (removal_empty(folder, LOCK_NAME)) {
            unlinkat(folder, LOCK_NAME, 0);
        }
        close(folder);
        rmdir(path);
    }
}

/* Opens and locks folder/lock. Returns -1 if that fails or another process holds the lock. */
static int lock_folder(const char *folder, int flags)
{
    char path[LINK_ENDPOINT + 16];
    int fd;

    snprintf(path, sizeof path, "%s/" LOCK_NAME, folder);
    fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Only folders made by bgref have a file "lock" with this text. */
static bool is_ours(int lock)
{
    char text[sizeof LOCK_TEXT];

    return pread(lock, text, sizeof text, 0) == (ssize_t)strlen(LOCK_TEXT) &&
           memcmp(text, LOCK_TEXT, strlen(LOCK_TEXT)) == 0;
}

static bool is_name(const char *name)
{
    size_t length = strlen(FOLDER_NAME);

    if (strncmp(name, FOLDER_NAME, length) != 0 || strlen(name) != length + strlen(RANDOM)) {
        return false;
    }
    while (isalnum((unsigned char)name[length])) {
        length++;
    }
    return name[length] == '\0';
}

/* A killed referee leaves its folder behind. Removes a folder if bgref made it, its lock is free,
 * and it is old enough that no referee is about to lock it. */
static void sweep_folder(const char *folder)
{
    struct stat about;
    int fd;

    if (lstat(folder, &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
        time(NULL) - about.st_mtime < STALE_SECONDS) {
        return;
    }
    fd = lock_folder(folder, 0);
    if (fd >= 0) {
        if (is_ours(fd)) {
            remove_folder(folder);
        }
        close(fd);
    }
}

/* The path is looked up as the process sees it: in a container, or below an overlay, another file
 * may have the same name here, and nobody would hold its lock. */
bool folder_is_left(const char *endpoint, pid_t pid)
{
    char folder[LINK_ENDPOINT + 32];
    struct stat about;
    bool is_left;
    int fd;

    if (strncmp(endpoint, SCHEME "/", strlen(SCHEME) + 1) != 0) {
        return false;
    }
    snprintf(folder, sizeof folder, "/proc/%d/root%.150s", (int)pid, folder_path_of(endpoint));
    for (int i = 0; i < 2; i++) { /* the socket, and the folder of its door */
        *strrchr(folder, '/') = '\0';
    }
    fd = lock_folder(folder, 0);
    is_left = fd >= 0 && is_ours(fd) && fstat(fd, &about) == 0 && about.st_uid == geteuid();
    if (fd >= 0) {
        close(fd);
    }
    return is_left;
}

static void sweep(const char *base)
{
    DIR *listing = opendir(base);
    struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        char folder[LINK_ENDPOINT];

        if (is_name(entry->d_name) &&
            (size_t)snprintf(folder, sizeof folder, "%s/%s", base, entry->d_name) < sizeof folder) {
            sweep_folder(folder);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
}

enum bg_status folder_refuse(struct bg_error *err, const char *path, int error)
{
    const char *remedy = error == ENOSPC || error == EDQUOT ? "make room there, or set" : "set";

    return bg_error_set(err, BG_E_SYSTEM,
                        "make a socket for a bot in %.200s: %s; %s XDG_RUNTIME_DIR or TMPDIR "
                        "to another folder",
                        path, strerror(error), remedy);
}

enum bg_status folder_open(struct folder *folder, struct bg_error *err)
{
    const size_t longest = PATH_LONGEST - strlen("/" FOLDER_NAME RANDOM) - DOOR_LONGEST;
    const char *base = getenv("XDG_RUNTIME_DIR");

    *folder = (struct folder){.lock_fd = -1};
    if (base == NULL || base[0] != '/' || access(base, W_OK) != 0) {
        base = getenv("TMPDIR");
    }
    if (base == NULL || base[0] != '/' || strlen(base) > longest) {
        base = "/tmp";
    }
    sweep(base);
    snprintf(folder->path, sizeof folder->path, "%s/" FOLDER_NAME RANDOM, base);
    if (mkdtemp(folder->path) == NULL) { /* mode 0700 */
        folder->path[0] = '\0';
        return folder_refuse(err, base, errno);
    }
    folder->lock_fd = lock_folder(folder->path, O_CREAT);
    if (folder->lock_fd < 0) {
        return folder_refuse(err, base, errno);
    }
    errno = ENOSPC; /* for a short write */
    if (write(folder->lock_fd, LOCK_TEXT, strlen(LOCK_TEXT)) != (ssize_t)strlen(LOCK_TEXT)) {
        return folder_refuse(err, base, errno);
    }
    return BG_OK;
}

void folder_close(struct folder *folder)
{
    if (folder->path[0] != '\0') {
        remove_folder(folder->path);
    }
    if (folder->lock_fd >= 0) {
        close(folder->lock_fd);
    }
    *folder = (struct folder){.lock_fd = -1};
}

/* The name is random: a number would show a bot how many bots were started. */
enum bg_status folder_door(char endpoint[LINK_ENDPOINT], const struct folder *folder,
                           struct bg_error *err)
{
    char door[2 * LINK_ENDPOINT];

    snprintf(door, sizeof door, "%s/" RANDOM, folder->path);
    if (mkdtemp(door) == NULL) { /* mode 0700 */
        return folder_refuse(err, folder->path, errno);
    }
    snprintf(endpoint, LINK_ENDPOINT, SCHEME "%.130s/bot", door);
    return BG_OK;
}
