/* The descriptors 1 and 2 are replaced, and stdio stays on them: printf, log lines, and
 * everything that is started below write to the same file without knowing of it.
 *
 * The journal: O_APPEND, one write() for a line, fdatasync behind it: after a power cut it has
 * every line that was answered for. Lines are words between TABs; what people wrote is cleaned of
 * control characters, so that nobody can write a line of another's. */
#include "host_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utc.h"

enum { FIRST_FREE = 3 };

/* Keeps what there was, once: for messages after the end. */
static bool keep_old(struct host_log *log)
{
    if (log->out == 0) {
        log->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE);
        log->error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_FREE);
    }
    return log->out > 0 && log->error > 0;
}

void host_log_close(struct host_log *log)
{
    fflush(NULL);
    if (log->out > 0) { /* a full disk below the log is no failure of the host */
        /* What could not be written would fail again at exit, and its status would hide the
         * host's. */
        __fpurge(stdout);
        clearerr(stdout);
        (void)dup2(log->out, STDOUT_FILENO);
        close(log->out);
    }
    if (log->error > 0) {
        (void)dup2(log->error, STDERR_FILENO);
        close(log->error);
    }
    *log = (struct host_log){.out = 0};
}

enum bg_status host_log_open(struct host_log *log, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int fd;

    if (path[0] == '\0') {
        host_log_close(log);
        return BG_OK;
    }
    /* not blocking: a pipe without a reader fails instead of holding up the host */
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
    fflush(NULL);
    if (fd < 0 || !keep_old(log) || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "log %s: %s%s", path, strerror(errno),
                              errno == ENOENT ? "; make its folder first" : "");
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

/* ------------------------------------------------------------------ the journal */

/* The last line may have been cut off by a kill or a full disk: the next one is a line of its own.
 */
static bool end_line(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char last = '\n';

    return size >= 0 && (size == 0 || pread(fd, &last, 1, size - 1) == 1) &&
           (last == '\n' || write(fd, "\n", 1) == 1);
}

enum bg_status host_journal_open(struct host_journal *out, const char *path, struct bg_error *err)
{
    out->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    return out->fd >= 0 && end_line(out->fd)
               ? BG_OK
               : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
}

void host_journal_close(struct host_journal *journal)
{
    if (journal->fd >= 0) {
        close(journal->fd);
    }
    journal->fd = -1;
}

static void clean(char *text)
{
    for (; *text != '\0'; text++) {
        *text = (unsigned char)*text < ' ' || *text == 127 ? ' ' : *text;
    }
}

enum bg_status host_journal_add(const struct host_journal *journal, int64_t now_s, int64_t uid,
                                const char *what, const char *how, struct bg_error *err)
{
    char at[UTC_TEXT], who[32] = "host";
    char *words[2] = {memory_text(what), memory_text(how)}, *line;
    enum bg_status status = BG_OK;

    utc_write(at, now_s);
    if (uid != HOST_ITSELF) {
        snprintf(who, sizeof who, "uid=%" PRId64, uid);
    }
    clean(words[0]);
    clean(words[1]);
    line = memory_print("%s\t%s\t%s\t%s\n", at, who, words[0], words[1]);
    /* Again before each line: a full disk may have cut off the last one. */
    if (!end_line(journal->fd) || write(journal->fd, line, strlen(line)) != (ssize_t)strlen(line) ||
        fdatasync(journal->fd) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "the host's journal: %s", strerror(errno));
    }
    free(line);
    free(words[0]);
    free(words[1]);
    return status;
}
