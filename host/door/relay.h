/* relay.h - a remote bot's connection in the gateway: what is said to its author, and its
 * connection to the referee. Who may begin, and whose place it takes, is the gateway's.
 */
#ifndef HOST_DOOR_RELAY_H
#define HOST_DOOR_RELAY_H

#include "peers.h"
#include "remote_bots.h"
#include "inside.h"
#include "wire/backlog.h"
#include "wire/wire.h"
#include "wire/zmtp.h"

/* What all relays of a gateway share. */
struct relay_common {
    const struct peers *peers; /* lent */
    bool lends;                /* to several events */
    char ends[INSIDE_TEXT];    /* how the host has said that it ends; "" not */
    int64_t back_s;  /* it is back after so many seconds; 0: not known, -1: it does not come back */
    bool is_closing; /* nothing comes after what is sent now */
    struct wire_buffer buffer;
};

/* The connection to the Unix socket that the referee made for this start of the bot: as a local
 * bot's. It carries whole messages both ways without reading them. Nothing here waits. */
enum { RELAY_UNSENT = 256 * 1024 /* bytes that may wait for the referee */ };

struct relay_local {
    int fd; /* -1: not connected */
    bool is_ready;
    struct zmtp_reader reader;
    struct backlog backlog;
    void *first; /* owned: the first message, until the handshake is complete; NULL none */
    size_t first_size;
};

/* Kept by its peer. */
struct relay {
    struct relay_common *common; /* lent, like these two */
    struct peer *peer;
    struct remote_bot *bot;
    int place;      /* of the connections of this bot; the newest one of a place counts */
    bool has_begun; /* its Hello has come */
    bool has_asked; /* for the standing of its bot; it may be here for that alone */
    bool is_excess; /* its key has come too often: it is sent away until later */
    bool is_unread; /* its author does not read what is sent to it, or is gone */
    bool is_over;   /* ended on our side; its messages are dropped until the other side closes */
    void *first;    /* owned: its first message, until the referee waits for this bot; NULL: sent */
    size_t first_size;
    char endpoint[LINK_ENDPOINT]; /* where it was connected, "" nowhere yet */
    struct relay_local local;
    struct watched watched; /* its descriptor */
};

/* Returns NULL if memory is short. After relay_end it can be freed. */
struct relay *relay_create(struct relay_common *common, struct peer *peer, struct remote_bot *bot);

/* Whether the peer is a `bgref join`, which reads notes. */
bool relay_is_joiner(const struct relay *relay);

/* The number of the connection among those of its bot. */
int relay_place(const struct relay *relay);

/* Whether both are connections of one run of `bgref join`, whose line was lost for a while. */
bool relay_is_same_run(const struct relay *one, const struct relay *other);

/* ------------------------------------------------------------------ notes to the author */

/* word: GATEWAY_STAY and its like; only joiners get it. */
void relay_owe_note(const struct relay *relay, const char *word, const char *text);

/* The same for a note that an author who does not read has to do without. */
void relay_try_note(const struct relay *relay, const char *word, const char *text);

/* A note for which only joiners at a host that lends have a use. */
void relay_note_if_lends(const struct relay *relay, const char *word, const char *text);

/* Tells how the host ends, if it does. Joiners stay, unless it does not come back; a bot that has
 * connected by itself reads it in its Goodbye. */
void relay_tell_end(const struct relay *relay);

/* ------------------------------------------------------------------ ends */

/* why: for the referee. */
void relay_end(struct relay *relay, const char *why);

/* Ends a relay with a Goodbye: the remote side does not come back by itself. */
void relay_dismiss(struct relay *relay, const char *why);
void relay_dismiss_foreign(struct relay *relay,
                           const char *address);           /* of no network of its key's */
void relay_replace(struct relay *relay);                   /* a newer one has its place */
void relay_refuse_hello(struct relay *relay, size_t size); /* it is too large */

/* The referee has ended this start of the bot: the remote side starts again. */
void relay_end_start(struct relay *relay);
void relay_send_away(struct relay *relay); /* its key has come too often: it starts again later */

/* The key has to wait. A joiner comes back by itself after this time. */
void relay_let_wait(struct relay *relay, int64_t wait_ns, const char *why);

/* The last words to one that has not been sent away. */
void relay_part(struct relay *relay);

/* ------------------------------------------------------------------ to the referee */

/* Connects a relay whose bot the referee waits for. */
void relay_connect(struct relay *relay);

/* Sends the referee a message of the bot, if it is connected. Returns false: it does not take it.
 */
bool relay_send(struct relay *relay, const void *data, size_t size);

/* What the referee has sent goes to the remote bot, and what waits for the referee to it. */
void relay_serve(struct relay *relay);
void relay_flush(struct relay *relay);

#endif
