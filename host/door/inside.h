/* inside.h - messages between our own processes (proto/inside.proto), over a socket that keeps
 * their bounds: the kernel does for them what a length before each one would do.
 *
 *     inside_open(&queue, fd, loop);
 *     inside_send(&queue, INSIDE__KIND__OPEN, name, 0, endpoint);
 *     inside_each(fd, "gateway", take, user);
 *     inside_close(&queue);
 *
 * A message that does not fit into the socket now waits, and none is lost. The order is kept. What
 * waits is bounded: another side that does not read for so long is stuck, and the queue is broken
 * then; it sends nothing any more, and its owner ends that side.
 */
#ifndef HOST_DOOR_INSIDE_H
#define HOST_DOOR_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inside.pb-c.h>

#include "base/units.h"
#include "loop/loop.h"

enum {
    INSIDE_FD = 3,           /* of the gateway and the doorman: to their referee */
    INSIDE_TEXT = 2048,      /* bytes of a text with its terminator; a longer one is cut */
    INSIDE_NAME = NAME_SIZE, /* the same of a bot's name, and of a place */
    INSIDE_PLACE = 512,
    INSIDE_COUNTS = 7,
    /* The largest packed message: a number has at most 10 bytes, as does the kind; before each
     * field stands its own number, before a text its length. */
    INSIDE_BYTES = INSIDE_NAME + INSIDE_TEXT + INSIDE_PLACE + 10 * (INSIDE_COUNTS + 2) + 12,
    /* Most messages of one side in a turn of the loop. More than fit into a socket: who reads has
     * all that was sent before. */
    INSIDE_AT_ONCE = 512,
    /* What may wait; 100,000 keys of a host fit. */
    INSIDE_QUEUE_BYTES = 64 << 20
};

struct inside_waiting;

struct inside_queue {
    int fd;                    /* lent; -1: all is dropped */
    struct loop *loop;         /* lent: sends what waits; NULL: the owner does */
    void (*stuck)(void *user); /* too much waits: end the other side. It must not touch the queue.
                                * NULL: the owner asks */
    void *user;
    struct inside_waiting *first, **last; /* owned */
    size_t bytes;                         /* that wait */
    bool is_broken;                       /* too much waited, or the other side is gone */
};

/* The caller may set stuck and user then. An open queue must not be moved. */
void inside_open(struct inside_queue *queue, int fd, struct loop *loop);
/* Drops what waits. The socket stays open. A zeroed queue is fine. */
void inside_close(struct inside_queue *queue);
/* The queue of a process of the door to its referee, by INSIDE_FD: the process polls for writing
 * while something waits, and ends when the queue is broken. */
struct inside_queue *inside_own(void);

/* Send one message, or let it wait. Never block. Return false if the queue is broken. Names and
 * texts may be NULL: "". */
bool inside_send(struct inside_queue *queue, Inside__Kind kind, const char *bot, int64_t number,
                 const char *text);
bool inside_send_place(struct inside_queue *queue, Inside__Kind kind, const char *bot,
                       int64_t number, const char *text, const char *place);
bool inside_send_counts(struct inside_queue *queue, const uint64_t counts[INSIDE_COUNTS]);

/* Sends what fits. Returns false if the queue is broken. */
bool inside_flush(struct inside_queue *queue);
bool inside_waits(const struct inside_queue *queue);
/* Waits until all is sent, at most so long. */
void inside_finish(struct inside_queue *queue, int most_ms);

enum inside_got { INSIDE_NOTHING, INSIDE_MESSAGE, INSIDE_ENDED };

/* Takes the next message without waiting. INSIDE_ENDED: the other side is gone, or has sent bytes
 * that are no message, which is logged with from, its name. The caller frees *out with
 * inside__message__free_unpacked. */
enum inside_got inside_take(Inside__Message **out, int fd, const char *from);

typedef void (*inside_fn)(void *user, const Inside__Message *message);

/* Hands the messages that wait to take, at most INSIDE_AT_ONCE: a side that never stops sending
 * must not hold the loop, which comes back for the rest. Returns false for INSIDE_ENDED. */
bool inside_each(int fd, const char *from, inside_fn take, void *user);

/* Returns whether the other side is gone and has left no message. */
bool inside_has_ended(int fd);

#endif
