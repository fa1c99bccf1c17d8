/* control_queue.h - what is sent by a socket of control.h: a message that does not fit now waits,
 * and none is lost.
 *
 *     control_queue_open(&queue, fd, loop);
 *     control_queue_send(&queue, "open %s %s", name, endpoint);
 *     control_queue_close(&queue);
 *
 * The order is kept. What waits is bounded: another side that does not read for so long is stuck,
 * and the queue is broken then; it sends nothing any more, and its owner ends that side.
 */
#ifndef HOST_FRONT_CONTROL_QUEUE_H
#define HOST_FRONT_CONTROL_QUEUE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

#include "loop/loop.h"

/* 100,000 keys of a host fit, each with its networks in a second message. */
enum { CONTROL_QUEUE_BYTES = 64 << 20 };

struct control_waiting;

struct control_queue {
    int fd;                    /* lent; -1: all is dropped */
    struct loop *loop;         /* lent: sends what waits; NULL: the owner does */
    void (*stuck)(void *user); /* too much waits: end the other side. It must not touch the queue.
                                * NULL: the owner asks */
    void *user;
    struct control_waiting *first, **last; /* owned */
    size_t bytes;                          /* that wait */
    bool is_broken;                        /* too much waited, or the other side is gone */
};

/* The caller may set stuck and user then. An open queue must not be moved. */
void control_queue_open(struct control_queue *queue, int fd, struct loop *loop);
/* Drops what waits. The socket stays open. A zeroed queue is fine. */
void control_queue_close(struct control_queue *queue);

/* Sends one message, or lets it wait. Never blocks. Returns false if the queue is broken. */
bool control_queue_send(struct control_queue *queue, const char *format, ...) BG_PRINTF(2, 3);

/* Sends what fits. Returns false if the queue is broken. */
bool control_queue_flush(struct control_queue *queue);
bool control_queue_waits(const struct control_queue *queue);
/* Waits until all is sent, at most so long. */
void control_queue_finish(struct control_queue *queue, int most_ms);

/* The queue of a process of the door to its referee, by CONTROL_FD: the process polls for writing
 * while something waits, and ends when the queue is broken. */
bool control_tell(const char *format, ...) BG_PRINTF(1, 2);
bool control_tell_flush(void);
bool control_tell_waits(void);

#endif
