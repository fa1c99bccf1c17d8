/* outbox.h - which decisions go to a bot now, and the message that takes them there.
 *
 * A bot that is at work and answers quickly gets what waits in one message when it is through: few
 * large messages cost both sides far less than many small ones. Slow bots, which may think on
 * several decisions at once, get theirs at once.
 */
#ifndef REFEREE_SEAT_OUTBOX_H
#define REFEREE_SEAT_OUTBOX_H

#include "../loop/loop.h"
#include "decisions.h"
#include "results_list.h"
#include "wire/wire.h"

struct outbox {
    struct decisions *decisions; /* lent */
    struct loop *loop;           /* lent */
    int64_t trip_ns;             /* from sending to answer, of the decision answered last */
    bool holding;                /* a deadline for what is held back is set */
    bool held_since_send;        /* what waits was held back once: not again */
    int64_t due_ns;              /* when the first decision of the message packed last is overdue */
    void (*released)(void *user); /* what waited is held back no more */
    void *user;
    struct results_list results; /* legal results of the message being packed */
};

void outbox_init(struct outbox *outbox, struct decisions *decisions, struct loop *loop,
                 void (*released)(void *user), void *user);
void outbox_deinit(struct outbox *outbox);

/* The process that was sent to is gone: nothing is held back any more. */
void outbox_reset(struct outbox *outbox);

/* An answer took so long. */
void outbox_note_trip(struct outbox *outbox, int64_t trip_ns);

/* True when something waits, there is room for it, and it is not held back; `released` follows when
 * it was. */
bool outbox_is_due(struct outbox *outbox);

/* Opens what waits as far as there is room, stamps it as sent now, and packs it into buffer, with
 * every legal play listed if want_plays. BG_E_MEMORY; what was opened stays open. */
enum bg_status outbox_pack(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                           struct bg_error *err);

#endif
