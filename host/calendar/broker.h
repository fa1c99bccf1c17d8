/* broker.h - which running event gets a remote bot next. Pure: it sends nothing.
 *
 * An author may let a bot join several times at once (bgref join --times). Each connection is
 * lent to one event, until that event or the connection ends. An event that has lost its bot in the
 * middle comes first, then one that has other bots already (else two events could each wait for a
 * bot of the other), then the one that was served least, then by name. While an event has just lost
 * a connection, and has not said yet whether it waits again, nobody else gets the bot: its next
 * connection may come before.
 */
#ifndef HOST_CALENDAR_BROKER_H
#define HOST_CALENDAR_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agenda.h"
#include "loop/link.h"

/* What one event has to do with one bot. */
struct broker_want {
    char event[AGENDA_NAME];
    char endpoint[LINK_ENDPOINT]; /* where it waits; "" it does not */
    bool again;                   /* the bot was there already, and is to come back */
    bool is_back;                 /* ... in this run of the event, which has its running games */
    bool is_lent;                 /* a connection was lent to this endpoint */
    bool is_passed;               /* it had the bot and lost it, and another one has got it since */
    bool is_refused;              /* the operator does not let the bot play in this event */
    uint64_t served;              /* connections that were lent to the event */
    bool knows_kept;       /* the event was told that it is kept from the bot (host_door.h) */
    int64_t owed_until_ns; /* its connection has ended: it is asked first until then; 0 no */
};

struct broker_bot {
    struct broker_want *wants; /* owned */
    size_t room;
    int count;
    int most; /* events that have it at once; 0: any number */
};

struct broker {
    struct broker_bot *bots; /* owned */
    size_t room;
    int bot_count;
};

void broker_init(struct broker *broker, int bot_count);
void broker_deinit(struct broker *broker);
/* More bots after those there are. */
void broker_grow(struct broker *broker, int bot_count);

/* The event waits for the bot at this endpoint, and no longer at an earlier one. */
void broker_open(struct broker *broker, int bot, const char *event, const char *endpoint,
                 bool again);
/* The event that waits has had the bot in this run. Call after broker_open, which takes it back. */
void broker_note_back(struct broker *broker, int bot, const char *event);
/* Whether the event may have the bot; it may until this says otherwise. For events that have
 * opened.
 */
void broker_refuse(struct broker *broker, int bot, const char *event, bool is_refused);
/* The event does not wait any more, or gives the bot back. */
void broker_shut(struct broker *broker, int bot, const char *event);
/* A connection of the bot was lent to this endpoint. Returns the event, NULL: none waits there. */
const char *broker_lent(struct broker *broker, int bot, const char *endpoint);
/* The connection that was lent to this endpoint has ended. Nobody else gets the bot until the event
 * waits again, does not want it any more, or until_ns has come. Returns false: none was lent there.
 */
bool broker_lost(struct broker *broker, int bot, const char *endpoint, int64_t until_ns);
/* The connection that was lent to this endpoint has ended before the event heard it: the event
 * still waits there. Returns false: none was lent there. */
bool broker_unheard(struct broker *broker, int bot, const char *endpoint);
/* broker_lost for all connections. */
void broker_lost_all(struct broker *broker, int64_t until_ns);
/* The event has ended: it wants nothing, and what it was served is forgotten. */
void broker_leave(struct broker *broker, const char *event);

/* Returns who gets the bot's next connection; NULL: nobody waits, or it is owed. Lent. */
const struct broker_want *broker_next(const struct broker *broker, int bot, int64_t now_ns);
/* Whether the event lacks the bot because the host has lent it elsewhere, or because as many events
 * have it as may. An event that has had the bot is not kept from it by connections that the bot
 * already had elsewhere when it left. */
bool broker_keeps(const struct broker *broker, int bot, const char *event);
/* Returns how many events have the bot now. */
int broker_holders(const struct broker *broker, int bot);
/* Returns an event that waits for the bot and may not have it, or NULL. Lent. */
const char *broker_refused(const struct broker *broker, int bot);
/* Returns whether an event waits for the bot, but as many have it as may. */
bool broker_is_at_most(const struct broker *broker, int bot);

#endif
