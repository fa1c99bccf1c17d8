/* offences.h - what bots are charged with in an event, and what follows from it.
 *
 * A fault is counted, reported and, outside of games, kept in the results. After as many as the
 * event allows a bot is quarantined: its fixtures are given up. A bot that does not start is left
 * out (absences.h): its fixtures stay open. In a strict event the first fault ends
 * the run.
 */
#ifndef REFEREE_EVENT_OFFENCES_H
#define REFEREE_EVENT_OFFENCES_H

#include "absences.h"
#include "entrants.h"
#include "feed/display.h"
#include "feed/feed.h"
#include "fixtures/ledger.h"
#include "table/table.h"

struct offences_listener {
    /* The run cannot go on: a fault in a strict event, a bot that does not start, our store. */
    void (*stop)(void *user, int exit_status, const struct bg_error *err);
    /* A bot was left out of this run. */
    void (*left_out)(void *user, int bot);
};

struct offences {
    const struct config_event *event; /* lent, like these */
    const struct schedule *schedule;
    struct ledger *ledger;
    struct entrants *entrants;
    const struct absences *absences;
    struct feed *feed;
    struct display *display;
    const struct offences_listener *listener;
    void *user;
    bool is_over;     /* set it when bots are told goodbye: then nothing is charged */
    bool has_changed; /* a bot was quarantined or left out; whoever looks clears it */
};

/* Faults are counted through all runs of the event. Before the first game. */
void offences_recall(struct offences *offences);

/* A rule of play was broken; the evidence goes with the game. */
void offences_at_table(struct offences *offences, const struct table_fault *fault);
/* Outside of games: kept in the results, with what the bot wrote to standard error. */
void offences_charge(struct offences *offences, const struct events_fault *fault, const char *said);
/* The same, of a process; its last words are printed once in a run. */
void offences_of_session(struct offences *offences, struct session *session, enum bg_fault fault,
                         const char *story);
/* A start of a process has failed, where that does not end the run: it is tried again, until the
 * bot is left out. */
void offences_start_failed(struct offences *offences, struct session *session, enum bg_fault fault,
                           const char *story, int64_t now_ns);
/* A start has failed before the first game, and the event needs every bot: the run stops. */
void offences_preflight_failed(struct offences *offences, struct session *session,
                               const char *story);

/* A fixture of a quarantined bot is given up. */
void offences_give_up(struct offences *offences, const struct fixture *fixture, int bot);
/* Ends the processes of bots that play no more. */
void offences_close_sessions(const struct offences *offences);

#endif
