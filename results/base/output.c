#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "durable.h"
#include "plain_file.h"

/* mkstemp makes the file private; gives it the usual permissions of the user's files. */
static void share(int draft)
{
    mode_t mask = umask(0);

    umask(mask);
    if (fchmod(draft, 0666 & ~mask) != 0) {
        errno = 0;
    }
}

/* ---- results are never replaced ---- */

/* Returns the database that a file with this name belongs to; NULL: none. The caller frees it. */
static char *owner_of(const char *path)
{
    static const char *const ends[] = {".key", ".lock", "-wal", "-shm", "-journal"};
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t size = strlen(ends[i]);

        if (length > size && strcmp(path + length - size, ends[i]) == 0) {
            char *owner = memory_text_of(path, length - size);

            if (plain_is_database(owner)) {
                return owner;
            }
            free(owner);
        }
    }
    return NULL;
}

enum bg_status output_has_folder(const char *path, const char *what, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char folder[PLAIN_PATH];
    struct stat about;

    plain_folder_of(folder, path);
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s %.200s: %.200s is a file, not a folder; choose another place",
                              what, path, folder);
    } else if (access(folder, F_OK) != 0 && errno == ENOENT) {
        status = bg_error_set(
            err, BG_E_ARGUMENT,
            "%s %.200s: there is no folder %.200s; mend its name, or make it: mkdir -p %.200s",
            what, path, folder, folder);
    }
    return status;
}

enum bg_status output_may_write(const char *path, struct bg_error *err)
{
    char *owner = owner_of(path);
    struct stat about;
    enum bg_status status = output_has_folder(path, "write", err);
    char folder[PLAIN_PATH];

    plain_folder_of(folder, path);
    if (status != BG_OK) {
        /* said */
    } else if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        status =
            bg_error_set(err, BG_E_ARGUMENT, "write %.200s: a folder; name a file in it", path);
    } else if (plain_is_database(path)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "write %.200s: it is a database, and outputs never replace a "
                              "database; choose another name",
                              path);
    } else if (owner != NULL) {
        status = bg_error_set(
            err, BG_E_ARGUMENT,
            "write %.200s: it belongs to the database %.200s; choose another name", path, owner);
    } else if (strcmp(path, "-") != 0 && access(path, F_OK) != 0 && access(folder, W_OK) != 0) {
        status =
            bg_error_set(err, BG_E_SYSTEM,
                         "write %.200s: %s; %.200s is not yours to write: choose another place",
                         path, strerror(errno), folder);
    }
    free(owner);
    return status;
}

/* ---- drafts ---- */

/* Whether the path is a device or a pipe: such outputs are written directly, because a renamed
 * draft would replace them. */
static bool is_device(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Opens a device or a pipe. Opening a pipe without a reader would wait for one, perhaps for ever:
 * NULL with errno ENXIO instead. */
static FILE *open_device(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *file = NULL;

    if (fd >= 0 && fcntl(fd, F_SETFL, O_WRONLY) == 0) {
        file = fdopen(fd, "w");
    }
    if (file == NULL && fd >= 0) {
        close(fd);
    }
    return file;
}

static FILE *open_draft(char *draft)
{
    int fd = mkstemp(draft);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (file != NULL) {
        share(fd);
    } else if (fd >= 0) {
        close(fd);
        unlink(draft);
    }
    return file;
}

enum bg_status output_open(struct output *output, const char *path, struct bg_error *err)
{
    enum bg_status status;

    *output = (struct output){.file = stdout};
    if (path == NULL || strcmp(path, "-") == 0) {
        return BG_OK;
    }
    output->file = NULL;
    status = output_may_write(path, err);
    if (status != BG_OK) {
        return status;
    }
    output->path = memory_text(path);
    output->draft = is_device(path) ? NULL : memory_print("%s.XXXXXX", path);
    output->file = output->draft == NULL ? open_device(path) : open_draft(output->draft);
    if (output->file == NULL) {
        bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path,
                     errno == ENXIO && output->draft == NULL
                         ? "nobody reads it; start its reader first"
                         : strerror(errno));
        output_discard(output);
        return BG_E_SYSTEM;
    }
    return BG_OK;
}

enum bg_status output_close(struct output *output, struct bg_error *err)
{
    const char *name = output->path == NULL ? "standard output" : output->path;
    bool good = fflush(output->file) == 0 && ferror(output->file) == 0;

    if (output->path != NULL) {
        good = fclose(output->file) == 0 && good;
        output->file = NULL;
        good = good && (output->draft == NULL || durable_rename(output->draft, output->path));
    }
    if (!good) {
        bg_error_set(err, BG_E_SYSTEM, "write %s: %s", name, strerror(errno));
    } else {
        free(output->draft);
        output->draft = NULL;
    }
    output_discard(output);
    return good ? BG_OK : BG_E_SYSTEM;
}

void output_discard(struct output *output)
{
    if (output->file != NULL && output->path != NULL) {
        fclose(output->file);
    }
    if (output->draft != NULL) {
        unlink(output->draft);
    }
    free(output->draft);
    free(output->path);
    *output = (struct output){0};
}
