/* hand_link.h - a link whose peers are the test itself, and time that passes only in its waits.
 *
 * Programs that use it are linked with --wrap=clock_gettime (bg_by_hand in
 * support/CMakeLists.txt). Only one link at a time.
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
    int heard;     /* messages sent to the door */
    uint8_t *data; /* the last of them, lent until the next one */
    size_t size;
    enum bg_status send_fails; /* status of sending to it; BG_OK: received */
};

/* Starts again, with a virtual time of its own. Its user destroys the link. */
struct link *hand_open(void);
int hand_doors(void);
struct hand_door *hand_door(int number);

/* The next input from a door: bytes, or the end of the connection. */
void hand_say(int door, const void *data, size_t size);
void hand_lose(int door, enum link_end end, const char *why);
/* A process tried to connect to the door, and was refused. */
void hand_knock(int door, pid_t pid);

/* Runs the loop for this time, at least a nanosecond, so that pending input is taken and settled;
 * all that happens takes no time. What the last deadline causes is settled in the next run. */
void hand_run(struct loop *loop, int64_t ns);

#endif
