/* decisions.h - the decisions of one session: what waits to be sent, and what is open.
 *
 * An open decision has a place. Its number is the use count of the place, shifted, plus the place:
 * so an answer finds its decision without a search, an old number is told from one that was never
 * given, and no number is given twice.
 */
#ifndef REFEREE_SEAT_DECISIONS_H
#define REFEREE_SEAT_DECISIONS_H

#include <bgref/ask.h>

enum { DECISIONS_MAX = 1024 };

enum slot_state { SLOT_IDLE, SLOT_WAITING, SLOT_OPEN };

/* One decision of one table. Lives in the table; linked here while it is not idle. */
struct session_slot {
    struct bg_ask ask; /* filled by the table; decision is set here */
    enum slot_state state;
    int64_t limit_ns; /* set by the table: answers later than this after sending are overdue */
    bool last_limit;  /* set by the table: past this limit the process counts as hung */
    int64_t sent_ns;
    int64_t stalled_ns;        /* loop_stalled() when it was sent */
    void *owner;               /* the table */
    struct session_slot *next; /* while waiting */
    int place;                 /* while open */
};

struct decisions {
    int most; /* open at once at most, 1..DECISIONS_MAX */
    int open; /* open now */
    struct {
        struct session_slot *slot; /* NULL: free */
        uint64_t uses;             /* decisions that ever had this place */
    } place[DECISIONS_MAX];
    struct session_slot *first, *last; /* waiting, in order */
};

/* Nothing waits and nothing is open; numbers begin again. Zeroed memory will do before. */
void decisions_begin(struct decisions *decisions);

/* Queues an idle slot. */
void decisions_wait(struct decisions *decisions, struct session_slot *slot);

/* Opens and numbers the first waiting slot; NULL: none waits, or no place is free. from is where
 * the search for a free place goes on; 0 for the first call of a round. */
struct session_slot *decisions_open(struct decisions *decisions, int *from);

/* An open slot becomes idle. */
void decisions_close(struct decisions *decisions, struct session_slot *slot);

/* Takes a slot back, whatever its state. */
void decisions_cancel(struct decisions *decisions, struct session_slot *slot);

/* What a number is: DECISION_OPEN sets *slot. */
enum decision_found { DECISION_OPEN, DECISION_CLOSED, DECISION_NEVER };
enum decision_found decisions_find(struct session_slot **slot, const struct decisions *decisions,
                                   uint64_t number);

/* The open slot that was sent first, or NULL. */
struct session_slot *decisions_oldest(const struct decisions *decisions);

/* Of the open slots past their limit the one that was sent first, which is where a hung process is
 * stuck, and how long it was out; NULL: none is. stalled_ns: loop_stalled() now, for the time in
 * which we were held up is not the bot's. */
struct session_slot *decisions_overdue(int64_t *spent_ns, const struct decisions *decisions,
                                       int64_t now_ns, int64_t stalled_ns);

/* Before this time no open slot is past its limit, as far as is known now; INT64_MAX: none is open.
 */
int64_t decisions_due_ns(const struct decisions *decisions, int64_t stalled_ns);

/* Every open slot waits again, for another process. */
void decisions_reopen(struct decisions *decisions);

#endif
