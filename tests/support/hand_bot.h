/* hand_bot.h - sessions whose bots are the test itself, over hand_link.h; every bot is remote.
 */
#ifndef TESTS_SUPPORT_HAND_BOT_H
#define TESTS_SUPPORT_HAND_BOT_H

#include "hand_link.h"
#include "seat/roster.h"

#define HAND_START_NS   INT64_C(30000000000)
#define HAND_CEILING_NS INT64_C(60000000000)

/* Counts the sessions' reports and keeps the last one of each kind. */
struct hand_news {
    int ready, answered, overdue, faults, closed;
    struct session *session;   /* of the last fault */
    struct session_slot *slot; /* of the last answer, overdue decision or fault */
    enum bg_fault fault;
    char message[600];
    int64_t spent_ns;
    char order[256];     /* the reports, one word each: "overdue2 fault1"; 1 and 2 are the session's
                            instance, by the slot's owner or the session itself */
    bool close_on_fault; /* as if the bot were excluded */
};

/* Makes a loop, a link and a roster of this many sessions, not yet started. */
struct hand_table {
    struct loop *loop;
    struct link *link;
    struct wire_reader *reader, *bots_reader;
    struct wire_buffer buffer;
    struct competitor bot;
    struct credit credit;
    struct roster roster;
    struct hand_news news;
    struct session_door door;
    int came;          /* how often the door was told that the bot has come */
    bool door_is_down; /* the end of a connection is our own failure */
    bool is_stateful;  /* what the next Hello says */
};

void hand_table_open(struct hand_table *table, int sessions);
void hand_table_close(struct hand_table *table);

/* Starts the session with this index, or all of them. Session i then has door i. */
void hand_start(struct hand_table *table, int index);
void hand_start_all(struct hand_table *table);

/* The bot behind a door sends Hello, or Ready. */
void hand_hello(struct hand_table *table, int door, int in_flight);
void hand_ready(struct hand_table *table, int door);
/* Sends both and runs the loop. */
void hand_greet(struct hand_table *table, int door, int in_flight);
/* The bot answers one decision by its number: a roll. */
void hand_answer(struct hand_table *table, int door, uint64_t decision);

/* The last message that was sent to a door, unpacked; lent until the next call. */
const struct wire_message *hand_heard(struct hand_table *table, int door);

/* An idle slot of a session, with a decision to roll or double and this time limit. */
void hand_slot(struct session_slot *slot, struct session *owner, int64_t limit_ns);

#endif
