/* inbox.h - messages from a bot: read, matched to decisions and timed, or counted if they answer
 * nothing.
 */
#ifndef REFEREE_SEAT_INBOX_H
#define REFEREE_SEAT_INBOX_H

#include "../loop/loop.h"
#include "credit.h"
#include "decisions.h"
#include "flood.h"
#include "wire/wire.h"

enum { INBOX_TEXT = 512 };

/* The bot's message that is being judged. */
struct session_reply {
    const uint8_t *data; /* the raw message; NULL: no message came */
    size_t size;
    const struct bg_answer *answer; /* the judged answer in it; NULL: none, or unreadable */
    const char *trouble;            /* why the answer is invalid; NULL: it is valid */
    struct wire_bytes thought;      /* what it says that it thought, unread */
};

/* Number of decisions answered so far, and the sum of the times between sending and receiving. */
struct session_work {
    uint64_t decisions;
    int64_t spent_ns;
    uint64_t dropped_thoughts; /* with impossible values */
};

struct inbox_listener {
    /* Returns what the bot has waited for a core, of the charged_ns that an open slot would be
     * charged else. */
    int64_t (*waited)(void *user, struct session_slot *slot, int64_t received_ns,
                      int64_t charged_ns);
    /* Returns true while answers are accepted: handling one answer may end that. */
    bool (*is_open)(void *user);
    /* An answer to slot, which is idle again; the times as in session_listener. */
    void (*answered)(void *user, struct session_slot *slot, const struct bg_answer *answer,
                     int64_t spent_ns, int64_t credit_ns);
    /* An answer to a number that was never asked; at most one call for each message. */
    void (*strayed)(void *user, const char *text);
};

struct inbox {
    const char *bot;             /* its name, lent */
    struct decisions *decisions; /* lent, as the next two */
    struct credit *credit;
    struct loop *loop;
    const struct inbox_listener *listener;
    void *user;
    struct flood flood;
    struct session_work work;
    struct session_reply reply;
    bool said_late_answer; /* the log has a line about a late answer */
};

/* When a message came, session_stalled() at that time, and its credit for the queue. */
struct receipt {
    int64_t received_ns, stalled_ns, queue_ns;
};

/* Reads a frame. BG_FAULT_NONE: *message is its content, lent as wire_unpack_to_referee lends it;
 * else returns the fault to charge, with its message in text. */
enum bg_fault inbox_read(struct wire_message *message, char text[INBOX_TEXT],
                         const struct link_frame *frame, struct wire_reader *reader);

/* Handles every answer of a message. Returns true if they answer open decisions or were charged;
 * else *what describes answers that answer nothing, to be counted. */
bool inbox_take_answers(const char **what, struct inbox *inbox, const struct wire_message *message,
                        const struct receipt *receipt);

/* Reads the thought that came with the answer being judged. Returns false if there is nothing to
 * keep: none came, or it was impossible, which is counted, and logged once. */
bool inbox_take_thought(struct bg_thought *out, struct inbox *inbox);

/* Counts a message that answers nothing. Returns true, with a message in text, if it is over the
 * limit. stalled_ns: of loop_stalled. */
bool inbox_floods(struct inbox *inbox, char text[INBOX_TEXT], const char *what, size_t bytes,
                  int64_t received_ns, int64_t stalled_ns);

/* Returns the fault for a connection that the link has ended; why is the link's text. */
enum bg_fault inbox_lost(char text[INBOX_TEXT], enum link_end end, const char *why);

#endif
