/* local_line.h - the gateway's connection to the referee for one remote bot: as a local bot's.
 *
 * It connects to the Unix socket that the referee made for this start of the bot, and carries whole
 * messages both ways without reading them. Nothing here waits.
 */
#ifndef HOST_DOOR_LOCAL_LINE_H
#define HOST_DOOR_LOCAL_LINE_H

#include <bgref/error.h>

#include <stdbool.h>

#include "wire/backlog.h"
#include "wire/zmtp.h"

enum { LOCAL_LINE_UNSENT = 256 * 1024 /* bytes that may wait for the referee */ };

struct local_line {
    int fd; /* -1: not connected */
    bool is_ready;
    struct zmtp_reader reader;
    struct backlog backlog;
    void *first; /* owned: the first message, until the handshake is complete; NULL none */
    size_t first_size;
};

/* Called for each message of the referee. Returns false to end the reading. */
typedef bool (*local_line_fn)(void *user, const void *data, size_t size);

void local_line_init(struct local_line *line);
void local_line_close(struct local_line *line);

/* Connects. first: sent as soon as the referee listens; copied. Returns false if nobody listens at
 * this endpoint ("ipc:///..."). */
bool local_line_connect(struct local_line *line, const char *endpoint, const void *first,
                        size_t first_size, size_t message_max);

/* Keeps a message, which is sent with the next local_line_flush. Returns false if the referee does
 * not take what came before. */
bool local_line_send(struct local_line *line, const void *data, size_t size);
/* Returns false if the connection has ended. */
bool local_line_flush(struct local_line *line);

/* The descriptor can be read or written: reads what is there. Returns false if the connection has
 * ended or fn returned false. */
bool local_line_serve(struct local_line *line, local_line_fn fn, void *user);
bool local_line_wants_writing(const struct local_line *line);

#endif
