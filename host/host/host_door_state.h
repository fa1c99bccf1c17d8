/* host_door_state.h - what a host's door knows. Only host_door.c and host_door_status.c look into
 * it.
 */
#ifndef HOST_HOST_HOST_DOOR_STATE_H
#define HOST_HOST_HOST_DOOR_STATE_H

#include "calendar/broker.h"
#include "door/inside.h"
#include "door/door.h"
#include "host_door.h"
#include "key_waits.h"
#include "proof/key_pair.h"

/* The keys under which an event has the bots that got another key since it began. Few ever do, so a
 * list that is searched is enough; who is not in it has the key of the host's list. */
struct event_keys {
    struct event_key {
        int bot;
        char key[KEY_FILE_DIGITS];
    } * list; /* owned; at most one of a bot */
    size_t room;
    int count;
};

struct borrower {
    struct host_door *door;
    char event[AGENDA_NAME];
    int fd;
    struct inside_queue out; /* to it */
    bool is_ready;           /* it has said for which bots it waits */
    struct event_keys keys;  /* owned */
    struct borrower *next;
};

enum { NOTED = 128, HELD = 300 };

struct known {
    struct competitor *bots; /* owned */
    int bot_count;
};

/* What is known of a bot besides what the broker knows. */
struct spot {
    char told[LINK_ENDPOINT];  /* where the gateway brings its next connection */
    char noted[NOTED];         /* the limit that its author was told, or the begin of that */
    char held[HELD];           /* why it is lent to no event; "" it is */
    bool may_return;           /* ... but to one that has it, after its line was lost */
    char key[KEY_FILE_DIGITS]; /* its latest, also when it is not known any more */
    char refused[NOTED], refused_by[AGENDA_NAME]; /* a version that an event does not take; "" */
    int64_t twice_ns; /* its key is in use twice, and waits until then */
    int tables;       /* at once in an event, as running events know it */
};

struct host_door {
    struct door *door;           /* owned */
    struct known allowed;        /* owned: the bots that may join, of the file allow */
    struct config_door settings; /* lent to the door */
    char name[HOST_TEXT], bans[HOST_PATH];
    struct spot *spots; /* owned; by bot */
    size_t spot_room;
    struct broker broker;
    struct borrower *borrowers; /* owned */
    struct key_waits waits;     /* owned: keys that were in use twice */
    char waits_file[HOST_PATH + 16];
    int socket; /* lent; 0: the doorman opens one */
    struct loop *loop;
    struct door_lending lending;
    pid_t gateway;
    struct host_door_listener listener;
};

/* A bot that rests is lent to no event, but comes back to one that has it: the loss of its line is
 * no reason to lose the games that it plays there. */
bool host_door_may_go(const struct host_door *door, int bot, const struct broker_want *want);
/* Tells the events what has changed: which of them the host keeps the bot from, so that it loses no
 * match there (event/forfeits.h). */
void host_door_tell_kept(const struct host_door *door, int bot);
/* An event has refused this version of the bot; NULL or "": that is over. */
void host_door_note_refused(struct host_door *door, int bot, const char *event,
                            const char *version);
/* Writes which limit of its entry keeps a bot from an event that waits for it. Returns false: none.
 */
bool host_door_limit(char *out, size_t size, const struct host_door *door, int bot);

#endif
