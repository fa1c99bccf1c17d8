/* remote_line.h - the author's connection to a host: a CURVE DEALER that proves both keys. */
#ifndef REFEREE_DOOR_REMOTE_LINE_H
#define REFEREE_DOOR_REMOTE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "host_file.h"
#include "proof/join_key.h"

struct remote_line;

enum remote_news {
    REMOTE_NOTHING,
    REMOTE_PROVEN,    /* the host has proved its key and accepted ours */
    REMOTE_LOST,      /* the connection has ended after that */
    REMOTE_ABSENT,    /* nobody listens at the address; libzmq tries again */
    REMOTE_UNPROVEN,  /* the connection ended before the keys were proved */
    REMOTE_FORBIDDEN, /* the host does not know our key */
};

/* Connects; never waits. host and own are read only here. BG_E_LINK, BG_E_MEMORY. */
enum bg_status remote_line_open(struct remote_line **out, const struct host_file *host,
                                const struct join_secret *own, int place, struct bg_error *err);
/* Sends what still waits, at most a moment. NULL is fine. */
void remote_line_close(struct remote_line *line);

/* Sends or keeps a message until the line stands. Returns false if too many wait. */
bool remote_line_send(struct remote_line *line, const void *data, size_t size);

/* Takes the next message; never waits. data and size are lent until the next call. Returns false if
 * there is none. */
bool remote_line_take(const void **data, size_t *size, struct remote_line *line);

/* Returns what has happened next to the connection; never waits. */
enum remote_news remote_line_news(struct remote_line *line);

/* Each is readable when there may be a message, or news, after a look that found nothing: so look
 * once at the beginning. remote_line_send may take the signal of a message that came: look for
 * messages after it, before the next wait. */
int remote_line_message_fd(const struct remote_line *line);
int remote_line_news_fd(const struct remote_line *line);

#endif
