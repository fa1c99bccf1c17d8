/* Processes of one bot share the file, so it is opened with O_APPEND: the kernel puts each write
 * at the end, and none covers another's. The bound is by process, not by the size of the file,
 * which the author may want to keep over many events. */
#define _GNU_SOURCE
#include "stderr_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../log.h"

static const char end_line[] = "\nbgref: output of this process after 64 MiB is left out\n";

enum bg_status stderr_file_open(struct stderr_file *out, const char *path, struct bg_error *err)
{
    *out = (struct stderr_file){.fd = -1, .left = STDERR_FILE_MOST};
    if (path == NULL || path[0] == '\0') {
        return BG_OK;
    }
    /* Does not block: a pipe without a reader would hold up the referee. */
    out->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    return out->fd >= 0 ? BG_OK
                        : bg_error_set(err, BG_E_START, "stderr=%.200s: %s", path, strerror(errno));
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

void stderr_file_add(struct stderr_file *file, const char *bytes, size_t size)
{
    size_t fits = size < file->left ? size : file->left;

    if (file->fd < 0) {
        return;
    }
    if (!write_all(file->fd, bytes, fits)) {
        log_error("process", "standard error of a bot is not copied any more: %s", strerror(errno));
        stderr_file_close(file);
        return;
    }
    file->left -= fits;
    if (fits < size) {
        (void)write_all(file->fd, end_line, sizeof end_line - 1);
        stderr_file_close(file);
    }
}

void stderr_file_close(struct stderr_file *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        file->fd = -1;
    }
}
