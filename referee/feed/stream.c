/* A buffer of our own, not a FILE: stdio would wait in the middle of a line, and could not say
 * after a full disk where the last whole line ends. A descriptor that was given keeps its flags,
 * as they are those of the open file, which other processes share. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>
#include <base/output.h>

#include "log.h"
#include "base/units.h"

enum {
    /* A pipe that polls as writable takes this many bytes without blocking, whatever its flags.
     * We must not change the flags: they belong to the process that passed the descriptor. */
    PIECE_BYTES = 4096,
    WAIT_MS = 20,
    DRAINED_BYTES = 1 << 20,
    TARGET_ROOM = 1024
};

static const char mark[] = "{\"schema\":\"bgref-events\"";

struct stream {
    char target[TARGET_ROOM];
    int fd; /* -1: a FIFO without a reader yet, or closed */
    bool owned, closed;
    bool file;   /* a plain file: always writable, and cut to whole lines */
    bool socket; /* a flag of each call keeps writing from waiting */
    bool fifo;   /* opened when a reader has opened it */
    char *waiting;
    size_t start, size, room; /* waiting[start..size-1] is to be written */
    uint64_t written;         /* bytes in the file */
    uint64_t whole;           /* of these in whole lines */
};

/* ---- opening */

static enum bg_status refuse(struct bg_error *err, const char *target, const char *why)
{
    return bg_error_set(err, BG_E_ARGUMENT, "events: %.300s: %.150s", target, why);
}

static enum bg_status use_fd(struct stream *stream, int fd, struct bg_error *err)
{
    int flags = fcntl(fd, F_GETFL);
    struct stat stat;

    if (flags < 0 || fstat(fd, &stat) != 0) {
        return refuse(err, stream->target, "no such descriptor is open; open it, like 3>events");
    }
    if ((flags & O_ACCMODE) == O_RDONLY) {
        return refuse(err, stream->target, "this descriptor is for reading only");
    }
    if (fd > STDERR_FILENO) { /* bots must not inherit it */
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    stream->fd = fd;
    stream->socket = S_ISSOCK(stat.st_mode);
    return BG_OK;
}

/* Returns whether a file may be replaced: it is empty, or has the events of another run. */
static bool is_ours(int fd)
{
    char head[sizeof mark - 1];
    ssize_t got = read(fd, head, sizeof head);

    return got == 0 || (got == (ssize_t)sizeof head && memcmp(head, mark, sizeof head) == 0);
}

static enum bg_status use_file(struct stream *stream, struct bg_error *err)
{
    struct bg_error why = {0};
    int fd;

    if (output_may_write(stream->target, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "events: %s", why.text);
    }
    /* Not emptied by opening: what stands there is looked at first. */
    fd = open(stream->target, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "events: open %.300s: %s", stream->target,
                            strerror(errno));
    }
    if (!is_ours(fd)) {
        close(fd);
        return refuse(err, stream->target,
                      "holds something else than events; move it away or give another file");
    }
    if (lseek(fd, 0, SEEK_SET) != 0 || ftruncate(fd, 0) != 0) {
        close(fd);
        return bg_error_set(err, BG_E_SYSTEM, "events: empty %.300s: %s", stream->target,
                            strerror(errno));
    }
    stream->fd = fd;
    stream->owned = stream->file = true;
    return BG_OK;
}

/* Opens a device, /dev/fd/3, or a terminal, and writes to it as to a given descriptor. */
static enum bg_status use_device(struct stream *stream, struct bg_error *err)
{
    int fd = open(stream->target, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

    if (fd < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "events: open %.300s: %s", stream->target,
                            strerror(errno));
    }
    stream->fd = fd;
    stream->owned = true;
    return BG_OK;
}

static enum bg_status use_target(struct stream *stream, struct bg_error *err)
{
    uint64_t number;
    struct stat about;

    if (strcmp(stream->target, "-") == 0) {
        return use_fd(stream, STDOUT_FILENO, err);
    }
    if (strncmp(stream->target, "fd:", 3) == 0) {
        if (count_read(&number, stream->target + 3, 1, 1 << 20, NULL) != BG_OK) {
            return refuse(err, stream->target, "expected a number from 1 on after fd:, like fd:3");
        }
        return use_fd(stream, (int)number, err);
    }
    if (stat(stream->target, &about) != 0 || S_ISREG(about.st_mode)) {
        return use_file(stream, err);
    }
    if (S_ISFIFO(about.st_mode)) { /* opened as soon as a process reads it */
        stream->fifo = stream->owned = true;
        return BG_OK;
    }
    return use_device(stream, err);
}

enum bg_status stream_open(struct stream **out, const char *target, struct bg_error *err)
{
    struct stream *stream = memory_zeroed(1, sizeof *stream);
    enum bg_status status;

    stream->fd = -1;
    if (snprintf(stream->target, sizeof stream->target, "%s", target) >= TARGET_ROOM) {
        status = refuse(err, target, "the name is too long");
    } else {
        status = use_target(stream, err);
    }
    if (status == BG_OK) {
        *out = stream;
        stream = NULL;
    }
    free(stream);
    return status;
}

bool stream_is_open(const struct stream *stream)
{
    return stream != NULL && !stream->closed;
}

/* ---- writing */

/* The stream ends before the event: logs it once, and drops the waiting bytes. */
static void drop_reader(struct stream *stream, const char *why)
{
    log_warn("events", "to=%s closed: %s; the event goes on without", stream->target, why);
    if (stream->file && ftruncate(stream->fd, (off_t)stream->whole) != 0) {
        log_warn("events", "to=%s its last line is cut short", stream->target);
    }
    if (stream->owned && stream->fd >= 0) {
        close(stream->fd);
        stream->fd = -1;
    }
    free(stream->waiting);
    stream->waiting = NULL;
    stream->start = stream->size = stream->room = 0;
    stream->closed = true;
}

static bool is_writable(const struct stream *stream, int wait_ms)
{
    struct pollfd poller = {.fd = stream->fd, .events = POLLOUT};

    return stream->file || poll(&poller, 1, wait_ms) > 0;
}

static ssize_t write_piece(const struct stream *stream)
{
    const char *piece = stream->waiting + stream->start;
    size_t size = stream->size - stream->start;
    ssize_t put;

    size = !stream->file && size > PIECE_BYTES ? PIECE_BYTES : size;
    do {
        put = stream->socket ? send(stream->fd, piece, size, MSG_DONTWAIT | MSG_NOSIGNAL)
                             : write(stream->fd, piece, size);
    } while (put < 0 && errno == EINTR);
    return put;
}

/* Notes, for a file, where the last complete line ends. */
static void note_written(struct stream *stream, size_t put)
{
    const char *from = stream->waiting + stream->start;

    for (size_t i = put; i > 0; i--) {
        if (from[i - 1] == '\n') {
            stream->whole = stream->written + i;
            break;
        }
    }
    stream->written += put;
    stream->start += put;
    if (stream->start == stream->size) {
        stream->start = stream->size = 0;
    }
}

static void open_fifo(struct stream *stream)
{
    if (stream->fifo && stream->fd < 0) {
        /* Fails while there is no reader (ENXIO), and is tried each time something is to be
         * written. */
        stream->fd = open(stream->target, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
}

/* Returns true if some bytes were written and more may follow. */
static bool write_some(struct stream *stream, int wait_ms)
{
    ssize_t put;

    open_fifo(stream);
    if (stream->closed || stream->fd < 0 || stream->start == stream->size ||
        !is_writable(stream, wait_ms)) {
        return false;
    }
    put = write_piece(stream);
    if (put > 0) {
        note_written(stream, (size_t)put);
        return true;
    }
    if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return false;
    }
    if (errno == EPIPE) {
        drop_reader(stream, "its reader has closed it");
    } else {
        drop_reader(stream, strerror(errno));
    }
    return false;
}

void stream_pump(struct stream *stream)
{
    while (stream != NULL && write_some(stream, 0)) {
    }
}

static void make_room(struct stream *stream, size_t more)
{
    if (stream->size + more > stream->room && stream->start > 0) {
        stream->size -= stream->start;
        memmove(stream->waiting, stream->waiting + stream->start, stream->size);
        stream->start = 0;
    }
    stream->waiting = memory_list(stream->waiting, &stream->room, stream->size + more, 1);
}

void stream_put(struct stream *stream, const char *line, size_t size)
{
    if (stream == NULL || stream->closed) {
        return;
    }
    if (stream->size - stream->start + size + 1 > STREAM_WAITING_BYTES) {
        drop_reader(stream, "its reader is too slow");
        return;
    }
    make_room(stream, size + 1);
    memcpy(stream->waiting + stream->size, line, size);
    stream->waiting[stream->size + size] = '\n';
    stream->size += size + 1;
    stream_pump(stream);
}

/* Waits until at most `rest` bytes are left, or nothing has moved for wait_ns. Counts waits instead
 * of reading a clock; use it only when nothing is measured. */
static void wait_for(struct stream *stream, size_t rest, int64_t wait_ns)
{
    int64_t waits = wait_ns / (WAIT_MS * INT64_C(1000000)), left = waits;

    while (!stream->closed && stream->size - stream->start > rest && left > 0) {
        if (write_some(stream, WAIT_MS)) {
            left = waits;
        } else {
            left--;
            if (stream->fd < 0) { /* a FIFO without a reader */
                poll(NULL, 0, WAIT_MS);
            }
        }
    }
}

void stream_drain(struct stream *stream, int64_t wait_ns)
{
    if (stream != NULL && stream->size - stream->start > DRAINED_BYTES) {
        wait_for(stream, DRAINED_BYTES, wait_ns);
    }
}

void stream_close(struct stream *stream, int64_t wait_ns)
{
    if (stream == NULL) {
        return;
    }
    wait_for(stream, 0, wait_ns);
    if (!stream->closed && stream->size > stream->start) {
        drop_reader(stream, stream->fd < 0 ? "it has no reader" : "its reader is too slow");
    }
    if (stream->owned && stream->fd >= 0) {
        close(stream->fd);
    }
    free(stream->waiting);
    free(stream);
}
