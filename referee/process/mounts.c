/* /proc/self/mountinfo and not /proc/mounts, which does not say what part of a file system a
 * mount shows: a bind mount would look like the whole. A later mount over the same point covers
 * the earlier one, so the kernel's own number of the mount is asked for where it is known. */
#define _GNU_SOURCE /* statx */
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

struct mounts_mount {
    unsigned long long id;
    char device[24]; /* major:minor in the kernel's form; for btrfs stat() gives another number */
    char *root;      /* the path within its file system that is mounted ... */
    char *point;     /* ... here */
};

struct mounts {
    struct mounts_mount *list; /* later ones cover earlier ones */
    size_t count, room;
};

bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    if (length == 1 && folder[0] == '/') {
        return path[0] == '/';
    }
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* Decodes spaces, tabs, line ends and backslashes, which are written as three octal digits. */
static char *unescape(const char *word)
{
    char *copy = memory_text(word), *to = copy;

    while (*word != '\0') {
        int code = 0;

        if (word[0] == '\\' && strspn(word + 1, "01234567") >= 3) {
            for (int i = 1; i <= 3; i++) {
                code = code * 8 + (word[i] - '0');
            }
            *to++ = (char)code;
            word += 4;
        } else {
            *to++ = *word++;
        }
    }
    *to = '\0';
    return copy;
}

/* Reads a line: id parent major:minor root point options ... Skips an invalid line. */
static void read_line(struct mounts *mounts, char *line)
{
    char *rest = NULL, *words[5];
    struct mounts_mount *mount;

    for (int i = 0; i < 5; i++) {
        words[i] = strtok_r(i == 0 ? line : NULL, " \n", &rest);
        if (words[i] == NULL) {
            return;
        }
    }
    mounts->list = memory_list(mounts->list, &mounts->room, mounts->count + 1, sizeof *mount);
    mount = &mounts->list[mounts->count++];
    mount->id = strtoull(words[0], NULL, 10);
    snprintf(mount->device, sizeof mount->device, "%s", words[2]);
    mount->root = unescape(words[3]);
    mount->point = unescape(words[4]);
}

enum bg_status mounts_read(struct mounts **out, struct bg_error *err)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t room = 0;

    if (file == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "sandbox: /proc/self/mountinfo: %s", strerror(errno));
    }
    *out = memory_zeroed(1, sizeof **out);
    while (getline(&line, &room, file) > 0) {
        read_line(*out, line);
    }
    free(line);
    fclose(file);
    return BG_OK;
}

void mounts_free(struct mounts *mounts)
{
    for (size_t i = 0; mounts != NULL && i < mounts->count; i++) {
        free(mounts->list[i].root);
        free(mounts->list[i].point);
    }
    if (mounts != NULL) {
        free(mounts->list);
    }
    free(mounts);
}

/* Returns the mount of path: from the kernel, or, before Linux 5.8, the last of the mounts with the
 * longest point above it. NULL: none. */
static const struct mounts_mount *mount_of(const struct mounts *mounts, const char *path)
{
    const struct mounts_mount *found = NULL;
    struct statx about = {.stx_mask = 0};
    bool known = statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &about) == 0 &&
                 (about.stx_mask & STATX_MNT_ID) != 0;

    for (size_t i = 0; i < mounts->count; i++) {
        const struct mounts_mount *mount = &mounts->list[i];

        if (known ? mount->id == about.stx_mnt_id
                  : is_below(path, mount->point) &&
                        (found == NULL || strlen(mount->point) >= strlen(found->point))) {
            found = mount;
        }
    }
    return found;
}

/* Returns the part of path after folder: "" or "/...". */
static const char *rest_of(const char *path, const char *folder)
{
    const char *rest = path + (strcmp(folder, "/") == 0 ? 0 : strlen(folder));

    return strcmp(rest, "/") == 0 ? "" : rest;
}

static void join(char out[PATH_MAX], const char *folder, const char *rest)
{
    snprintf(out, PATH_MAX, "%s%s", rest[0] != '\0' && strcmp(folder, "/") == 0 ? "" : folder,
             rest);
}

/* A part of a file system and the path where it is visible. */
struct piece {
    const char *device, *root, *point;
};

/* Finds the path at which secret, at `inside` of its device, is visible in the piece. False: it is
 * not.
 */
static bool seen_through(char out[PATH_MAX], const struct piece *piece, const char *secret,
                         const struct piece *whole)
{
    struct stat one, other;

    if (strcmp(piece->device, whole->device) != 0) {
        return false;
    }
    if (is_below(piece->root, whole->root)) { /* a part of the secret is mounted here */
        snprintf(out, PATH_MAX, "%s", piece->point);
        return true;
    }
    if (!is_below(whole->root, piece->root)) {
        return false;
    }
    join(out, piece->point, rest_of(whole->root, piece->root));
    /* Another file system may be mounted over it. */
    return stat(out, &one) == 0 && stat(secret, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Finds the piece of path's device that path shows. */
static bool piece_of(struct piece *out, char root[PATH_MAX], const struct mounts *mounts,
                     const char *path)
{
    const struct mounts_mount *mount = mount_of(mounts, path);

    if (mount == NULL) {
        return false;
    }
    join(root, mount->root, rest_of(path, mount->point));
    *out = (struct piece){mount->device, root, path};
    return true;
}

void mounts_find(const struct mounts *mounts, const char *secret, const char *folder, seen_fn *seen,
                 void *user)
{
    char secret_root[PATH_MAX], folder_root[PATH_MAX], path[PATH_MAX];
    struct piece whole, view;

    if (!piece_of(&whole, secret_root, mounts, secret) ||
        !piece_of(&view, folder_root, mounts, folder)) {
        /* the mount is unknown: compare the paths' text instead */
        if (is_below(secret, folder)) {
            seen(user, secret);
        } else if (is_below(folder, secret)) {
            seen(user, folder);
        }
        return;
    }
    if (seen_through(path, &view, secret, &whole)) {
        seen(user, path);
    }
    for (size_t i = 0; i < mounts->count; i++) {
        const struct mounts_mount *mount = &mounts->list[i];

        view = (struct piece){mount->device, mount->root, mount->point};
        if (is_below(mount->point, folder) && strcmp(mount->point, folder) != 0 &&
            seen_through(path, &view, secret, &whole)) {
            seen(user, path);
        }
    }
}
