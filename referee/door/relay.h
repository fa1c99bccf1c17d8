/* relay.h - one admitted connection: a TCP socket, a Unix socket, and the bytes between them.
 *
 * Nothing here waits. One side is read only while the other takes what came before, so a connection
 * holds at most one piece of RELAY_PIECE bytes each way.
 */
#ifndef REFEREE_DOOR_RELAY_H
#define REFEREE_DOOR_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/backlog.h"

enum { RELAY_PIECE = 64 * 1024 };

enum { RELAY_OUTSIDE, RELAY_INSIDE, RELAY_SIDES };

struct relay {
    int fd[RELAY_SIDES];
    struct backlog backlog[RELAY_SIDES]; /* bytes for this side */
    bool has_ended[RELAY_SIDES];         /* this side sends no more */
    uint64_t told;                       /* bytes that came from inside */
};

/* Takes the descriptors over. */
void relay_init(struct relay *relay, int outside, int inside);
/* Closes both. */
void relay_close(struct relay *relay);

/* Reads this side and passes on what came, once; also sends what waits for it. Returns false if the
 * connection is of no more use: the outside has ended, or the inside has and everything was
 * passed on. */
bool relay_serve(struct relay *relay, int side);

/* Whether the side should be watched for reading, or for writing. */
bool relay_reads(const struct relay *relay, int side);
bool relay_writes(const struct relay *relay, int side);

#endif
