/* decisions.h - the decisions of one session: those that wait to be sent, and those that are open.
 *
 * An open decision has a place. Its number is the place's use count, shifted, plus the place. So an
 * answer finds its decision without a search, an old number differs from an unknown one, and each
 * number is used once.
 */
#ifndef REFEREE_SEAT_DECISIONS_H
#define REFEREE_SEAT_DECISIONS_H

#include <bgref/ask.h>

#include <stdbool.h>

#include "process/core_wait.h"

enum { DECISIONS_MAX = 1024 };

enum slot_state { SLOT_IDLE, SLOT_WAITING, SLOT_OPEN };

/* One decision of one table. Lives in the table; linked here while it is not idle. */
struct session_slot {
    struct bg_ask ask; /* filled by the table; decision is set here */
    enum slot_state state;
    int64_t limit_ns; /* set by the table: an answer later than this after sending is overdue */
    bool last_limit;  /* set by the table: past this limit the process counts as hung */
    bool pays_bank;   /* set by the table: a reserve pays for the time of this decision */
    int game_number;  /* set by the table: in its match, from 0 */
    /* Called with owner when the decision is about to be sent; NULL: nothing to do. */
    void (*leaving)(void *owner);
    bool announces;     /* open: the bot got a NewGame and owes a Ready, not an answer */
    bool held;          /* open, and its time runs: sent when the bot is back, and Ready */
    int returns;        /* how often the line was lost while it was open */
    int64_t allowed_ns; /* open: limit_ns, unless the time for the Ready was set instead */
    int64_t sent_ns;
    int64_t stalled_ns;     /* session_stalled() when it was sent */
    struct core_look *look; /* open: its bot's threads a moment later (core_watch.h), a use of it;
                               NULL: none yet */
    bool is_unseen;         /* open: that look was not possible */
    int64_t waited_ns;      /* for a core because of others, as far as it is known; not charged */
    int64_t doubt_ns;       /* open: it has waited so much longer, perhaps; until that is known
                               it is not overdue */
    bool is_stopped;        /* at the last look a process of its bot was stopped by a signal */
    void *owner;            /* the table */
    struct session_slot *next; /* while waiting */
    int place;                 /* while open */
};

struct decisions {
    int most; /* limit for open, 1..DECISIONS_MAX */
    int open; /* open now */
    int span; /* no place from here on was ever used */
    struct {
        struct session_slot *slot; /* NULL: free */
        uint64_t uses;             /* decisions that have used this place so far */
    } place[DECISIONS_MAX];
    struct session_slot *first, *last; /* waiting, in order */
};

/* Makes both lists empty; numbers start again. Works on zeroed memory. */
void decisions_begin(struct decisions *decisions);

/* Queues an idle slot. */
void decisions_wait(struct decisions *decisions, struct session_slot *slot);

/* Returns whether at least so many wait. */
bool decisions_wait_for(const struct decisions *decisions, int count);

/* Opens and numbers the first waiting slot; NULL: none waits, or no place is free. *from is where
 * the search for a free place continues; 0 for the first call of a round. */
struct session_slot *decisions_open(struct decisions *decisions, int *from);

/* Makes an open slot idle. */
void decisions_close(struct decisions *decisions, struct session_slot *slot);

/* Makes a slot idle, whatever its state. */
void decisions_cancel(struct decisions *decisions, struct session_slot *slot);

/* The class of a decision number: DECISION_OPEN sets *slot. */
enum decision_found { DECISION_OPEN, DECISION_CLOSED, DECISION_NEVER };
enum decision_found decisions_find(struct session_slot **slot, const struct decisions *decisions,
                                   uint64_t number);

/* Returns the open slot that was sent first, or NULL. */
struct session_slot *decisions_oldest(const struct decisions *decisions);

/* Returns the overdue slot that was sent first (where a hung process is stuck), and how long it was
 * out; NULL: none is overdue. stalled_ns: session_stalled() now; time in which the referee was held
 * up is not the bot's, nor is what it has waited for a core. */
struct session_slot *decisions_overdue(int64_t *spent_ns, const struct decisions *decisions,
                                       int64_t now_ns, int64_t stalled_ns);

/* Returns the earliest time at which an open slot can be overdue, as known now; INT64_MAX: none is
 * open.
 */
int64_t decisions_due_ns(const struct decisions *decisions, int64_t stalled_ns);

/* Returns the open slot whose game was announced and is not Ready yet; NULL: there is none. */
struct session_slot *decisions_announced(const struct decisions *decisions, const char *game);

/* Makes every open slot wait again, for another process. */
void decisions_reopen(struct decisions *decisions);

/* The line to the bot is lost: every open slot stays open under its number, and its time runs on;
 * decisions_next_held finds it. One that was only announced waits again. counts: it was not our
 * failure, so it counts among the slot's returns. */
void decisions_hold(struct decisions *decisions, bool counts);
/* Returns the first held slot from this place on, NULL: there is none. */
struct session_slot *decisions_next_held(const struct decisions *decisions, int from);
/* This time was not the bot's: held slots get it back. */
void decisions_forgive(struct decisions *decisions, int64_t lost_ns);

#endif
