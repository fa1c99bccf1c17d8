/* No libzmq here, since one of its sockets has a thread and buffers of its own for what is one
 * Unix socket; ZMTP with the mechanism NULL is a greeting, a READY and frames (zmtp.h). To the
 * referee this line looks like that of any local bot. */
#include "local_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { INPUT = 64 * 1024 };

static const char SCHEME[] = "ipc://";

void local_line_init(struct local_line *line)
{
    *line = (struct local_line){.fd = -1};
}

void local_line_close(struct local_line *line)
{
    if (line->fd >= 0) {
        close(line->fd);
        zmtp_reader_deinit(&line->reader);
    }
    backlog_deinit(&line->backlog);
    free(line->first);
    local_line_init(line);
}

static bool connect_to(int fd, const char *endpoint)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = endpoint + strlen(SCHEME);

    if (strncmp(endpoint, SCHEME, strlen(SCHEME)) != 0 || strlen(path) >= sizeof address.sun_path) {
        return false;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

bool local_line_connect(struct local_line *line, const char *endpoint, const void *first,
                        size_t first_size, size_t message_max)
{
    uint8_t hail[ZMTP_GREETING + ZMTP_WRITTEN];

    local_line_init(line);
    line->first = malloc(first_size + 1);
    /* connect() of a local socket succeeds at once, or fails: non-blocking is for the bytes
     * behind it. */
    line->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (line->first == NULL || line->fd < 0) {
        local_line_close(line);
        return false;
    }
    zmtp_reader_init(&line->reader, message_max);
    memcpy(line->first, first, first_size);
    line->first_size = first_size;
    zmtp_greeting(hail);
    if (!connect_to(line->fd, endpoint) ||
        backlog_send(&line->backlog, line->fd, NULL, 0, hail,
                     /* In one go, without waiting for the other side's greeting: with the
                      * mechanism NULL nothing of ours depends on it, and a start is one round
                      * shorter. */
                     ZMTP_GREETING + zmtp_ready(hail + ZMTP_GREETING, "DEALER"), 0) != BG_OK) {
        local_line_close(line);
        return false;
    }
    return true;
}

bool local_line_send(struct local_line *line, const void *data, size_t size)
{
    uint8_t head[ZMTP_HEAD];

    /* Before READY nothing may be sent; the caller's Hello waits in `first`, and what comes
     * behind it before that ends the line: a bot waits for its Welcome. */
    return line->is_ready && line->backlog.size <= LOCAL_LINE_UNSENT &&
           backlog_keep(&line->backlog, head, zmtp_head(head, size, false), 0) == BG_OK &&
           backlog_keep(&line->backlog, data, size, 0) == BG_OK;
}

bool local_line_flush(struct local_line *line)
{
    return backlog_flush(&line->backlog, line->fd, 0) == BG_OK;
}

static bool send_first(struct local_line *line)
{
    bool sent;

    /* From the other side's READY on: ZMTP allows no message before the handshake is complete. */
    line->is_ready = true;
    sent = local_line_send(line, line->first, line->first_size) && local_line_flush(line);
    free(line->first);
    line->first = NULL;
    return sent;
}

static bool pong(struct local_line *line, const struct zmtp_item *item)
{
    uint8_t reply[ZMTP_WRITTEN];

    return backlog_send(&line->backlog, line->fd, NULL, 0, reply,
                        zmtp_pong(reply, item->data, item->size), 0) == BG_OK;
}

bool local_line_serve(struct local_line *line, local_line_fn fn, void *user)
{
    static uint8_t input[INPUT]; /* one thread; used only within this call */
    const uint8_t *at = input;
    struct zmtp_item item;
    ssize_t size;
    bool goes_on = local_line_flush(line);

    size = recv(line->fd, input, sizeof input, MSG_DONTWAIT);
    if (size <= 0) {
        return goes_on && size < 0 && (errno == EAGAIN || errno == EINTR);
    }
    for (;;) {
        switch (zmtp_read(&item, &line->reader, &at, input + size)) {
        case ZMTP_MORE:
            return goes_on;
        case ZMTP_READY:
            goes_on = send_first(line) && goes_on;
            break;
        case ZMTP_MESSAGE:
            if (!fn(user, item.data, item.size)) {
                return false;
            }
            break;
        case ZMTP_PING:
            goes_on = pong(line, &item) && goes_on;
            break;
        case ZMTP_PONG:
            break;
        /* The referee sends single frames only. */
        case ZMTP_DROPPED:
        case ZMTP_BROKEN:
            return false;
        }
    }
}

bool local_line_wants_writing(const struct local_line *line)
{
    return line->backlog.size > 0;
}
