/* gnubg wants a home and a place for its socket. Both are one folder that is removed while gnubg
 * serves; what a killed bridge left is removed by the next one, after SCRATCH_LIFE_S, as it may
 * belong to one that is just starting. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#define PREFIX "bgref-gnubg-"

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

void scratch_remove(char path[SCRATCH_PATH])
{
    if (path[0] != '\0') {
        /* FTW_PHYS: links are removed, never followed; FTW_DEPTH: a folder after what is in it. */
        nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
        path[0] = '\0';
    }
}

static bool is_abandoned(const char *path)
{
    struct stat about;

    /* /tmp is everybody's: only own folders, and no links. */
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           time(NULL) - about.st_mtime > SCRATCH_LIFE_S;
}

static void sweep_left(const char *base)
{
    DIR *folder = opendir(base);
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[SCRATCH_PATH];

        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
            snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < SCRATCH_PATH &&
            is_abandoned(path)) {
            scratch_remove(path);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

enum bg_status scratch_create(char out[SCRATCH_PATH], struct bg_error *err)
{
    const char *base = getenv("TMPDIR");

    if (base == NULL || base[0] == '\0') {
        base = "/tmp";
    }
    sweep_left(base);
    if (snprintf(out, SCRATCH_PATH, "%s/" PREFIX "XXXXXX", base) >= SCRATCH_PATH) {
        errno = ENAMETOOLONG;
    } else if (mkdtemp(out) != NULL) {
        return BG_OK;
    }
    bg_error_set(err, BG_E_SYSTEM, "create a folder in %.200s: %s", base, strerror(errno));
    out[0] = '\0';
    return BG_E_SYSTEM;
}
