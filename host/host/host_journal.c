/* O_APPEND, one write() for a line, fdatasync behind it: after a power cut the journal has every
 * line that was answered for. Lines are words between TABs; what people wrote is cleaned of
 * control characters, so that nobody can write a line of another's. */
#include "host_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utc.h"

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
