/* call.h - a remote bot's connection in the gateway: what is said to its author, and its line to
 * the referee. Who may call, and whose place a call takes, is the gateway's.
 */
#ifndef HOST_DOOR_CALL_H
#define HOST_DOOR_CALL_H

#include "callers.h"
#include "guests.h"
#include "inside.h"
#include "local_line.h"
#include "wire/wire.h"

/* What all calls of a gateway share. */
struct call_common {
    const struct callers *callers; /* lent */
    bool lends;                    /* to several events */
    char ends[INSIDE_TEXT];        /* how the host has said that it ends; "" not */
    int64_t back_s;  /* it is back after so many seconds; 0: not known, -1: it does not come back */
    bool is_closing; /* nothing comes after what is sent now */
    struct wire_buffer buffer;
};

/* Kept by its caller. */
struct call {
    struct call_common *common; /* lent, like these two */
    struct caller *caller;
    struct guest *guest;
    int place;      /* of the connections of this bot; the newest one of a place counts */
    bool has_begun; /* its Hello has come */
    bool has_asked; /* for the standing of its bot; it may be here for that alone */
    bool is_excess; /* its key has come too often: it is sent away until later */
    bool is_unread; /* its author does not read what is sent to it, or is gone */
    bool is_over;   /* ended on our side; its messages are dropped until the other side closes */
    void *first;    /* owned: its first message, until the referee waits for this bot; NULL: sent */
    size_t first_size;
    char endpoint[LINK_ENDPOINT]; /* where it was connected, "" nowhere yet */
    struct local_line line;
    struct watched local; /* the line's descriptor */
};

/* Returns NULL if memory is short. After call_end it can be freed. */
struct call *call_create(struct call_common *common, struct caller *caller, struct guest *guest);

/* Whether a `bgref join` calls, which reads notes. */
bool call_is_joiner(const struct call *call);

/* The number of the connection among those of its bot. */
int call_place(const struct call *call);

/* Whether both are connections of one run of `bgref join`, whose line was lost for a while. */
bool call_is_same_run(const struct call *one, const struct call *other);

/* ------------------------------------------------------------------ notes to the author */

/* word: GATEWAY_STAY and its like; only joiners get it. */
void call_owe_note(const struct call *call, const char *word, const char *text);

/* The same for a note that an author who does not read has to do without. */
void call_try_note(const struct call *call, const char *word, const char *text);

/* A note for which only joiners at a host that lends have a use. */
void call_note_if_lends(const struct call *call, const char *word, const char *text);

/* Tells how the host ends, if it does. Joiners stay, unless it does not come back; a bot that has
 * connected by itself reads it in its Goodbye. */
void call_tell_end(const struct call *call);

/* ------------------------------------------------------------------ ends */

/* why: for the referee. */
void call_end(struct call *call, const char *why);

/* Ends a call with a Goodbye: the remote side does not come back by itself. */
void call_dismiss(struct call *call, const char *why);
void call_dismiss_foreign(struct call *call, const char *address); /* of no network of its key's */
void call_replace(struct call *call);                              /* a newer one has its place */
void call_refuse_hello(struct call *call, size_t size);            /* it is too large */

/* The referee has ended this start of the bot: the remote side starts again. */
void call_end_start(struct call *call);
void call_send_away(struct call *call); /* its key has come too often: it starts again later */

/* The key has to wait. A joiner comes back by itself after this time. */
void call_let_wait(struct call *call, int64_t wait_ns, const char *why);

/* The last words to one that has not been sent away. */
void call_part(struct call *call);

/* ------------------------------------------------------------------ to the referee */

/* Connects a call whose bot the referee waits for. */
void call_connect(struct call *call);

/* Sends the referee a message of the bot, if it is connected. Returns false: it does not take it.
 */
bool call_send(struct call *call, const void *data, size_t size);

/* What the referee has sent goes to the remote bot, and what waits for the referee to it. */
void call_serve(struct call *call);
void call_flush(struct call *call);

#endif
