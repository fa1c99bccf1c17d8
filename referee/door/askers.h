/* askers.h - who waits at the porch for the host's answer.
 *
 * Each request has a number of its own, so that an answer which comes after its place was given to
 * another request reaches nobody.
 */
#ifndef REFEREE_DOOR_ASKERS_H
#define REFEREE_DOOR_ASKERS_H

#include <stdint.h>

enum { ASKERS = 64 };

struct askers {
    struct {
        void *who; /* NULL: free */
        uint64_t number;
    } list[ASKERS];
    uint64_t next;
};

/* Remembers who asks, and returns its number. When all places are in use, the oldest one's is
 * taken. */
uint64_t askers_add(struct askers *askers, void *who);
/* Returns who has asked under this number, and frees its place. NULL: nobody waits for it any more.
 */
void *askers_take(struct askers *askers, uint64_t number);
/* This one is gone, with all that it asked. */
void askers_forget(struct askers *askers, const void *who);

#endif
