/* outbox.h - which decisions are sent to a bot now, and their message.
 *
 * A bot that is busy and answers quickly gets all waiting decisions in one message when it has
 * finished: few large messages cost both sides far less than many small ones. A slow bot, which may
 * think about several decisions at once, gets them immediately. A bot on another machine is busy
 * for as long as its messages travel, so it gets the next one as soon as half as many decisions
 * wait as are open: otherwise the line would be empty most of the time (docs/performance.md).
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
    int64_t trip_ns;      /* time from sending to the answer, for the last answered decision */
    bool is_far;          /* the bot is on another machine */
    bool holding;         /* a deadline for the decisions held back is set */
    bool held_since_send; /* the waiting decisions were held back once: not again */
    int64_t due_ns;       /* when the first decision of the last packed message becomes overdue */
    int64_t (*stalled)(void *user, int64_t now_ns); /* session_stalled; NULL: loop_stalled */
    void (*released)(void *user);                   /* waiting decisions are no longer held back */
    void *user;
    struct results_list results; /* legal results of the message being packed */
    bool announces;              /* the bot is stateful: each game begins with a NewGame ... */
    char announced[BG_GAME_ID];  /* ... as this one did, the last that it was Ready for */
    int64_t new_game_ns;         /* time for the Ready */
    struct wire_tells *tells;    /* lent: for a bot that is told; NULL: it is not */
};

/* The caller may set is_far and stalled then. */
void outbox_init(struct outbox *outbox, struct decisions *decisions, struct loop *loop,
                 void (*released)(void *user), void *user);
void outbox_deinit(struct outbox *outbox);

/* Call when the process is gone: nothing is held back from now on. */
void outbox_reset(struct outbox *outbox);

/* The bot is Ready for this game: its decisions can be sent. */
void outbox_note_ready(struct outbox *outbox, const char *game);

/* Notes how long an answer took. */
void outbox_note_trip(struct outbox *outbox, int64_t trip_ns);

/* Returns true if a decision waits, has room, and is not held back; if it is held back, `released`
 * follows. */
bool outbox_is_due(struct outbox *outbox);

/* The bot is back. Returns true if a held decision can be sent again now. */
bool outbox_has_held(const struct outbox *outbox);

/* Packs the held decisions again, with their numbers and the clocks as they are now; or, for a bot
 * that must be Ready first, the NewGame of one. BG_E_MEMORY. */
enum bg_status outbox_pack_held(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                                struct bg_error *err);

/* Opens waiting decisions while there is room, stamps them as sent now, and packs them into buffer,
 * with every legal play listed if want_plays. A decision of a game that was not announced yet is
 * opened alone, as held, and its NewGame is packed instead. BG_E_MEMORY: the opened ones stay open.
 */
enum bg_status outbox_pack(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                           struct bg_error *err);

#endif
