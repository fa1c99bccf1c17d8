/* session_inside.h - a session's members, and what its files (session*.c) share; for them only. */
#ifndef REFEREE_SEAT_SESSION_INSIDE_H
#define REFEREE_SEAT_SESSION_INSIDE_H

#include "bot_process.h"
#include "core_watch.h"
#include "greeting.h"
#include "inbox.h"
#include "outbox.h"
#include "session.h"

/* Whether a bot that has been ready is there; beside the state of its present start. */
enum session_absence {
    SESSION_PRESENT,
    SESSION_AWAY,    /* its line was lost, and it may come back; its time runs */
    SESSION_EXCUSED, /* the same by our failure: its time does not run */
    SESSION_GIVEN_UP /* it did not come back in time */
};

struct session {
    struct session_setup setup;
    enum session_state state;
    struct due *due;             /* lent; NULL: not in a roster */
    int member;                  /* its number in due */
    struct bot_process *process; /* owned; NULL: the bot is started elsewhere */
    link_peer peer;              /* this start's door; 0 none */
    bool is_greeted;             /* its Hello was accepted */
    int64_t started_ns;
    int64_t stalled_ns; /* session_stalled() at that time */
    int failures;       /* consecutive ends without an answered decision */
    int failed_starts;  /* ... and without becoming ready */
    bool closing;       /* session_close was called */
    bool failing;       /* inside fail(), which ends the process itself */
    bool restart_due;   /* start again when the process before is gone completely */
    bool lost;          /* the connection has ended; wait for the process to end */
    int refusals;       /* consecutive starts whose Hello was refused */
    bool takes_version; /* the next start may be of another version: this one, "" any */
    char next_version[sizeof((struct greeting *)NULL)->version];
    enum session_absence absence;
    bool is_charged; /* a game was lost by this absence */
    int64_t away_since_ns;
    int64_t idle_since_ns; /* away, and since then it owes no answer */
    struct decisions decisions;
    struct outbox outbox;
    struct inbox inbox;
    struct core_watch cores;
    struct wire_buffer buffer, tells_buffer;
    struct wire_tells tells; /* not sent yet */
    int starts;              /* processes that became ready */
    int tables;
    struct greeting greeting;
};

extern const struct inbox_listener session_inbox_listener;

/* Every change of state passes here. */
void session_enter(struct session *session, enum session_state state);
/* Marks the session: it may have messages to send. */
void session_mark(void *session);
/* Returns how long our own processes between its clocks and the bot were held up in total: the
 * referee, and the gateway of a remote bot. A stop of both at once counts twice: it is rather given
 * back too much than too little. */
int64_t session_stalled(void *session, int64_t now_ns);
bool session_is_starting(const struct session *session);

/* Ends the process, charges the fault to the decision that has waited longest, and plans a new
 * process unless the listener closed the session. */
void session_fail(struct session *session, enum bg_fault fault, const char *text);
/* The Hello of a bot was refused. If it had been ready, its line is as if it were still lost. */
void session_turn_away(struct session *session, const char *text);
/* Charges a fault that does not end the process to that decision. */
void session_charge(struct session *session, enum bg_fault fault, const char *text);

/* Sends what is in session->buffer. */
enum bg_status session_send_buffer(struct session *session, struct bg_error *err);

#endif
