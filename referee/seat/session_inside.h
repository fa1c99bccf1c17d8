/* session_inside.h - a session's members, for session.c and session_view.c only. */
#ifndef REFEREE_SEAT_SESSION_INSIDE_H
#define REFEREE_SEAT_SESSION_INSIDE_H

#include "bot_process.h"
#include "greeting.h"
#include "inbox.h"
#include "outbox.h"
#include "session.h"

struct session {
    struct session_setup setup;
    enum session_state state;
    struct due *due;             /* lent; NULL: not in a roster */
    int member;                  /* its number in due */
    struct bot_process *process; /* owned; NULL: the bot is started elsewhere */
    link_peer peer;              /* this start's door; 0 none */
    bool is_greeted;             /* its Hello was accepted */
    int64_t started_ns;
    int64_t stalled_ns; /* loop_stalled() at that time */
    int failures;       /* consecutive ends without an answered decision */
    int failed_starts;  /* ... and without becoming ready */
    bool closing;       /* session_close was called */
    bool failing;       /* inside fail(), which ends the process itself */
    bool restart_due;   /* start again when the process before is gone completely */
    bool lost;          /* the connection has ended; wait for the process to end */
    struct decisions decisions;
    struct outbox outbox;
    struct inbox inbox;
    struct wire_buffer buffer, tells_buffer;
    struct wire_tells tells; /* not sent yet */
    int starts;              /* processes that became ready */
    int tables;
    struct greeting greeting;
};

#endif
