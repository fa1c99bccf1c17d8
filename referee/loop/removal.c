/* Every step goes through a descriptor of the folder that was opened without following links,
 * never through a path: between a look at a path and its removal a process may replace a part of
 * it by a link to somebody else's files. Entries are counted and the count is bounded, since a
 * process may add them as fast as they go. */
#define _GNU_SOURCE /* O_PATH */
#include "removal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES_MOST = 1000000, LEVELS = 8 /* two descriptors each */, NAME = 32 };

struct removal {
    int top;          /* the folder that is emptied */
    const char *keep; /* in it; NULL nothing */
    int entries;      /* removed or moved so far */
    unsigned moved;   /* number of the next name */
};

/* Gives the owner the right to list and change the folder. Works on a descriptor: the name may be a
 * link by now. */
static bool allow(int at, const char *name)
{
    int folder = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char path[NAME];
    bool good;

    if (folder < 0) {
        return false;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    good = chmod(path, S_IRWXU) == 0;
    close(folder);
    return good;
}

static void visit(struct removal *removal, int folder, int level);

static void empty_folder(struct removal *removal, int at, const char *name, int level)
{
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder >= 0) {
        visit(removal, folder, level);
        close(folder);
    }
    removal->entries += unlinkat(at, name, AT_REMOVEDIR) == 0;
}

/* Moves a nested folder to the top, so that any depth needs few descriptors. */
static void lift_folder(struct removal *removal, int folder, const char *name)
{
    char lifted[NAME];

    do {
        snprintf(lifted, sizeof lifted, "removed-%u", removal->moved++);
    } while (faccessat(removal->top, lifted, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    removal->entries += renameat(folder, name, removal->top, lifted) == 0;
}

static void remove_entry(struct removal *removal, int folder, const char *name, int level)
{
    /* Tried first, without asking what it is: the kernel says EISDIR, and no link is followed. */
    if (unlinkat(folder, name, 0) == 0) {
        removal->entries++;
    } else if ((errno == EISDIR || errno == EPERM) && allow(folder, name)) {
        if (level < LEVELS) {
            empty_folder(removal, folder, name, level + 1);
        } else {
            lift_folder(removal, folder, name);
        }
    }
}

static DIR *list(int folder)
{
    /* closedir() closes its descriptor, and the caller's is still needed. */
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = copy < 0 ? NULL : fdopendir(copy);

    if (listing == NULL && copy >= 0) {
        close(copy);
    }
    return listing;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void visit(struct removal *removal, int folder, int level)
{
    DIR *listing = list(folder);
    const struct dirent *entry;

    while (listing != NULL && removal->entries < ENTRIES_MOST &&
           (entry = readdir(listing)) != NULL) {
        bool is_kept =
            level == 0 && removal->keep != NULL && strcmp(entry->d_name, removal->keep) == 0;

        if (!is_kept && !is_dots(entry->d_name)) {
            remove_entry(removal, folder, entry->d_name, level);
        }
    }
    if (listing != NULL) {
        closedir(listing);
    }
}

static bool is_empty(int folder, const char *keep)
{
    DIR *listing = list(folder);
    const struct dirent *entry;
    bool empty = listing != NULL;

    while (empty && (entry = readdir(listing)) != NULL) {
        empty = is_dots(entry->d_name) || (keep != NULL && strcmp(entry->d_name, keep) == 0);
    }
    if (listing != NULL) {
        closedir(listing);
    }
    return empty;
}

bool removal_empty(int folder, const char *keep)
{
    struct removal removal = {.top = folder, .keep = keep};
    int before;

    do { /* folders that were moved up are emptied in the next round */
        before = removal.entries;
        visit(&removal, folder, 0);
    } while (removal.entries > before && removal.entries < ENTRIES_MOST);
    return is_empty(folder, keep);
}

bool removal_folder(const char *path)
{
    int folder = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool good = folder >= 0 && removal_empty(folder, NULL);

    if (folder >= 0) {
        close(folder);
    }
    return rmdir(path) == 0 && good;
}
