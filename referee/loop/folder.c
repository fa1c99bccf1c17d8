#define _GNU_SOURCE /* flock */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A path has to fit sun_path with its terminator. */
enum { PATH_LONGEST = 107, STALE_SECONDS = 60, DOOR_LONGEST = 16 /* "/4294967295/bot" */ };

#define FOLDER_NAME "bgref-"
#define SCHEME      "ipc://"

const char *folder_path_of(const char *endpoint)
{
    return endpoint + strlen(SCHEME);
}

static void remove_socket(const char *door)
{
    char path[2 * LINK_ENDPOINT];

    snprintf(path, sizeof path, "%s/bot", door);
    unlink(path);
    rmdir(door);
}

void folder_remove_door(const char *endpoint)
{
    char door[LINK_ENDPOINT];

    snprintf(door, sizeof door, "%s", folder_path_of(endpoint));
    *strrchr(door, '/') = '\0';
    remove_socket(door);
}

static void remove_folder(const char *folder)
{
    char path[2 * LINK_ENDPOINT];
    DIR *listing = opendir(folder);
    struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < LINK_ENDPOINT) {
            remove_socket(path);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
    snprintf(path, sizeof path, "%s/lock", folder);
    unlink(path);
    rmdir(folder);
}

/* Opens and locks folder/lock; -1 when that cannot be, or another has it. */
static int lock_folder(const char *folder, int flags)
{
    char path[LINK_ENDPOINT + 16];
    int fd;

    snprintf(path, sizeof path, "%s/lock", folder);
    fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A killed referee leaves its folder behind: removed when it is ours, its lock is free, and it is
 * old enough not to be one whose owner is about to take the lock. */
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
        remove_folder(folder);
        close(fd);
    }
}

static void sweep(const char *base)
{
    DIR *listing = opendir(base);
    struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        char folder[LINK_ENDPOINT];

        if (strncmp(entry->d_name, FOLDER_NAME, strlen(FOLDER_NAME)) == 0 &&
            (size_t)snprintf(folder, sizeof folder, "%s/%s", base, entry->d_name) < sizeof folder) {
            sweep_folder(folder);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
}

enum bg_status folder_open(struct folder *folder, struct bg_error *err)
{
    const size_t longest = PATH_LONGEST - strlen("/" FOLDER_NAME "XXXXXX") - DOOR_LONGEST;
    const char *base = getenv("XDG_RUNTIME_DIR");
    enum bg_status status;

    *folder = (struct folder){.lock_fd = -1};
    if (base == NULL || base[0] != '/' || access(base, W_OK) != 0) {
        base = getenv("TMPDIR");
    }
    if (base == NULL || base[0] != '/' || strlen(base) > longest) {
        base = "/tmp";
    }
    sweep(base);
    snprintf(folder->path, sizeof folder->path, "%s/" FOLDER_NAME "XXXXXX", base);
    if (mkdtemp(folder->path) == NULL) { /* made 0700 */
        status =
            bg_error_set(err, BG_E_SYSTEM, "make folder %s: %s", folder->path, strerror(errno));
        folder->path[0] = '\0';
        return status;
    }
    folder->lock_fd = lock_folder(folder->path, O_CREAT);
    if (folder->lock_fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "lock folder %s: %s", folder->path, strerror(errno));
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

enum bg_status folder_door(char endpoint[LINK_ENDPOINT], const struct folder *folder,
                           uint32_t number, struct bg_error *err)
{
    char door[2 * LINK_ENDPOINT];

    snprintf(door, sizeof door, "%s/%" PRIu32, folder->path, number);
    if (mkdir(door, 0700) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "make folder %s: %s", door, strerror(errno));
    }
    snprintf(endpoint, LINK_ENDPOINT, SCHEME "%.130s/bot", door);
    return BG_OK;
}
