/* backlog.h - bytes for a peer: sends as many as the peer accepts at once and keeps the rest. */
#ifndef SDK_WIRE_BACKLOG_H
#define SDK_WIRE_BACKLOG_H

#include <bgref/error.h>

#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. */
struct backlog {
    uint8_t *bytes; /* owned */
    size_t from, size, room;
    size_t mark;      /* number of these bytes that were kept at since_ns */
    int64_t since_ns; /* the oldest byte has waited at least since then */
};

void backlog_deinit(struct backlog *backlog);

/* Sends head and data; keeps the bytes that the peer does not accept now. BG_E_CLOSED: the peer is
 * gone. BG_E_MEMORY. now_ns: any clock, but always the same one. */
enum bg_status backlog_send(struct backlog *backlog, int fd, const void *head, size_t head_size,
                            const void *data, size_t size, int64_t now_ns);

/* Appends data to the kept bytes, for backlog_flush. BG_E_MEMORY. */
enum bg_status backlog_keep(struct backlog *backlog, const void *data, size_t size, int64_t now_ns);

/* Sends kept bytes, as many as the peer accepts now. BG_E_CLOSED. */
enum bg_status backlog_flush(struct backlog *backlog, int fd, int64_t now_ns);

/* Returns the time that the oldest byte has waited, at least; 0: no byte waits. */
int64_t backlog_age(const struct backlog *backlog, int64_t now_ns);

#endif
