#define _GNU_SOURCE /* asprintf, scandir, strptime, timegm */
#include "host_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "durable.h"
#include "plain_file.h"

static const char *const of_folder[] = {
    "host.state", "host.journal", "host.gate", "host.quarantine", "host.games", "host.waits", NULL};
static const char unfinished[] = "host.partial";
static const char form[] = "host-00000000T000000Z"; /* 0 stands for a digit */
static const char time_form[] = "host-%Y%m%dT%H%M%SZ";

enum { PATH = 2 * HOST_PATH, BLOCK = 65536 };

/* ------------------------------------------------------------------ copying */

struct copying {
    const char *path;
    int *error; /* errno of the reading, 0: it was read to its end */
};

static void write_copy(FILE *out, const void *user)
{
    const struct copying *copying = user;
    FILE *in;
    const char *why = plain_file_open(&in, copying->path, PLAIN_FILE_ANY);
    char block[BLOCK];
    size_t size;

    if (why != NULL) {
        *copying->error = errno != 0 ? errno : EINVAL;
        return;
    }
    while ((size = fread(block, 1, sizeof block, in)) > 0) {
        fwrite(block, 1, size, out);
    }
    *copying->error = ferror(in) ? errno : 0;
    fclose(in);
}

/* A file that is not there has no copy. */
static enum bg_status copy_file(const char *folder, const char *path, struct bg_error *err)
{
    const char *slash = strrchr(path, '/');
    char to[PATH];
    int error = 0;
    const struct copying copying = {path, &error};
    enum bg_status status;

    if (access(path, F_OK) != 0) {
        return BG_OK;
    }
    if (snprintf(to, sizeof to, "%s/%s", folder, slash == NULL ? path : slash + 1) >= PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "backup in %.200s: its name is too long", folder);
    }
    if (access(to, F_OK) == 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s: a backup has another file of this name already; rename this one",
                            path);
    }
    status = durable_write(to, write_copy, &copying, err);
    return status == BG_OK && error != 0
               ? bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(error))
               : status;
}

static enum bg_status copy_all(const char *folder, const struct host_config *config,
                               struct bg_error *err)
{
    enum bg_status status = copy_file(folder, config->file, err);
    char path[PATH];

    if (status == BG_OK && config->allow[0] != '\0') {
        status = copy_file(folder, config->allow, err);
    }
    for (int i = 0; of_folder[i] != NULL && status == BG_OK; i++) {
        snprintf(path, sizeof path, "%s/%s", config->folder, of_folder[i]);
        status = copy_file(folder, path, err);
    }
    return status;
}

/* ------------------------------------------------------------------ old copies */

static int is_copy(const struct dirent *entry)
{
    bool is = strlen(entry->d_name) == strlen(form);

    for (int i = 0; is && form[i] != '\0'; i++) {
        is = form[i] == '0' ? entry->d_name[i] >= '0' && entry->d_name[i] <= '9'
                            : entry->d_name[i] == form[i];
    }
    return is;
}

static int is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

/* Removes a folder that has files only. */
static void remove_folder(const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_file, NULL);
    char path[PATH];

    for (int i = 0; i < count; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < PATH) {
            (void)unlink(path);
        }
    }
    free_entries(entries, count);
    (void)rmdir(folder);
}

/* How many of the sorted copies are not later than this name. */
static int count_until(struct dirent *const *entries, int count, const char *name)
{
    int until = count;

    while (until > 0 && strcmp(entries[until - 1]->d_name, name) > 0) {
        until--;
    }
    return until;
}

/* Keeps the newest, of which `name` was just made: those with a later name are older all the same,
 * since the clock was wrong then. */
static void keep_newest(const char *folder, const char *name, int keep)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_copy, alphasort);
    int until = count_until(entries, count, name);
    char path[PATH];

    for (int i = 0; i < count - keep; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, entries[(until + i) % count]->d_name) <
            PATH) {
            remove_folder(path);
        }
    }
    free_entries(entries, count);
}

static void write_name(char out[sizeof form], int64_t now_s)
{
    time_t now = (time_t)now_s;
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(out, sizeof form, time_form, &utc);
}

int64_t host_files_newest(const char *folder, int64_t now_s)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_copy, alphasort), until;
    char now[sizeof form];
    struct tm utc = {0};
    bool is_known;

    write_name(now, now_s);
    until = count_until(entries, count, now);
    is_known = until > 0 && strptime(entries[until - 1]->d_name, time_form, &utc) != NULL;
    free_entries(entries, count);
    return is_known ? (int64_t)timegm(&utc) : 0;
}

/* ------------------------------------------------------------------ all of it */

enum bg_status host_files_copy(const struct host_config *config, int64_t now_s,
                               struct bg_error *err)
{
    char draft[PATH], to[PATH], name[sizeof form];
    enum bg_status status = BG_OK;

    write_name(name, now_s);
    snprintf(draft, sizeof draft, "%s/%s", config->backup_folder, unfinished);
    snprintf(to, sizeof to, "%s/%s", config->backup_folder, name);
    remove_folder(draft);
    if (mkdir(draft, 0700) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", draft, strerror(errno));
    }
    if (status == BG_OK) {
        status = copy_all(draft, config, err);
    }
    if (status == BG_OK) {
        remove_folder(to); /* of the same second */
        if (!durable_rename(draft, to)) {
            status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", to, strerror(errno));
        }
    }
    if (status == BG_OK) {
        keep_newest(config->backup_folder, name, config->backup_keep);
    }
    return status;
}
