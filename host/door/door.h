/* door.h - remote bots of an event: the referee's side of the gateway (gateway.h) and the doorman
 * (doorman.h).
 *
 * The door starts both, tells the gateway which keys are whose, and where the referee waits for
 * which bot. One that ends is started again, with a delay of 0.1 s that doubles up to 10 s. Its
 * connections are then lost, which is nobody's fault: see session_door.is_down.
 */
#ifndef HOST_DOOR_DOOR_H
#define HOST_DOOR_DOOR_H

#include "bot/competitor.h"
#include "door_counts.h"
#include "loop/loop.h"
#include "seat/session.h"
#include "status_line.h"

/* Writes the line about an event for a bot's author; "": there is none (status_line.h). */
typedef void (*door_status_fn)(void *user, int bot, char out[STATUS_LINE]);

/* For a host that lends its bots' connections to several events; all are called from the loop. */
struct door_lending {
    void (*came)(void *user, int bot);                       /* a connection of the bot waits */
    void (*lent)(void *user, int bot, const char *endpoint); /* it is connected there */
    /* That connection has ended; endpoint "-": it was not connected yet. is_unheard: the event has
     * not heard it, and waits there still. */
    void (*left)(void *user, int bot, const char *endpoint, bool is_unheard);
    void (*gateway)(void *user, pid_t pid);          /* this process connects from now on */
    void (*failed)(void *user);                      /* all connections are lost */
    void (*twice)(void *user, int bot, int seconds); /* its key is in use twice, and waits */
    void (*asked)(void *user, int bot);              /* its author asks: door_tell answers */
    void *user;
};

/* All is lent for the life of the door. */
struct door_setup {
    const char *name;    /* of the host, for HOST.bgref */
    const char *listen;  /* "tcp://ADDRESS:PORT"; port 0: a free one */
    int listener;        /* lent: a socket that listens there already; 0: the doorman opens one */
    const char *address; /* where others reach it; "": as listened to */
    const char *key;     /* file with the host's secret key, read by the gateway only */
    const char *file;    /* HOST.bgref, which the door writes */
    const char *bans;    /* file with who is kept out (ban_list.h); "" none */
    int per_address;     /* most connections of one address, and in all */
    int connections;
    /* Writes what the author of a bot reads of its standing here, one line; NULL: nothing. */
    door_status_fn status;
    void *status_user;
    int64_t away_ns; /* see session_door, as the next one */
    int64_t idle_ns;
    const struct competitor *bots;
    int bot_count;
    const int *waits_s; /* by bot: its key was in use twice, and waits so long; NULL: none does.
                         * Used only by door_open */
    struct loop *loop;
    const struct door_lending *lending; /* NULL: the bots play here only */
};

struct door;

/* Starts both and waits until they listen. Call after launcher_begin. BG_E_CONFIG: the key or the
 * address cannot be used; BG_E_SYSTEM. */
enum bg_status door_open(struct door **out, const struct door_setup *setup, struct bg_error *err);
/* Ends both after they have sent the last messages, at most three seconds. NULL is fine. */
void door_close(struct door *door);

/* Where the gateway tells its stops (pulse.h), for those who borrow; lent. */
const char *door_gateway_endpoint(const struct door *door);

/* The bots are these from now on: those there were, in the same places (one without a key is not
 * known any more), and more after them; lent as before. The gateway knows at once. */
void door_take_bots(struct door *door, const struct competitor *bots, int bot_count);

/* Waits until both processes have taken all that they were told, and who is kept out as the file
 * says now. Returns false if they have not within most_ns: it holds when they do. */
bool door_settle(struct door *door, int64_t most_ns);

/* Tells the author of a bot that waits. text: one line. */
void door_note(struct door *door, int bot, const char *text);

/* What door_ends takes for a time that is not known, and for a host that does not come back. */
enum { DOOR_SOME_TIME = 0, DOOR_NEVER = -1 };

/* The host ends soon and is back within back_s seconds: each author reads text, one line, and
 * `bgref join` goes on to try; a bot that has connected by itself reads it in its Goodbye. With
 * DOOR_NEVER all stays end with the door. May be called again. */
void door_ends(struct door *door, int64_t back_s, const char *text);

/* Sets in *out what an author who asks is told of that. */
void door_status_end(struct status_host *out, const struct door *door);

/* Since the door was opened, over all its processes. */
struct door_counts door_counts(const struct door *door);

/* How long a message takes to the bot's machine and back, measured every 20 s; 0: not known. */
int64_t door_trip_us(const struct door *door, int bot);
const char *door_bot_name(const struct door *door, int bot); /* NULL: past the last one */

/* Answers an author who asked: a line of status_line.h. */
void door_tell(struct door *door, int bot, const char *line);

/* For the sessions of remote bots; lent. */
const struct session_door *door_of_sessions(const struct door *door);

#endif
