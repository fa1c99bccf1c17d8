/* quarantine.h - bots of other machines that rest after too many faults, each time for longer.
 *
 * An event puts a bot out after `quarantine` faults. Its host then lends the bot to no event for an
 * hour; each time that follows within a week lasts twice as long, up to a day. Another event that
 * puts the bot out meanwhile does not lengthen it, but takes the bot back at its end too. Pure but
 * for its file: time is an argument.
 */
#ifndef HOST_CALENDAR_QUARANTINE_H
#define HOST_CALENDAR_QUARANTINE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "agenda.h"

enum {
    QUARANTINE_FIRST_S = 3600,
    QUARANTINE_LONGEST_S = 24 * 3600,
    QUARANTINE_MEMORY_S = 7 * 24 * 3600 /* after its end it is forgotten */
};

/* When its time is over, the event that put the bot out still has to take it back. */
enum quarantine_state { QUARANTINE_ON, QUARANTINE_RETURNS, QUARANTINE_OVER, QUARANTINE_STATES };

struct quarantine {
    char bot[NAME_SIZE];
    char event[AGENDA_NAME]; /* the instance that put it out */
    int faults;              /* there */
    int count;               /* quarantines, each within a week of the one before; 0: lifted */
    int64_t until_s;         /* seconds since 1970 */
    enum quarantine_state state;
    int tries;     /* QUARANTINE_RETURNS: how often the event was asked; not kept in the file */
    int64_t try_s; /* and when it is asked next */
};

struct quarantines {
    struct quarantine
        *list; /* owned; one for each bot and event; those of a bot that are on end together */
    size_t room;
    int count;
};

void quarantines_deinit(struct quarantines *all);

/* A bot was put out of an event. Returns its quarantine, lent until the next change; NULL: that
 * event has put it out already. */
const struct quarantine *quarantines_add(struct quarantines *all, const char *bot,
                                         const char *event, int faults, int64_t now_s);
/* Returns a quarantine in which the bot is, or NULL. Lent. */
const struct quarantine *quarantines_find(const struct quarantines *all, const char *bot);
/* The operator lifts it: the bot returns, and the next one is a first one. False: it is in none. */
bool quarantines_lift(struct quarantines *all, const char *bot, int64_t now_s);
/* Ends one whose time has come: the bot returns. Returns it, lent; NULL: there is none. Forgets old
 * ones. */
const struct quarantine *quarantines_expire(struct quarantines *all, int64_t now_s);
/* Returns the time of the next end or try; 0: there is none. */
int64_t quarantines_due(const struct quarantines *all);

/* The file; one that is not there is empty. BG_E_FORMAT, BG_E_SYSTEM: *out is empty. */
enum bg_status quarantines_load(struct quarantines *out, const char *path, struct bg_error *err);
enum bg_status quarantines_read(struct quarantines *out, FILE *in, const char *where,
                                struct bg_error *err);
enum bg_status quarantines_save(const struct quarantines *all, const char *path,
                                struct bg_error *err);
void quarantines_write(FILE *out, const void *all); /* durable_fn */

#endif
