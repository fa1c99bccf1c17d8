/* SOCK_SEQPACKET: the kernel keeps messages apart and in order, and reports the end of the other
 * side; a stream would need frames, and datagrams have no end. A message is sent whole or not at
 * all, so neither side ever holds half of one.
 *
 * A full socket must lose nothing and must not block: the referee's loop runs clocks. So what
 * the kernel does not take waits in a list, and once one message waits all later ones wait
 * behind it; their order is part of what they say. The list is bounded by bytes. A reader that
 * leaves so much is stuck, and the remedy is to end it: who starts it again tells it everything
 * anew, where a list with holes could not be mended. */
#include "inside.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "log.h"

#define MS_NS INT64_C(1000000)
/* A full socket is tried again after this. */
#define AGAIN_NS (5 * MS_NS)

struct inside_waiting {
    struct inside_waiting *next;
    size_t size;
    uint8_t bytes[];
};

enum sent { SENT, SENT_LATER, SENT_NEVER };

/* ------------------------------------------------------------------ sending */

void inside_open(struct inside_queue *queue, int fd, struct loop *loop)
{
    *queue = (struct inside_queue){.fd = fd, .loop = loop};
    queue->last = &queue->first;
}

static void drop_all(struct inside_queue *queue)
{
    while (queue->first != NULL) {
        struct inside_waiting *first = queue->first;

        queue->first = first->next;
        free(first);
    }
    queue->last = &queue->first;
    queue->bytes = 0;
}

void inside_close(struct inside_queue *queue)
{
    if (queue->loop != NULL) {
        loop_forget(queue->loop, queue);
    }
    drop_all(queue);
    inside_open(queue, -1, NULL);
}

struct inside_queue *inside_own(void)
{
    static struct inside_queue queue;

    if (queue.last == NULL) {
        inside_open(&queue, INSIDE_FD, NULL);
    }
    return &queue;
}

static void break_off(struct inside_queue *queue, const char *why)
{
    /* `stuck` may end the process, by which further sends fail: it is called once. */
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

static enum sent try_send(int fd, const uint8_t *bytes, size_t size)
{
    ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent == (ssize_t)size) {
        return SENT;
    }
    /* A socket pair says EAGAIN when the reader's queue is full; ENOBUFS and ENOMEM are the
     * kernel's own shortage, which passes. */
    return errno == EAGAIN || errno == EINTR || errno == ENOBUFS || errno == ENOMEM ? SENT_LATER
                                                                                    : SENT_NEVER;
}

bool inside_waits(const struct inside_queue *queue)
{
    return queue->first != NULL;
}

static void on_again(void *user, int64_t now_ns);

/* The loop watches for reading only; a full socket is rare. */
static void plan(struct inside_queue *queue)
{
    if (queue->loop != NULL) {
        loop_after(queue->loop, AGAIN_NS, on_again, queue);
    }
}

static void on_again(void *user, int64_t now_ns)
{
    struct inside_queue *queue = user;

    (void)now_ns;
    if (inside_flush(queue) && inside_waits(queue)) {
        plan(queue);
    }
}

bool inside_flush(struct inside_queue *queue)
{
    enum sent sent = SENT;

    while (queue->first != NULL && sent == SENT) {
        struct inside_waiting *first = queue->first;

        sent = try_send(queue->fd, first->bytes, first->size);
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

static void let_wait(struct inside_queue *queue, const uint8_t *bytes, size_t size)
{
    struct inside_waiting *waiting;

    if (queue->bytes + sizeof *waiting + size > INSIDE_QUEUE_BYTES) {
        break_off(queue, "it does not read its messages");
        return;
    }
    waiting = memory_zeroed(1, sizeof *waiting + size);
    waiting->size = size;
    memcpy(waiting->bytes, bytes, size);
    if (queue->first == NULL) {
        plan(queue);
    }
    *queue->last = waiting;
    queue->last = &waiting->next;
    queue->bytes += sizeof *waiting + size;
}

/* Its fields are no longer than INSIDE_BYTES allows for. */
static bool put(struct inside_queue *queue, const Inside__Message *message)
{
    uint8_t bytes[INSIDE_BYTES];
    enum sent sent = SENT_LATER;
    size_t size;

    if (queue->is_broken || queue->fd < 0) {
        return false;
    }
    size = inside__message__pack(message, bytes);
    if (queue->first == NULL) {
        sent = try_send(queue->fd, bytes, size);
    }
    if (sent == SENT_LATER) {
        let_wait(queue, bytes, size);
    } else if (sent == SENT_NEVER) {
        break_off(queue, NULL);
    }
    return !queue->is_broken;
}

bool inside_send_place(struct inside_queue *queue, Inside__Kind kind, const char *bot,
                       int64_t number, const char *text, const char *place)
{
    Inside__Message message = INSIDE__MESSAGE__INIT;
    char fields[INSIDE_NAME + INSIDE_TEXT + INSIDE_PLACE];

    message.kind = kind;
    message.number = number;
    message.bot = fields;
    message.text = message.bot + INSIDE_NAME;
    message.place = message.text + INSIDE_TEXT;
    snprintf(message.bot, INSIDE_NAME, "%s", bot == NULL ? "" : bot);
    snprintf(message.text, INSIDE_TEXT, "%s", text == NULL ? "" : text);
    snprintf(message.place, INSIDE_PLACE, "%s", place == NULL ? "" : place);
    return put(queue, &message);
}

bool inside_send(struct inside_queue *queue, Inside__Kind kind, const char *bot, int64_t number,
                 const char *text)
{
    return inside_send_place(queue, kind, bot, number, text, NULL);
}

bool inside_send_counts(struct inside_queue *queue, const uint64_t counts[INSIDE_COUNTS])
{
    Inside__Message message = INSIDE__MESSAGE__INIT;
    uint64_t copy[INSIDE_COUNTS]; /* the generated struct has no const */

    memcpy(copy, counts, sizeof copy);
    message.kind = INSIDE__KIND__COUNTS;
    message.counts = copy;
    message.n_counts = INSIDE_COUNTS;
    return put(queue, &message);
}

void inside_finish(struct inside_queue *queue, int most_ms)
{
    int64_t until_ns = loop_now(NULL) + most_ms * MS_NS, left_ns = until_ns;

    while (inside_flush(queue) && inside_waits(queue) && left_ns > 0) {
        struct pollfd room = {.fd = queue->fd, .events = POLLOUT};

        left_ns = until_ns - loop_now(NULL);
        (void)poll(&room, 1, left_ns <= 0 ? 0 : (int)((left_ns + MS_NS - 1) / MS_NS));
    }
}

/* ------------------------------------------------------------------ taking */

enum inside_got inside_take(Inside__Message **out, int fd, const char *from)
{
    uint8_t bytes[INSIDE_BYTES];
    ssize_t size;

    do { /* an end that left messages unread is reported before the messages that it has sent */
        size = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
    } while (size < 0 && (errno == EINTR || errno == ECONNRESET));
    if (size <= 0) {
        return size < 0 && errno == EAGAIN ? INSIDE_NOTHING : INSIDE_ENDED;
    }
    *out = size > INSIDE_BYTES ? NULL : inside__message__unpack(NULL, (size_t)size, bytes);
    if (*out == NULL) {
        log_error("door", "the %s has sent %zd bytes that are no message, and is taken for ended",
                  from, size);
        /* Whoever asks again must not go on behind them, nor wait for what never comes. */
        (void)shutdown(fd, SHUT_RDWR);
    }
    return *out == NULL ? INSIDE_ENDED : INSIDE_MESSAGE;
}

bool inside_each(int fd, const char *from, inside_fn take, void *user)
{
    Inside__Message *message;
    enum inside_got got = INSIDE_MESSAGE;

    for (int i = 0; i < INSIDE_AT_ONCE && got == INSIDE_MESSAGE; i++) {
        got = inside_take(&message, fd, from);
        if (got != INSIDE_MESSAGE) {
            break;
        }
        take(user, message);
        inside__message__free_unpacked(message, NULL);
    }
    return got != INSIDE_ENDED;
}

bool inside_has_ended(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}
