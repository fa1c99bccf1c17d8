/* offences.h - the faults that bots are charged with in an event, and their consequences.
 *
 * A fault is counted, reported and, outside of games, kept in the results. After as many faults as
 * the event allows, a bot is quarantined: its fixtures are given up. A bot that does not start is
 * left out (absences.h): its fixtures stay open. In a strict event the first fault ends the run.
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
    /* The run must stop: a fault in a strict event, a bot that does not start, or a store error. */
    void (*stop)(void *user, int exit_status, const struct bg_error *err);
    /* A bot was left out of this run. */
    void (*left_out)(void *user, int bot);
};

struct offences {
    const struct config_event *event; /* lent, like these */
    struct ledger *ledger;
    struct entrants *entrants;
    const struct absences *absences;
    struct feed *feed;
    struct display *display;
    const struct offences_listener *listener;
    void *user;
    bool is_over; /* set it when bots get their Goodbye: from then on nothing is charged */
    uint64_t counted[BG_FAULT_COUNT]; /* faults charged in this run */
    bool has_changed;                 /* a bot was quarantined or left out; the reader clears it */
};

/* Counts the faults of all earlier runs. Call before the first game. */
void offences_recall(struct offences *offences);

/* A rule of play was broken; the evidence is stored with the game. */
void offences_at_table(struct offences *offences, const struct table_fault *fault);
/* A fault outside of games: kept in the results, with the bot's stderr. */
void offences_charge(struct offences *offences, const struct events_fault *fault, const char *said);
/* The same for a process; its last stderr lines are printed once in a run. Nothing happens to a bot
 * in quarantine. */
void offences_of_session(struct offences *offences, struct session *session, enum bg_fault fault,
                         const char *message);
/* A process failed to start, where that does not end the run: it is tried again until the bot is
 * left out. */
void offences_start_failed(struct offences *offences, struct session *session, enum bg_fault fault,
                           const char *message, int64_t now_ns);
/* A bot is ready before the first game. Returns false if it changed and is left out of this run. */
bool offences_admit(struct offences *offences, struct session *session);
/* A start failed before the first game of an event that needs every bot: the run stops. */
void offences_preflight_failed(struct offences *offences, struct session *session,
                               const char *message);

/* Gives up a fixture of a quarantined bot. Does nothing in an event with a schedule, where a
 * walkover ends the meeting (director.h). */
void offences_give_up(struct offences *offences, const struct fixture *fixture, int bot);
/* Gives up a fixture that no machine can play, as why says. */
void offences_unplayable(struct offences *offences, const struct fixture *fixture, const char *why);
/* Ends the processes of quarantined and absent bots. */
void offences_close_sessions(const struct offences *offences);

#endif
