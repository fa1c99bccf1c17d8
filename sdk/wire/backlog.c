/* The usual case is that the kernel takes everything: then no byte is copied and no memory is
 * held (backlog_flush frees it when empty). The age is that of the oldest byte, measured without
 * a time for each message: a mark lies behind the bytes that were there when the age began, and
 * when it has been sent the age begins anew. */
#define _GNU_SOURCE
#include "backlog.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { ROOM_FIRST = 4096 };

void backlog_deinit(struct backlog *backlog)
{
    free(backlog->bytes);
    *backlog = (struct backlog){.bytes = NULL};
}

/* Returns the number of bytes accepted, 0 if there is no room now, -1 if the peer has closed. */
static ssize_t push(int fd, struct iovec *parts, size_t count)
{
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    ssize_t sent;

    do {
        /* One call for head and message: two would be two packets, and the reader would wake
         * twice. */
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM)) {
        return 0;
    }
    return sent;
}

static bool save(struct backlog *backlog, const uint8_t *data, size_t size)
{
    if (backlog->from + backlog->size + size > backlog->room && backlog->from > 0) {
        memmove(backlog->bytes, backlog->bytes + backlog->from, backlog->size);
        backlog->from = 0;
    }
    if (backlog->size + size > backlog->room) {
        size_t room = backlog->room == 0 ? ROOM_FIRST : backlog->room;
        uint8_t *bytes;

        while (room < backlog->size + size) {
            room *= 2;
        }
        bytes = realloc(backlog->bytes, room);
        if (bytes == NULL) {
            return false;
        }
        backlog->bytes = bytes;
        backlog->room = room;
    }
    memcpy(backlog->bytes + backlog->from + backlog->size, data, size);
    backlog->size += size;
    return true;
}

/* Starts to measure the age of the bytes that are kept now. */
static void begin_age(struct backlog *backlog, int64_t now_ns)
{
    backlog->mark = backlog->size;
    backlog->since_ns = now_ns;
}

enum bg_status backlog_send(struct backlog *backlog, int fd, const void *head, size_t head_size,
                            const void *data, size_t size, int64_t now_ns)
{
    struct iovec parts[2] = {{(void *)(uintptr_t)head, head_size}, {(void *)(uintptr_t)data, size}};
    bool was_empty = backlog->size == 0;
    size_t taken = 0;

    if (was_empty) {
        ssize_t sent = push(fd, parts, 2);

        if (sent < 0) {
            return BG_E_CLOSED;
        }
        taken = (size_t)sent;
    }
    if (taken < head_size && !save(backlog, (const uint8_t *)head + taken, head_size - taken)) {
        return BG_E_MEMORY;
    }
    taken = taken > head_size ? taken - head_size : 0;
    if (taken < size && !save(backlog, (const uint8_t *)data + taken, size - taken)) {
        return BG_E_MEMORY;
    }
    if (was_empty && backlog->size > 0) {
        begin_age(backlog, now_ns);
    }
    return BG_OK;
}

enum bg_status backlog_keep(struct backlog *backlog, const void *data, size_t size, int64_t now_ns)
{
    bool was_empty = backlog->size == 0;

    if (!save(backlog, data, size)) {
        return BG_E_MEMORY;
    }
    if (was_empty) {
        begin_age(backlog, now_ns);
    }
    return BG_OK;
}

enum bg_status backlog_flush(struct backlog *backlog, int fd, int64_t now_ns)
{
    while (backlog->size > 0) {
        struct iovec part = {backlog->bytes + backlog->from, backlog->size};
        ssize_t sent = push(fd, &part, 1);

        if (sent < 0) {
            return BG_E_CLOSED;
        }
        if (sent == 0) {
            return BG_OK;
        }
        backlog->from += (size_t)sent;
        backlog->size -= (size_t)sent;
        backlog->mark -= (size_t)sent < backlog->mark ? (size_t)sent : backlog->mark;
        if (backlog->mark == 0) {
            begin_age(backlog, now_ns);
        }
    }
    backlog_deinit(backlog); /* frees the memory, because a backlog is rare */
    return BG_OK;
}

int64_t backlog_age(const struct backlog *backlog, int64_t now_ns)
{
    return backlog->size == 0 ? 0 : now_ns - backlog->since_ns;
}
