#include "control_queue.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "control.h"
#include "log.h"

#define MS_NS INT64_C(1000000)
/* A full socket is tried again after this. */
#define AGAIN_NS (5 * MS_NS)

struct control_waiting {
    struct control_waiting *next;
    size_t size;
    char text[];
};

enum sent { SENT, SENT_LATER, SENT_NEVER };

void control_queue_open(struct control_queue *queue, int fd, struct loop *loop)
{
    *queue = (struct control_queue){.fd = fd, .loop = loop};
    queue->last = &queue->first;
}

static void drop_all(struct control_queue *queue)
{
    while (queue->first != NULL) {
        struct control_waiting *first = queue->first;

        queue->first = first->next;
        free(first);
    }
    queue->last = &queue->first;
    queue->bytes = 0;
}

void control_queue_close(struct control_queue *queue)
{
    if (queue->loop != NULL) {
        loop_forget(queue->loop, queue);
    }
    drop_all(queue);
    *queue = (struct control_queue){.fd = -1};
    queue->last = &queue->first;
}

static void break_off(struct control_queue *queue, const char *why)
{
    bool is_first = !queue->is_broken && why != NULL;

    queue->is_broken = true;
    drop_all(queue);
    if (is_first) {
        log_error("door", "a process of the door or of an event is ended: %s", why);
    }
    if (is_first && queue->stuck != NULL) {
        queue->stuck(queue->user);
    }
}

static enum sent try_send(int fd, const char *text, size_t size)
{
    ssize_t sent = send(fd, text, size, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent == (ssize_t)size) {
        return SENT;
    }
    return errno == EAGAIN || errno == EINTR || errno == ENOBUFS || errno == ENOMEM ? SENT_LATER
                                                                                    : SENT_NEVER;
}

bool control_queue_waits(const struct control_queue *queue)
{
    return queue->first != NULL;
}

static void on_again(void *user, int64_t now_ns);

/* The loop watches for reading only; a full socket is rare. */
static void plan(struct control_queue *queue)
{
    if (queue->loop != NULL) {
        loop_after(queue->loop, AGAIN_NS, on_again, queue);
    }
}

static void on_again(void *user, int64_t now_ns)
{
    struct control_queue *queue = user;

    (void)now_ns;
    if (control_queue_flush(queue) && control_queue_waits(queue)) {
        plan(queue);
    }
}

bool control_queue_flush(struct control_queue *queue)
{
    enum sent sent = SENT;

    while (queue->first != NULL && sent == SENT) {
        struct control_waiting *first = queue->first;

        sent = try_send(queue->fd, first->text, first->size);
        if (sent == SENT) {
            queue->first = first->next;
            queue->last = queue->first == NULL ? &queue->first : queue->last;
            queue->bytes -= sizeof *first + first->size;
            free(first);
        }
    }
    if (sent == SENT_NEVER) {
        break_off(queue, NULL); /* who reads the socket reports its end */
    }
    return !queue->is_broken;
}

static void let_wait(struct control_queue *queue, const char *text, size_t size)
{
    struct control_waiting *waiting;

    if (queue->bytes + sizeof *waiting + size > CONTROL_QUEUE_BYTES) {
        break_off(queue, "it does not read its messages");
        return;
    }
    waiting = memory_zeroed(1, sizeof *waiting + size);
    waiting->size = size;
    memcpy(waiting->text, text, size);
    if (queue->first == NULL) {
        plan(queue);
    }
    if (queue->is_broken) {
        free(waiting);
        return;
    }
    *queue->last = waiting;
    queue->last = &waiting->next;
    queue->bytes += sizeof *waiting + size;
}

static bool send_values(struct control_queue *queue, const char *format, va_list values)
{
    char text[CONTROL_TEXT];
    int size = vsnprintf(text, sizeof text, format, values);
    enum sent sent = SENT_LATER;

    size = size < CONTROL_TEXT ? size : CONTROL_TEXT - 1;
    if (queue->is_broken || queue->fd < 0) {
        return false;
    }
    if (queue->first == NULL) {
        sent = try_send(queue->fd, text, (size_t)size);
    }
    if (sent == SENT_LATER) {
        let_wait(queue, text, (size_t)size);
    } else if (sent == SENT_NEVER) {
        break_off(queue, NULL);
    }
    return !queue->is_broken;
}

bool control_queue_send(struct control_queue *queue, const char *format, ...)
{
    va_list values;
    bool is_fine;

    va_start(values, format);
    is_fine = send_values(queue, format, values);
    va_end(values);
    return is_fine;
}

void control_queue_finish(struct control_queue *queue, int most_ms)
{
    int64_t until_ns = loop_now(NULL) + most_ms * MS_NS, left_ns = until_ns;

    while (control_queue_flush(queue) && control_queue_waits(queue) && left_ns > 0) {
        struct pollfd room = {.fd = queue->fd, .events = POLLOUT};

        left_ns = until_ns - loop_now(NULL);
        (void)poll(&room, 1, left_ns <= 0 ? 0 : (int)((left_ns + MS_NS - 1) / MS_NS));
    }
}

/* ------------------------------------------------------------------ of a process of the door */

static struct control_queue *own(void)
{
    static struct control_queue queue;

    if (queue.last == NULL) {
        control_queue_open(&queue, CONTROL_FD, NULL);
    }
    return &queue;
}

bool control_tell(const char *format, ...)
{
    va_list values;
    bool is_fine;

    va_start(values, format);
    is_fine = send_values(own(), format, values);
    va_end(values);
    return is_fine;
}

bool control_tell_flush(void)
{
    return control_queue_flush(own());
}

bool control_tell_waits(void)
{
    return control_queue_waits(own());
}
