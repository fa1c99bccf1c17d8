/* session.h - one bot's connection: greeting, open decisions, deadlines, faults; and the process at
 * its other end, where the session has started one.
 *
 * A session knows nothing of games. A table lends it a struct session_slot with a filled Ask; the
 * session sends it when the bot has room, stamps it, and tells the table through its listener what
 * came back: an answer, an overdue deadline, or a fault. After a crash the slots that were not at
 * fault are sent again to the new process under new decision numbers.
 */
#ifndef REFEREE_SEAT_SESSION_H
#define REFEREE_SEAT_SESSION_H

#include <bgref/ask.h>

#include "bot/competitor.h"
#include "../loop/loop.h"
#include "due.h"
#include "inbox.h"
#include "wire/wire.h"

enum session_state {
    SESSION_DOWN,     /* no process */
    SESSION_STARTING, /* process runs, no Hello yet */
    SESSION_GREETED,  /* Welcome sent, Ready awaited */
    SESSION_READY,
    SESSION_ENDING, /* Goodbye sent, or being killed */
    SESSION_STATE_COUNT
};

struct session;

/* Who is told. `user` is given to session_create. */
struct session_listener {
    void (*ready)(void *user, struct session *session);
    /* An answer to slot, which is idle again. spent_ns since sending, of which
     * credit_ns are the referee's own. */
    void (*answered)(void *user, struct session_slot *slot, const struct bg_answer *answer,
                     int64_t spent_ns, int64_t credit_ns);
    /* No answer within slot->limit_ns; the slot is idle again. With slot->last_limit the process is
     * ended and started anew. */
    void (*overdue)(void *user, struct session_slot *slot, int64_t spent_ns);
    /* The bot broke something. slot: the decision it is charged to, idle again; NULL: none open.
     * The session restarts the process by itself where that is needed, unless session_close is
     * called from here. */
    void (*fault)(void *user, struct session *session, struct session_slot *slot,
                  enum bg_fault fault, const char *story);
    /* The bot bound itself to a nonce (its digest), or showed it, for this subject; or does not
     * know the messages. False: nobody had asked, as with NULL. */
    bool (*committed)(void *user, struct session *session, const char *subject,
                      const uint8_t digest[WIRE_SECRET]);
    bool (*revealed)(void *user, struct session *session, const char *subject, const uint8_t *nonce,
                     size_t size);
    bool (*cannot_commit)(void *user, struct session *session);
    /* After session_close: nothing of its processes is left, nor of what they have started. */
    void (*closed)(void *user, struct session *session);
    /* Values of an evaluator: number, count and values of message, lent. What they answer is the
     * listener's to find. */
    void (*valued)(void *user, struct session *session, const struct wire_message *message);
};

struct session_setup {
    const struct competitor *bot; /* lent */
    int bot_index, instance;
    const char *event;            /* name that the bot sees, may be ""; lent */
    const struct bg_rules *rules; /* whose game or games must be played; lent. NULL: none */
    struct loop *loop;            /* lent */
    struct link *link;            /* lent */
    struct wire_reader *reader;   /* lent; shared, used only inside session_on_frame */
    struct credit *credit;        /* of its bot; lent */
    int64_t start_ns, ceiling_ns, new_game_ns;
    uint64_t memory_bytes; /* 0: no limit */
    bool confined;         /* bots run in a sandbox ... */
    const char *hidden;    /* ... and do not see the folder of these results; lent */
    bool evaluator;        /* a judge: it must be able to value positions */
    bool remote;           /* started elsewhere: it comes in by the door, which session_start opens,
                              and whoever lets it in by the link vouches for it. When its connection
                              ends, it has ended */
    int nice;              /* added to the niceness of its processes */
    const struct session_listener *listener;
    void *user;
};

enum bg_status session_create(struct session **out, const struct session_setup *setup,
                              struct bg_error *err);
/* Has the process ended if there is one (launcher_end waits for that); slots are forgotten. */
void session_destroy(struct session *session);

/* From now on the session says by due, as this member of it, when session_settle and session_sweep
 * have something to do. due is lent. */
void session_join(struct session *session, struct due *due, int member);

/* Starts the process. BG_E_START: the program cannot be run. */
enum bg_status session_start(struct session *session, struct bg_error *err);

/* The same from the loop: that it cannot be run is a fault like others. BG_E_MEMORY. */
enum bg_status session_start_later(struct session *session, struct bg_error *err);

/* Starts in a row that have failed; within the listener's fault this one counts. 0: the last one
 * got ready. */
int session_failed_starts(const struct session *session);

/* Queues slot, which must be idle. Sent by session_settle. */
void session_ask(struct session *session, struct session_slot *slot);
/* Takes slot back, whatever its state; a later answer to it is dropped. */
void session_cancel(struct session *session, struct session_slot *slot);

/* Sends what waits, as far as the bot has room, in one message. */
void session_settle(struct session *session);
/* For a message beside decisions (letters.h): whether the bot is ready and still there; the buffer
 * to pack it into, lent; and its sending, if it was packed. What goes wrong is told as a fault,
 * perhaps before it returns. */
bool session_can_be_asked(const struct session *session);
struct wire_buffer *session_buffer(struct session *session);
void session_send(struct session *session, enum bg_status packed, struct bg_error *err);
/* Finds overdue decisions and overdue starts. */
void session_sweep(struct session *session, int64_t now_ns);

/* A frame that came by this session's door. */
void session_on_frame(struct session *session, const struct link_frame *frame, int64_t received_ns,
                      int64_t lag_ns);
/* The connection has ended. A fault, unless the process ends now. */
void session_on_lost(struct session *session, enum link_end end, const char *why);
/* A process of this session tried to come in by another session's door: a fault. */
void session_on_trespass(struct session *session, pid_t pid);

/* Says Goodbye; the process is killed when it does not end in time. `closed` follows. */
void session_close(struct session *session, const char *why);

/* Starts a process anew after session_close, once it is down. Nothing of the one before is left in
 * what the new one is told: decisions are numbered from the beginning. */
void session_reopen(struct session *session);

enum session_state session_state(const struct session *session);
bool session_owns(const struct session *session, pid_t pid); /* pid is of its process */
link_peer session_peer(const struct session *session);       /* 0: none that has greeted */
int session_bot_index(const struct session *session);
int session_instance(const struct session *session);
bool session_wants_plays(const struct session *session); /* legal plays are listed for it */
bool session_is_stateful(const struct session *session);
const char *session_version(const struct session *session); /* "name version", "" before Hello */
const char *session_options(const struct session *session); /* "Plies=0 Noise=0.02" as set */
/* The options that its last Hello offers, with defaults; lent. *count may be 0. */
const struct wire_option *session_offers(const struct session *session, size_t *count);
bool session_plays(const struct session *session, const struct bg_variant *variant);
/* Processor time of its process and what that has started, in nanoseconds; 0 without a process. */
int64_t session_cpu_ns(const struct session *session);
int session_in_flight(const struct session *session);   /* decisions open at once at most */
uint64_t session_memory(const struct session *session); /* bytes held, 0 unknown */

/* What is being judged, inside the listener's calls that come of a message. */
struct session_reply session_reply(const struct session *session);

/* The last 64 KiB of its standard error, cleaned (rules/clean.h); lent until the next call. */
const char *session_stderr(struct session *session);

struct session_work session_work(const struct session *session);

/* Tables that use this session now; counted by the tournament. */
int *session_tables(struct session *session);

#endif
