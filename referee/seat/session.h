/* session.h - one bot's connection: greeting, open decisions, deadlines, faults; and its process,
 * if the session started one.
 *
 * A session knows nothing of games. A table lends it a struct session_slot with a filled Ask. The
 * session sends it when the bot has room, stamps it, and calls its listener with the outcome: an
 * answer, an overdue deadline, or a fault. After a crash the other slots are sent again to the new
 * process under new decision numbers.
 */
#ifndef REFEREE_SEAT_SESSION_H
#define REFEREE_SEAT_SESSION_H

#include <bgref/ask.h>

#include "bot/competitor.h"
#include "bot/identity.h"
#include "../loop/loop.h"
#include "due.h"
#include "greeting.h"
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

/* The listener's functions. `user` is given to session_create. */
struct session_listener {
    void (*ready)(void *user, struct session *session);
    /* An answer to slot, which is idle again. NULL: the bot is Ready for the slot's game; only for
     * an ask of the kind BG_DECIDE_NONE. spent_ns is the time since sending; credit_ns of it
     * are the referee's own. */
    void (*answered)(void *user, struct session_slot *slot, const struct bg_answer *answer,
                     int64_t spent_ns, int64_t credit_ns);
    /* No answer within slot->limit_ns; the slot is idle again. With slot->last_limit the process is
     * ended and started anew. */
    void (*overdue)(void *user, struct session_slot *slot, int64_t spent_ns);
    /* The bot committed a fault. slot: the decision it is charged to, idle again; NULL: none is
     * open. The session restarts the process itself where needed, unless session_close is called
     * from here. */
    void (*fault)(void *user, struct session *session, struct session_slot *slot,
                  enum bg_fault fault, const char *text);
    /* The bot sent its nonce's digest or its nonce for this subject, or does not know the messages.
     * Returns false if nothing was asked; NULL means the same. */
    bool (*committed)(void *user, struct session *session, const char *subject,
                      const uint8_t digest[WIRE_SECRET]);
    bool (*revealed)(void *user, struct session *session, const char *subject, const uint8_t *nonce,
                     size_t size);
    bool (*cannot_commit)(void *user, struct session *session);
    /* After session_close: its processes are gone, and all that they have started. */
    void (*closed)(void *user, struct session *session);
    /* An evaluator's values: message's number, count and values, lent. The listener matches
     * message->number to its request. */
    void (*valued)(void *user, struct session *session, const struct wire_message *message);
};

/* Who knows in which games a session's bot plays now, also those in which it is not on turn. */
struct session_games {
    /* Lists them as the bot sees them, at most `most`, lent until the next call. Returns how many.
     */
    size_t (*list)(void *user, const struct session *session, const char **out, size_t most);
    void *user;
};

/* For bots that are started elsewhere: who connects for them. bot: its index. */
struct session_door {
    /* The session waits for the bot at this endpoint, and not at an earlier one, again: which was
     * ready; and, later, no longer does. */
    void (*opened)(void *user, int bot, const char *endpoint, bool again);
    void (*closed)(void *user, int bot);
    /* The bot has connected and is greeted. NULL: nobody needs to know. */
    void (*came)(void *user, int bot);
    /* Returns whether this process may connect. */
    bool (*owns)(void *user, pid_t pid);
    /* Returns whether our own side has failed since the bot came, or since it was waited for: the
     * end of its connection is then not its fault. */
    bool (*is_down)(void *user, int bot);
    /* Returns how long what stands between the referee and the bot was held up in total until
     * now_ns, as loop_stalled does for the referee. NULL: nothing does. */
    int64_t (*stalled)(void *user, int64_t now_ns);
    /* Returns whether the host itself keeps the bot from the event now: has lent it to another one,
     * lets it rest, or does not allow it here. NULL: it never does. */
    bool (*is_kept)(void *user, int bot);
    /* The event has put the bot out after so many faults; 0: it goes on, but refused several starts
     * of the bot in a row. NULL: nobody needs to know. */
    void (*put_out)(void *user, int bot, int faults);
    /* The bot came as another version, which was refused: its director has to hear of it. "": that
     * is over. NULL: nobody needs to know. */
    void (*refused)(void *user, int bot, const char *version);
    /* Returns how many tables the bot may have at once, by the host's word, else `entry`. NULL: its
     * entry counts. */
    int (*tables)(void *user, int bot, int entry);
    void *user;
    /* A bot that was ready may be away for this long: its decisions stay open under their numbers,
     * and its time runs. 0: the end of its connection is a fault. */
    int64_t away_ns;
    /* The same while it plays and owes no answer, so that no clock of its own runs. 0: away_ns. */
    int64_t idle_ns;
    int64_t grace_ns; /* our failure may be known this much later than the end of a connection */
};

struct session_setup {
    const struct competitor *bot; /* lent */
    int bot_index, instance;
    const char *event;            /* name that the bot sees, may be ""; lent */
    const struct bg_rules *rules; /* the bot must play their game or games; lent. NULL: none */
    struct loop *loop;            /* lent */
    struct link *link;            /* lent */
    struct wire_reader *reader;   /* lent; shared, used only inside session_on_frame */
    struct credit *credit;        /* its bot's; lent */
    int64_t start_ns, ceiling_ns, new_game_ns;
    uint64_t memory_bytes; /* 0: no limit */
    int open_files;        /* as in struct launch */
    bool confined;         /* bots run in a sandbox ... */
    const char *hidden;    /* ... which hides the folder of these results; lent */
    bool evaluator;        /* a judge: must be able to evaluate positions */
    bool enters_dice;      /* it must be able to enter dice that people roll */
    bool wants_thoughts;   /* what it tells beside its answers is stored */
    bool holds_version; /* once it was ready, only this version is taken (session_take_version) */
    const struct session_door *door;   /* lent; NULL: the session starts the bot. Else it is started
                                          elsewhere; the end of its connection: door->away_ns */
    const struct session_games *games; /* lent; NULL: a Welcome lists none */
    int nice;                          /* added to the niceness of its processes */
    int pin; /* 1 + the core on which it and all that it starts run; 0: any */
    const struct session_listener *listener;
    void *user;
};

struct session *session_create(const struct session_setup *setup);
/* Ends the process if there is one (launcher_end waits for its end) and forgets its slots. */
void session_destroy(struct session *session);

/* From now on the session notes in due, as this member, when session_settle and session_sweep have
 * something to do. due is lent. */
void session_join(struct session *session, struct due *due, int member);

/* Starts the process. BG_E_START: the program cannot be run. */
enum bg_status session_start(struct session *session, struct bg_error *err);

/* The same from the loop: a program that cannot be run is then a fault. */
void session_start_later(struct session *session);

/* Consecutive failed starts; inside the listener's fault this one is counted. 0: the last one
 * became ready. */
int session_failed_starts(const struct session *session);

/* Queues slot, which must be idle. Sent by session_settle. */
void session_ask(struct session *session, struct session_slot *slot);
/* Makes slot idle, whatever its state; a later answer to it is ignored. */
void session_cancel(struct session *session, struct session_slot *slot);

/* Sends waiting decisions in one message, as many as the bot accepts. */
void session_settle(struct session *session);
/* Tells the bot what is in tells, and empties them; sent by session_settle, before its next
 * decisions. A bot that is not ready is not told. An error is logged: the bot misses them. */
void session_tell(struct session *session, struct wire_tells *tells);
/* For messages other than decisions (letters.h): true if the bot is ready and connected; the buffer
 * to pack the message into, lent; and its sending, if it was packed. An error is reported as a
 * fault, perhaps before the call returns. */
bool session_can_be_asked(const struct session *session);
struct wire_buffer *session_buffer(struct session *session);
void session_send(struct session *session, enum bg_status packed, struct bg_error *err);
/* Finds overdue decisions and overdue starts. */
void session_sweep(struct session *session, int64_t now_ns);

/* Handles a frame that came by this session's door. */
void session_on_frame(struct session *session, const struct link_frame *frame, int64_t received_ns,
                      int64_t lag_ns);
/* Handles the end of the connection: a fault, unless the process ends now. */
void session_on_lost(struct session *session, enum link_end end, const char *why);
/* A process of this session tried to connect by another session's door: a fault. */
void session_on_trespass(struct session *session, pid_t pid);

/* Sends Goodbye; kills the process if it does not end in time. `closed` follows. */
void session_close(struct session *session, const char *why);

/* Starts a process again after session_close, once the session is down. The new process gets
 * nothing from the old one: decision numbers begin again. */
void session_reopen(struct session *session);

enum session_state session_state(const struct session *session);
bool session_is_away(const struct session *session); /* its line was lost, and it may come back */
bool session_owns(const struct session *session, pid_t pid); /* pid belongs to its process */
link_peer session_peer(const struct session *session);       /* 0: no greeted connection */

/* Its next start is of this version, "" any. */
void session_take_version(struct session *session, const char *version);
/* Returns whether so many starts in a row were refused for their Hello; then counts anew. */
bool session_take_refusals(struct session *session, int most);

/* Called when the bot has lost a game by being late or silent. Returns whether it is away, or was
 * given up for it, and has lost another game by the same absence before. */
bool session_charge_absence(struct session *session);

int session_bot_index(const struct session *session);
const char *session_event(const struct session *session); /* the name that its bot sees; lent */
int session_instance(const struct session *session);
/* What its last Hello said of it; texts are "" before it. Lent. */
const struct greeting *session_greeting(const struct session *session);
static inline bool session_wants_plays(const struct session *session) /* legal plays are listed */
{
    return session_greeting(session)->want_plays;
}
static inline bool session_is_stateful(const struct session *session)
{
    return session_greeting(session)->stateful;
}
static inline bool session_wants_tells(const struct session *session)
{
    return session_greeting(session)->want_tells;
}
static inline bool session_wants_pairings(const struct session *session)
{
    return session_greeting(session)->want_pairings;
}
int session_starts(const struct session *session); /* how often a process of it became ready */
/* As its Hello has it, version "name version"; lent. */
static inline struct identity session_identity(const struct session *session)
{
    return (struct identity){session_greeting(session)->version, session_greeting(session)->author};
}
static inline const char *session_version(const struct session *session)
{
    return session_greeting(session)->version;
}
static inline const char *session_options(const struct session *session) /* "Plies=0 Noise=0.02" */
{
    return session_greeting(session)->options;
}
/* The options that its last Hello offered, with defaults; lent. *count may be 0. */
static inline const struct wire_option *session_offers(const struct session *session, size_t *count)
{
    *count = session_greeting(session)->offer_count;
    return session_greeting(session)->offers;
}
static inline bool session_plays(const struct session *session, const struct bg_variant *variant)
{
    return greeting_plays(session_greeting(session)->variants, variant);
}
/* Processor time of its process and all that it has started, in nanoseconds; 0 without a
 * process. */
int64_t session_cpu_ns(const struct session *session);
int session_in_flight(const struct session *session);   /* most decisions open at once */
uint64_t session_memory(const struct session *session); /* bytes held, 0 unknown */

/* The message that is being judged, inside listener calls that a message caused. */
struct session_reply session_reply(const struct session *session);
/* The thought beside the judged answer, as inbox_take_thought. */
bool session_take_thought(struct bg_thought *out, struct session *session);

/* The last 64 KiB of its standard error, cleaned (rules/clean.h); lent until the next call. */
const char *session_stderr(struct session *session);

struct session_work session_work(const struct session *session);

/* Tables that use this session now; counted by the tournament. */
int *session_tables(struct session *session);

#endif
