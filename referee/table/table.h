/* table.h - one match (a leg of a pair) between two seats, from its first unfinished game to its
 * end.
 *
 * The table asks the match machine what is needed, draws keyed dice for the host (or, with
 * `dice: manual`, asks both operators for them), asks a session
 * for a bot's decision, judges the answer, writes the record, and passes finished games to a sink.
 * It knows nothing of other tables.
 */
#ifndef REFEREE_TABLE_TABLE_H
#define REFEREE_TABLE_TABLE_H

#include <bgref/dice.h>

#include "config/config.h"
#include "fixtures/fixture.h"
#include "../seat/session.h"
#include "record/record.h"
#include "sink.h"

struct table;

/* A rule of play that was broken; strings are lent. */
struct table_fault {
    int bot; /* index into the event's bots */
    enum bg_fault fault;
    const char *game_id, *message;
    const char *rule, *reply; /* "" none */
    const char *said;         /* its standard error, clean; may be NULL */
};

/* A game of `dice: manual` that is held: its operators do not agree on a roll. Strings are lent. */
struct table_held {
    const struct fixture *fixture; /* lent */
    const char *game_id, *name[2]; /* by seat */
    uint32_t said[2];              /* the digits that each has said last */
};

/* The listener of a table's events. `user` is given to table_open. */
struct table_listener {
    /* The match is over (or stopped between games after table_stop). Do not destroy the table
     * inside this call; do it later. */
    void (*done)(void *user, struct table *table);
    /* A bot broke a rule of play and has already lost the game for it. */
    void (*fault)(void *user, const struct table_fault *fault);
    /* A game begins. The match still holds its score and number. */
    void (*began)(void *user, const struct table *table, const char *game_id,
                  const struct bg_match *match);
    /* Nobody is asked in this game any more. It goes on at the same roll after a restart;
     * table_stop ends the table. */
    void (*held)(void *user, const struct table_held *held);
    /* The sink failed or memory ran out; the run must stop. */
    void (*broken)(void *user, const struct bg_error *err);
    /* A game has ended; the sink gets it next. */
    void (*ended)(void *user, enum bg_end end);
    /* A step was made. NULL: nobody looks. */
    void (*stepped)(void *user, const struct table *table, const struct record_made *made);
};

/* All that a table borrows; all of it outlives the table. */
struct table_setup {
    const struct config_event *event;
    struct bg_rules rules; /* of this match: the event's, or those of its pairing */
    const char *host;      /* description of the machine, for the record */
    const char *dice_kind; /* for the record: "keyed", "reproducible", "manual", "committed NA NB";
                              lent until table_open returns */
    const char *const *programs; /* digest of each bot's program, by index */
    const char *key_digest;      /* of the event's key; lent likewise */
    const char *trust;           /* for the record; static */
    struct fixture fixture;
    uint64_t attempt; /* how often the pair has got other dice */
    bool marks;       /* stores that a game has begun before a bot sees its dice */
    struct bg_dice_key pair_key;
    struct bg_dice_key id_key;    /* under which bots see games (bgref/dice.h) */
    const struct bg_start *start; /* of the first game; NULL: the set-up */
    bool begun;                   /* the sink may have games or steps of this leg */
    struct session *session[2];   /* of seats 0 and 1; NULL, both: table_forfeit_match follows */
    struct game_sink sink;
    const struct table_listener *listener;
    void *user;
    int place; /* the caller's number for the table; see table_place */
};

/* Rebuilds the leg from the games that the sink already has, if setup->begun. */
enum bg_status table_open(struct table **out, const struct table_setup *setup,
                          struct bg_error *err);

/* Cancels open decisions at the sessions; drops an unfinished game. NULL is fine. */
void table_destroy(struct table *table);

/* Plays on until a bot owes an answer or the match is over. With `durable: decision` it stops
 * before every message to a bot until the steps before are durable: table_on_durable then goes
 * on. */
void table_advance(struct table *table);
/* durable: how many of the sink's puts are durable. */
void table_on_durable(struct table *table, uint64_t durable);
/* Whether the table waits for that. Also a table that is done may wait, to tell its bots the end.
 */
bool table_is_waiting(const struct table *table);

/* Begins no further game; `done` is called when the running one has ended. A game that is held ends
 * at once, unfinished. */
void table_stop(struct table *table);

/* Forwarded by the session's listener; slot->owner is the table. */
void table_on_answer(struct table *table, const struct bg_answer *answer, int64_t spent_ns,
                     int64_t credit_ns);
void table_on_overdue(struct table *table, int64_t spent_ns);
void table_on_fault(struct table *table, enum bg_fault fault, const char *message);

/* The bot of this seat has left: it loses the running game by this fault, whoever is on turn,
 * `done` is called, and no further game begins. A game of which no dice were seen, and one that is
 * held, is only dropped: the next table of the leg goes on with it. */
void table_forfeit(struct table *table, int seat, enum bg_fault fault, const char *message);
/* Of a table without sessions: the bot of this seat stays away (BG_FAULT_GONE). If games of the
 * match are stored and it is not over, its next game begins and ends by that; a game that was cut
 * off and kept goes on first. Nobody is told. `done` is then called. */
void table_forfeit_match(struct table *table, int seat, const char *message);

/* Whether its game is held (see table_held). */
bool table_is_held(const struct table *table);
const struct fixture *table_fixture(const struct table *table);
uint64_t table_attempt(const struct table *table); /* setup->attempt */
int table_place(const struct table *table);        /* setup->place */
struct session *table_session(const struct table *table, int seat);
/* The running game as bots see it; NULL: none runs. Lent. */
const char *table_game(const struct table *table);
bool table_is_over(const struct table *table); /* the whole match was played */
bool table_is_done(const struct table *table); /* the table plays no more: over or stopped */

#endif
