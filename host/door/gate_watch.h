/* gate_watch.h - keeps the processes of a door informed about who is kept out (gate.h).
 *
 * The host replaces the file; this notices it at once, and sends the messages of inside.h.
 */
#ifndef HOST_DOOR_GATE_WATCH_H
#define HOST_DOOR_GATE_WATCH_H

#include "bot/competitor.h"
#include "gate.h"
#include "inside.h"
#include "loop/loop.h"

struct gate_watch {
    const char *path;  /* lent; "" there is no gate: nobody is kept out */
    struct loop *loop; /* lent, as are these */
    const struct competitor *bots;
    int bot_count;
    loop_fn changed; /* the file has been read again: both processes are to be told */
    void *user;
    struct gate gate;    /* owned */
    uint64_t kick_known; /* the last kick that was sent */
    int fd;              /* of inotify; -1 none */
};

/* Reads the file and begins to watch it. The fields before `gate` are set. On failure nothing is
 * left to close. BG_E_FORMAT, BG_E_SYSTEM. */
enum bg_status gate_watch_open(struct gate_watch *watch, struct bg_error *err);
/* Reads the file now, when the caller knows that it was replaced. */
void gate_watch_refresh(struct gate_watch *watch);
/* A zeroed one with fd -1 is fine. */
void gate_watch_close(struct gate_watch *watch);

/* Send all that holds now. */
void gate_watch_tell_gateway(struct gate_watch *watch, struct inside_queue *out);
void gate_watch_tell_doorman(const struct gate_watch *watch, struct inside_queue *out);

#endif
