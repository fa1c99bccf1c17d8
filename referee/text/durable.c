#define _GNU_SOURCE /* asprintf */
#include "durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A renamed file is durable when its folder is. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path + 1));
    int fd = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    free(folder);
    return done;
}

static FILE *create(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

    if (out == NULL && fd >= 0) {
        close(fd);
    }
    return out;
}

enum bg_status durable_write(const char *path, durable_fn fn, const void *user,
                             struct bg_error *err)
{
    char *draft = NULL;
    FILE *out = NULL;
    bool done = false;
    enum bg_status status = BG_OK;

    if (asprintf(&draft, "%s.new", path) < 0) {
        return bg_error_set(err, BG_E_MEMORY, "%s", path);
    }
    out = create(draft);
    if (out != NULL) {
        fn(out, user);
        done = fflush(out) == 0 && !ferror(out) && fsync(fileno(out)) == 0;
        done = fclose(out) == 0 && done;
    }
    if (!done || rename(draft, path) != 0 || !sync_folder(path)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    free(draft);
    return status;
}
