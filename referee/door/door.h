/* door.h - remote bots of an event: the referee's side of the gateway (gateway.h).
 *
 * The door starts the gateway, tells it which keys are whose, and where the referee waits for which
 * bot. A gateway that ends is started again, with a delay of 0.1 s that doubles up to 10 s. Its
 * connections are then lost, which is nobody's fault: see session_door.is_down.
 */
#ifndef REFEREE_DOOR_DOOR_H
#define REFEREE_DOOR_DOOR_H

#include "bot/competitor.h"
#include "loop/loop.h"
#include "seat/session.h"

/* All is lent for the life of the door. */
struct door_setup {
    const char *name;    /* of the host, for HOST.bgref */
    const char *listen;  /* "tcp://ADDRESS:PORT"; port 0: a free one */
    const char *address; /* where others reach it; "": as listened to */
    const char *key;     /* file with the host's secret key, read by the gateway only */
    const char *file;    /* HOST.bgref, which the door writes */
    const struct competitor *bots;
    int bot_count;
    struct loop *loop;
};

struct door;

/* Starts the gateway and waits until it listens. Call after launcher_begin. BG_E_CONFIG: the
 * gateway cannot use the key or the address; BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status door_open(struct door **out, const struct door_setup *setup, struct bg_error *err);
/* Ends the gateway after it has sent its last messages, at most a second. NULL is fine. */
void door_close(struct door *door);

/* For the sessions of remote bots; lent. */
const struct session_door *door_of_sessions(const struct door *door);

#endif
