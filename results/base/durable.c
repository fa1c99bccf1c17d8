/* A file that is there whole or not at all: written beside its place, synced, renamed, and the
 * folder synced too. Without the first sync a power cut may leave the new name with no content,
 * without the last the old file under it. */
#include "durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "plain_file.h"

static bool sync_path(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    bool done = fd >= 0 && fsync(fd) == 0;
    int error = errno;

    if (fd >= 0) {
        close(fd);
    }
    errno = error;
    return done;
}

/* A folder that we may not read, or whose file system does not sync folders, can't be helped. */
static bool sync_folder(const char *path)
{
    char folder[PLAIN_PATH];

    plain_folder_of(folder, path);
    return sync_path(folder, O_DIRECTORY) || errno == EACCES || errno == EINVAL;
}

bool durable_sync(const char *path)
{
    return sync_path(path, 0);
}

bool durable_rename(const char *from, const char *to)
{
    return durable_sync(from) && rename(from, to) == 0 && sync_folder(to);
}

/* One that a kill has left may have other permissions. O_EXCL after unlink, so that nobody's
 * file or link of this name is written to. */
static FILE *create(const char *path)
{
    int fd;

    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

    if (out == NULL && fd >= 0) {
        close(fd);
    }
    return out;
}

enum bg_status durable_write(const char *path, durable_fn fn, const void *user,
                             struct bg_error *err)
{
    char *draft = memory_print("%s.new", path);
    FILE *out = create(draft);
    bool done = false;
    enum bg_status status = BG_OK;

    if (out != NULL) {
        fn(out, user);
        done = fflush(out) == 0 && !ferror(out);
        /* A delayed error of the disk may be reported only here. */
        done = fclose(out) == 0 && done;
    }
    if (!done || !durable_rename(draft, path)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
        (void)unlink(draft); /* a full disk needs the room */
    }
    free(draft);
    return status;
}

/* ------------------------------------------------------------------ reading */

static enum bg_status take_durable_line(const struct durable_reader *reader, char *line,
                                        size_t size, bool is_first, bool *is_known,
                                        struct bg_error *err)
{
    if (strlen(line) != size) { /* a byte 0 */
        return BG_OK;
    }
    line[strcspn(line, "\n")] = '\0';
    if (is_first) {
        *is_known = strcmp(line, reader->magic) == 0;
        return BG_OK;
    }
    return reader->take(reader->user, line, is_known, err);
}

enum bg_status durable_read(const struct durable_reader *reader, FILE *in, const char *where,
                            struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char *line = NULL;
    size_t room = 0;
    ssize_t size;
    int number = 0;

    while (status == BG_OK && (size = getline(&line, &room, in)) > 0) {
        bool is_known = false;

        number++;
        status = take_durable_line(reader, line, (size_t)size, number == 1, &is_known, err);
        if (status == BG_OK && !is_known) {
            status = bg_error_set(err, BG_E_FORMAT,
                                  "%s:%d: not a line of %s; this program writes the file itself: "
                                  "undo what was changed by hand, or restore it from a backup",
                                  where, number, reader->what);
        }
    }
    free(line);
    if (status == BG_OK && ferror(in)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", where, strerror(errno));
    } else if (status == BG_OK && number == 0) {
        status =
            bg_error_set(err, BG_E_FORMAT,
                         "%s: empty, as this program never writes it; restore it from a backup, "
                         "or remove it to begin anew without what it had",
                         where);
    }
    return status;
}

enum bg_status durable_load(const struct durable_reader *reader, const char *path,
                            struct bg_error *err)
{
    FILE *in;
    const char *why = plain_file_open(&in, path, PLAIN_FILE_ANY);
    enum bg_status status;

    if (why != NULL) {
        return errno == ENOENT ? BG_OK : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, why);
    }
    status = durable_read(reader, in, path, err);
    fclose(in);
    return status;
}
