/* agenda.h - what a host plays when: its events, their instances, and the state of each.
 *
 * Pure: time is an argument, nothing is started or stored here. The caller sets the events, calls
 * agenda_advance when agenda_due says so or something ended, and then makes true what it finds:
 * instances that are running need a process, all others must not have one.
 *
 * An event has at most one instance that is on (running or paused), and after it at most one that
 * is announced or entering. A repeated event's next instance is announced while the one before is
 * on; if then its successor is due too, it is not held: of several starts that have passed, only
 * the latest is made up for. A clock that is wrong for a while, and too late, begins instances of
 * the future; when it is right again, the next start that none has had is announced.
 */
#ifndef HOST_CALENDAR_AGENDA_H
#define HOST_CALENDAR_AGENDA_H

#include <bgref/error.h>

#include <stdint.h>

#include "calendar.h"
#include "life.h"
#include "base/units.h"

enum {
    AGENDA_EVENTS = 64,
    AGENDA_BOTS = 256,                           /* entered in one instance */
    AGENDA_NAME = NAME_SIZE + CALENDAR_DATE,     /* "cup" or "cup@2027-01-16" */
    AGENDA_REPEATED = NAME_SIZE - CALENDAR_DATE, /* room for the name of a repeated event */
    AGENDA_WHY = 128,
    AGENDA_COMING = 7,
    AGENDA_DATES = 1024
};

enum agenda_start { AGENDA_ALWAYS, AGENDA_AT, AGENDA_AFTER };

struct instance {
    char name[AGENDA_NAME];
    enum life life;
    int64_t start_s; /* AGENDA_AT: when it is to begin; else of the instance that it follows; 0 */
    int64_t since_s; /* when it came into this state */
    char why[AGENDA_WHY];    /* more about the state, for people; "" nothing */
    bool is_reopened;        /* it had ended before, and runs for what was left */
    char (*bots)[NAME_SIZE]; /* owned: entered, besides those of the event file */
    size_t bot_room;
    int bot_count;
};

struct agenda_event {
    char name[NAME_SIZE];
    enum agenda_start start;
    int64_t at_s;    /* AGENDA_AT: the first start */
    int64_t enter_s; /* AGENDA_AT: entries close so many seconds before each start */
    enum calendar_repeat repeat;
    char after[NAME_SIZE]; /* AGENDA_AFTER: begins when that event is over */
    int needs;             /* least number of entrants */
    int own_bots;          /* bots of the event file */
    bool gone;             /* not in HOST.yaml any more: nothing of it begins */
    int64_t seen_s;        /* when the host first knew it; earlier repeats are not made up for */
    struct instance *list; /* owned; in the order of their starts, unless the clock was wrong */
    size_t room;
    int count;
};

/* An instance came into another state by itself. */
typedef void (*agenda_fn)(void *user, const struct instance *instance);

struct agenda {
    struct agenda_event *events; /* owned */
    size_t room;
    int count;
    agenda_fn changed; /* called by agenda_advance; NULL: nobody */
    void *user;
};

void agenda_deinit(struct agenda *agenda);

/* Returns the event with this name, or NULL. Lent. */
struct agenda_event *agenda_find(const struct agenda *agenda, const char *name);

/* Adds an event without instances. BG_E_ARGUMENT: there are too many. Pointers to events are then
 * invalid. */
enum bg_status agenda_add(struct agenda *agenda, const struct agenda_event *event,
                          struct bg_error *err);
/* Adds an instance to an event; its bots are copied. */
void agenda_append(struct agenda_event *event, const struct instance *instance);

/* Takes what HOST.yaml now says: events that it has no more are gone, new ones are added, of the
 * others the settings change; instances that are on are not touched, and one that is announced or
 * entering keeps its entrants. Instances of `read` are not looked at. When there are too many,
 * those that are gone, and over for a day, are forgotten. BG_E_ARGUMENT: there are too many of
 * others; agenda is unchanged. */
enum bg_status agenda_take(struct agenda *agenda, const struct agenda *read, int64_t now_s,
                           struct bg_error *err);

/* Sets every state as it must be at this time. Returns whether any was changed. */
bool agenda_advance(struct agenda *agenda, int64_t now_s);

/* Returns when agenda_advance has something to do next; CALENDAR_NEVER: only after another call
 * below. */
int64_t agenda_due(const struct agenda *agenda, int64_t now_s);

/* Returns the instance with this name ("cup@2027-01-16"), or for an event's name ("cup") the one
 * that is on, else the one that is next, else the last. NULL: none. Lent. */
struct instance *agenda_instance(const struct agenda *agenda, const char *name,
                                 struct agenda_event **event);

/* Until when bots can be entered; CALENDAR_NEVER: until it begins. */
int64_t agenda_enter_until(const struct agenda_event *event, const struct instance *instance);

/* What everybody may know of an instance: no entrants, reasons or settings. */
struct agenda_date {
    char name[AGENDA_NAME];
    enum life life;
    int64_t start_s;
};

/* Fills in the dates of events with a time, at most AGENDA_DATES: of each its instances that begin
 * after since_s, but for those that have ended, which have results, and of a repeated one the
 * starts after them, AGENDA_COMING. Returns how many. */
int agenda_dates(struct agenda_date *out, const struct agenda *agenda, int64_t since_s);

/* ---- acts; BG_E_ARGUMENT: not allowed now, and nothing has changed ---- */

enum bg_status agenda_set(struct instance *instance, enum life next, const char *why, int64_t now_s,
                          struct bg_error *err);
/* Whether what an ended instance has left may be played now: see agenda_reopen. */
enum bg_status agenda_may_reopen(const struct agenda_event *event, const struct instance *instance,
                                 struct bg_error *err);
/* An ended instance runs again. One that is announced or entering waits for its end; those that
 * have begun after it stay as they are, and none begins a second time. */
enum bg_status agenda_reopen(const struct agenda_event *event, struct instance *instance,
                             const char *why, int64_t now_s, struct bg_error *err);
/* bot is not in the event file. */
enum bg_status agenda_enter(const struct agenda_event *event, struct instance *instance,
                            const char *bot, int64_t now_s, struct bg_error *err);
enum bg_status agenda_withdraw(const struct agenda_event *event, struct instance *instance,
                               const char *bot, int64_t now_s, struct bg_error *err);

#endif
