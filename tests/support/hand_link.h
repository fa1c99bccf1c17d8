/* hand_link.h - a link whose far ends are the test itself, and time that passes only in its waits.
 *
 * Programs that use it are linked with --wrap=clock_gettime (bg_virtual_time in
 * unit/CMakeLists.txt). There is one at a time.
 */
#ifndef TESTS_SUPPORT_HAND_LINK_H
#define TESTS_SUPPORT_HAND_LINK_H

#include "loop/loop.h"

enum { HAND_DOORS = 1024 };

/* A door, in the order of opening. */
struct hand_door {
    link_peer peer;
    void *user;
    bool shut, closed;
    int heard;     /* messages sent to it */
    uint8_t *data; /* the last of them, lent until the next */
    size_t size;
    enum bg_status send_fails; /* what sending to it ends with; BG_OK: it is heard */
};

/* Begins anew, at a time of its own. The link is destroyed by its user. */
struct link *hand_open(void);
int hand_doors(void);
struct hand_door *hand_door(int number);

/* What comes by a door next: bytes, or the end of the connection. */
void hand_say(int door, const void *data, size_t size);
void hand_lose(int door, enum link_end end, const char *why);
/* A process tried to come in by it, and was refused. */
void hand_knock(int door, pid_t pid);

/* Runs the loop for so long, at least a nanosecond, so that what is there is taken and settled; all
 * that happens is over in no time. What the last deadline brings is settled in the next run. */
void hand_run(struct loop *loop, int64_t ns);

#endif
