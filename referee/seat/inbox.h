/* inbox.h - what a bot has sent: read, its answers matched to decisions and timed, and counted when
 * it answers nothing.
 */
#ifndef REFEREE_SEAT_INBOX_H
#define REFEREE_SEAT_INBOX_H

#include "../loop/loop.h"
#include "credit.h"
#include "decisions.h"
#include "flood.h"
#include "wire/wire.h"

enum { INBOX_STORY = 512 };

/* What the bot sent that is being judged. */
struct session_reply {
    const uint8_t *data; /* the message as it came; NULL: none, nothing came */
    size_t size;
    const struct bg_answer *answer; /* the one of it that is judged; NULL: none, or not readable */
    const char *trouble;            /* why that is no answer; NULL: it is one */
};

/* Decisions answered so far, and the time that passed between sending and receiving, in all. */
struct session_work {
    uint64_t decisions;
    int64_t spent_ns;
};

struct inbox_listener {
    /* Whether answers are still taken: what came of the one before may have ended that. */
    bool (*is_open)(void *user);
    /* An answer to slot, which is idle again; the times as in session_listener. */
    void (*answered)(void *user, struct session_slot *slot, const struct bg_answer *answer,
                     int64_t spent_ns, int64_t credit_ns);
    /* An answer to what was never asked; at most once a message: one message is one offence. */
    void (*strayed)(void *user, const char *story);
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
    bool said_late_answer; /* logged once */
};

/* When a message came, loop_stalled() then, and what it is credited for the queue before it. */
struct receipt {
    int64_t received_ns, stalled_ns, queue_ns;
};

/* Reads a frame. BG_FAULT_NONE: *message is what it says, lent as wire_unpack_to_referee lends it;
 * else what the bot is charged with, and story. */
enum bg_fault inbox_read(struct wire_message *message, char story[INBOX_STORY],
                         const struct link_frame *frame, struct wire_reader *reader);

/* Takes every answer of a message. True: they answer what is open, or were charged; else what names
 * those that answer nothing, to be counted. */
bool inbox_take_answers(const char **what, struct inbox *inbox, const struct wire_message *message,
                        const struct receipt *receipt);

/* Counts a message that answers nothing. True: it is one too many, and story says so. */
bool inbox_floods(struct inbox *inbox, char story[INBOX_STORY], const char *what, size_t bytes,
                  int64_t received_ns);

/* What a connection that the link has ended is charged as; why is the link's. */
enum bg_fault inbox_lost(char story[INBOX_STORY], enum link_end end, const char *why);

#endif
