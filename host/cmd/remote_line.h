/* remote_line.h - the author's connection to a host: CURVE (curve.h) over TCP, which proves both
 * keys. It tries again until the line stands once; after that, its end is final. Nothing waits.
 */
#ifndef HOST_CMD_REMOTE_LINE_H
#define HOST_CMD_REMOTE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "door/host_file.h"
#include "proof/key_pair.h"

struct remote_line;

enum remote_news {
    REMOTE_NOTHING,
    REMOTE_PROVEN,    /* the host has proved its key and accepted ours */
    REMOTE_LOST,      /* the connection has ended after that */
    REMOTE_ABSENT,    /* nobody listens at the address; it is tried again */
    REMOTE_UNPROVEN,  /* the connection ended before the keys were proved; it is tried again */
    REMOTE_SILENT,    /* as before, and not a byte had come */
    REMOTE_TURNED,    /* the host does not take this line now: remote_line_why; it is tried again */
    REMOTE_FORBIDDEN, /* the host does not know our key */
};

/* Begins to connect. host and own are lent until remote_line_close. place: the number of this
 * connection among those of its key (GATEWAY_AT_ONCE). BG_E_CONFIG: the host's address has another
 * form; BG_E_SYSTEM. */
enum bg_status remote_line_open(struct remote_line **out, const struct host_file *host,
                                const struct join_secret *own, int place, struct bg_error *err);
/* Sends what still waits, at most a moment. NULL is fine. */
void remote_line_close(struct remote_line *line);

/* Sends or keeps a message until the line stands. Returns false if too many wait, or the line has
 * ended. */
bool remote_line_send(struct remote_line *line, const void *data, size_t size);

/* Takes the next message. data and size are lent until the next call. Returns false if there is
 * none. */
bool remote_line_take(const void **data, size_t *size, struct remote_line *line);

/* Returns what has happened next to the connection, as far as remote_line_take has seen it: so take
 * all messages before. */
enum remote_news remote_line_news(struct remote_line *line);

/* The reason of the last failure, for people; lent until the next call. */
const char *remote_line_why(const struct remote_line *line);

/* Is readable when messages or news may be there: take them all before the next wait. */
int remote_line_fd(const struct remote_line *line);

#endif
