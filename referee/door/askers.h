/* askers.h - who waits at the porch for the host's answer.
 *
 * Each request has a number of its own, so that an answer which comes after its place was given to
 * another request reaches nobody.
 */
#ifndef REFEREE_DOOR_ASKERS_H
#define REFEREE_DOOR_ASKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASKERS = 64, ASKER_ID = 256 };

struct asker {
    uint8_t id[ASKER_ID]; /* libzmq's name of the connection */
    size_t id_size;       /* 0: free */
    uint64_t number;
};

struct askers {
    struct asker list[ASKERS];
    uint64_t next;
};

/* Remembers who asks, and returns its number. When all places are in use, the oldest one's is
 * taken. */
uint64_t askers_add(struct askers *askers, const struct asker *asker);
/* Gives who has asked under this number, and frees its place. False: nobody waits for it any more.
 */
bool askers_take(struct asker *out, struct askers *askers, uint64_t number);

#endif
