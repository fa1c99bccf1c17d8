/* The names of backups in a folder, and which of them are removed. The time in a name sorts as
 * text, so no file is opened and no time of a file is asked, which a copy would change. */
#include "backup.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "draft.h"

enum { STAMP = 17 /* with its terminating zero */ };

static const char form[] = "dddddddd.dddddd.";

/* "20261123T093000Z" */
static void write_stamp(char out[STAMP], int64_t now_s)
{
    char text[UTC_TEXT];
    size_t size = 0;

    utc_write(text, now_s);
    for (const char *at = text; *at != '\0' && size + 1 < STAMP; at++) {
        if (*at != '-' && *at != ':') {
            out[size++] = *at;
        }
    }
    out[size] = '\0';
}

static bool is_stamp(const char *text)
{
    bool is = text[8] == 'T' && text[15] == 'Z';

    for (int i = 0; i < STAMP - 1 && is; i++) {
        is = form[i] != 'd' || (text[i] >= '0' && text[i] <= '9');
    }
    return is;
}

/* The name of the results without folder and ".db"; *size: its length. */
static const char *stem_of(size_t *size, const char *results)
{
    const char *slash = strrchr(results, '/');
    const char *stem = slash == NULL ? results : slash + 1;

    *size = strlen(stem);
    if (*size > 3 && strcmp(stem + *size - 3, ".db") == 0) {
        *size -= 3;
    }
    return stem;
}

enum bg_status backup_name(char *out, size_t room, const char *folder, const char *results,
                           int64_t now_s, struct bg_error *err)
{
    char stamp[STAMP];
    size_t size;
    const char *stem = stem_of(&size, results);

    write_stamp(stamp, now_s);
    if ((size_t)snprintf(out, room, "%s/%.*s-%s.db", folder, (int)size, stem, stamp) >= room) {
        return bg_error_set(err, BG_E_ARGUMENT, "backup in %.200s: its name is too long", folder);
    }
    return BG_OK;
}

/* A folder of backups, and those of one event in it, sorted: the oldest first. */
struct backup_names_found {
    const char *folder; /* lent */
    char **name;        /* owned */
    size_t count, room;
};

static void found_deinit(struct backup_names_found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        free(found->name[i]);
    }
    free(found->name);
}

static void found_add(struct backup_names_found *found, const char *name)
{
    found->name = memory_list(found->name, &found->room, found->count + 1, sizeof *found->name);
    found->name[found->count++] = memory_text(name);
}

static bool has_end(const struct backup_names_found *found, const char *name, const char *end)
{
    char *path = memory_print("%s/%s%s", found->folder, name, end);
    bool has = access(path, F_OK) == 0;

    free(path);
    return has;
}

/* *removed counts it if it was there. */
static enum bg_status remove_file(int *removed, const struct backup_names_found *found,
                                  const char *name, const char *end, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *path = memory_print("%s/%s%s", found->folder, name, end);

    if (unlink(path) == 0) {
        ++*removed;
    } else if (errno != ENOENT) {
        status = bg_error_set(err, BG_E_SYSTEM, "remove %s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}

static enum bg_status remove_left(const struct backup_names_found *found, const char *name,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *path = memory_print("%s/%s", found->folder, name);
    int removed = 0;

    if (draft_is_left(path)) {
        status = remove_file(&removed, found, name, "-journal", err);
        status = status == BG_OK ? remove_file(&removed, found, name, "", err) : status;
    }
    free(path);
    return status;
}

/* Takes one name of the folder. */
static enum bg_status take_backup(struct backup_names_found *found, const char *name,
                                  const char *results, struct bg_error *err)
{
    size_t size;
    const char *stem = stem_of(&size, results);
    const char *end = name + size + STAMP; /* behind "STEM-STAMP" */

    if (strncmp(name, stem, size) != 0 || strlen(name) < size + STAMP + 3 || name[size] != '-' ||
        !is_stamp(name + size + 1)) {
        return BG_OK;
    }
    if (strcmp(end, ".db.partial") == 0 || strcmp(end, ".db.root.partial") == 0) {
        return remove_left(found, name, err);
    }
    /* Without its root a backup is not finished and must not count as one of those that are
     * kept. */
    if (strcmp(end, ".db") == 0 && has_end(found, name, ".root")) {
        found_add(found, name);
    }
    return BG_OK;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Finds the backups of these results, the oldest first, and removes what killed ones have left.
 * found is the caller's also on failure. */
static enum bg_status find_all(struct backup_names_found *found, const char *results,
                               struct bg_error *err)
{
    enum bg_status status = BG_OK;
    DIR *names = opendir(found->folder);
    const struct dirent *each;

    if (names == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "open %s: %s", found->folder, strerror(errno));
    }
    while (status == BG_OK && (each = readdir(names)) != NULL) {
        status = take_backup(found, each->d_name, results, err);
    }
    closedir(names);
    if (found->count > 0) {
        qsort(found->name, found->count, sizeof *found->name, by_name);
    }
    return status;
}

/* How many of the sorted names are not later than this one. */
static size_t count_until(const struct backup_names_found *found, const char *name)
{
    size_t count = found->count;

    while (count > 0 && strcmp(found->name[count - 1], name) > 0) {
        count--;
    }
    return count;
}

/* The backups that are removed: from the first of the later ones on, around to the oldest. */
static enum bg_status remove_oldest(int *removed, const struct backup_names_found *found,
                                    size_t until, int keep, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int roots = 0;

    for (size_t i = 0; status == BG_OK && i + (size_t)keep < found->count; i++) {
        const char *name = found->name[(until + i) % found->count];

        /* The database first: what is killed between the two leaves a root without a backup,
         * which is not counted, and not a backup without its root. */
        status = remove_file(removed, found, name, "", err);
        status = status == BG_OK ? remove_file(&roots, found, name, ".root", err) : status;
    }
    return status;
}

enum bg_status backup_prune(int *removed, const char *newest, const char *results, int keep,
                            struct bg_error *err)
{
    const char *slash = strrchr(newest, '/');
    char *folder =
        slash == NULL ? memory_text(".") : memory_text_of(newest, (size_t)(slash - newest + 1));
    struct backup_names_found found = {.folder = folder};
    enum bg_status status = find_all(&found, results, err);

    *removed = 0;
    if (status == BG_OK) {
        status = remove_oldest(removed, &found,
                               count_until(&found, slash == NULL ? newest : slash + 1), keep, err);
    }
    found_deinit(&found);
    free(folder);
    return status;
}
