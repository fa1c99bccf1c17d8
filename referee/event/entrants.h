/* entrants.h - the bots of an event: their processes, faults and quarantine.
 *
 * An entrant is one bot with its instances (sessions, owned by the roster). Tables are given the
 * instance that has the fewest; a stateful bot's instance takes one table at a time.
 */
#ifndef REFEREE_EVENT_ENTRANTS_H
#define REFEREE_EVENT_ENTRANTS_H

#include "config/config.h"
#include "../seat/roster.h"
#include "fixtures/program.h"
#include "fixtures/schedule.h"

struct entrant {
    struct session **sessions; /* owned array; the sessions belong to the roster */
    int session_count;         /* 0: it has nothing left to play */
    bool was_ready;
    bool quarantined;        /* plays no more, for its faults ... */
    bool absent;             /* ... or not in this run, because it does not start: */
    char absent_why[200];    /* what its last start said */
    int64_t try_ns, wait_ns; /* absent: when it is tried again, 0 not in this run; after how long */
    bool trying, returning;  /* absent: it is being started; it plays in the next generation */
    int64_t failing_ns;      /* when the first of its failed starts in a row was; 0: none */
    bool showed_words;       /* its last words were printed in this run */
    int faults;              /* in all runs of the event, but for failed starts */
    struct credit credit;    /* of its time, in this run */
};

struct entrants {
    const struct config_event *event; /* lent */
    struct entrant *list;             /* owned; event->bot_count of them */
    const char **names, **programs;   /* owned arrays, by index: names and digests, lent */
    struct program *program;          /* owned; by index, as they are now */
};

enum bg_status entrants_init(struct entrants *entrants, const struct config_event *event,
                             struct bg_error *err);
void entrants_deinit(struct entrants *entrants);

/* Creates and starts the instances of every bot that is needed[]; setup says what they share, its
 * bot, bot_index and instance are filled here. Sessions go to roster. */
enum bg_status entrants_start(struct entrants *entrants, const bool *needed,
                              const struct session_setup *setup, struct roster *roster,
                              struct bg_error *err);

/* Starts the processes of needed[] bots anew, after all were closed and are down. A process that
 * does not start is a fault like others, which the sessions' listener is told. */
void entrants_restart(const struct entrants *entrants, const bool *needed);

/* A process runs and is not ready yet. */
bool entrants_are_starting(const struct entrants *entrants);

/* True when every bot that plays and was not left out has been ready once. */
bool entrants_were_ready(const struct entrants *entrants);

/* The quarantined bot of a fixture, -1 when both may play. */
int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture);

/* The bot of a fixture that is left out of this run, -1 when none is. */
int entrants_absent(const struct entrants *entrants, const struct fixture *fixture);

/* Whether a bot whose start has failed now (now_ns, within the sessions' listener) is given up: all
 * its processes have failed ENTRANTS_TRIES times in a row; or twice, where it never was ready and
 * they have taken longer than a start may. */
enum { ENTRANTS_TRIES = 5 };
bool entrants_give_up(struct entrants *entrants, int bot, int64_t now_ns);

/* The instances that would play fixture now, on seats 0 and 1; false: one of them has no room. */
bool entrants_seat(struct session *sessions[2], const struct entrants *entrants,
                   const struct fixture *fixture);

/* Decisions that all processes have answered in this run. */
uint64_t entrants_decisions(const struct entrants *entrants);

#endif
