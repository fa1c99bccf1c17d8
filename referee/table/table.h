/* table.h - one match (a leg of a pair) between two seats, from its first unfinished game to its
 * end.
 *
 * The table asks the match machine what is needed, draws keyed dice where the host owes them, asks
 * a session where a bot does, judges the answer, writes the record, and hands finished games to a
 * sink. It decides nothing about other tables.
 */
#ifndef REFEREE_TABLE_TABLE_H
#define REFEREE_TABLE_TABLE_H

#include <bgref/dice.h>

#include "config/config.h"
#include "fixtures/schedule.h"
#include "../seat/session.h"
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

/* Who is told of a table's course. `user` is given to table_open. */
struct table_listener {
    /* The match is over (or stopped between games after table_stop). Destroy the table later, not
     * from inside the call. */
    void (*done)(void *user, struct table *table);
    /* A bot broke a rule of play; the game is already lost by it. */
    void (*fault)(void *user, const struct table_fault *fault);
    /* A game begins. The match holds its score and, still, its number. */
    void (*began)(void *user, const struct table *table, const char *game_id,
                  const struct bg_match *match);
    /* The sink or our memory failed; the run cannot go on. */
    void (*broken)(void *user, const struct bg_error *err);
};

/* Everything a table borrows; all of it outlives the table. */
struct table_setup {
    const struct config_event *event;
    const char *host;            /* what is told of the machine, for the record */
    const char *dice_kind;       /* for the record: "keyed", "reproducible", "committed NA NB"; lent
                                    until table_open returns */
    const char *const *programs; /* digest of each bot's program, by index */
    const char *key_digest;      /* of the event's key; lent likewise */
    const char *trust;           /* for the record; static */
    struct fixture fixture;
    uint64_t attempt; /* how often the pair was begun anew */
    struct bg_dice_key pair_key;
    struct bg_dice_key id_key;    /* under which bots see games (bgref/dice.h) */
    const struct bg_start *start; /* of the first game; NULL: the set-up */
    bool begun;                   /* the sink may have games of this leg */
    struct session *session[2];   /* of seats 0 and 1 */
    struct game_sink sink;
    const struct table_listener *listener;
    void *user;
};

/* Rebuilds the leg from the games the sink already has, when setup->begun. */
enum bg_status table_open(struct table **out, const struct table_setup *setup,
                          struct bg_error *err);

/* Cancels what is open with the sessions; an unfinished game is dropped. NULL is fine. */
void table_destroy(struct table *table);

/* Plays on until a bot owes something or the match is over. */
void table_advance(struct table *table);

/* No further game is begun; done follows when the running one has ended. */
void table_stop(struct table *table);

/* What a session's listener passes on; slot->owner is the table. */
void table_on_answer(struct table *table, const struct bg_answer *answer, int64_t spent_ns,
                     int64_t credit_ns);
void table_on_overdue(struct table *table, int64_t spent_ns);
void table_on_fault(struct table *table, enum bg_fault fault, const char *message);

const struct fixture *table_fixture(const struct table *table);
struct session *table_session(const struct table *table, int seat);
bool table_is_over(const struct table *table); /* the whole match was played */
bool table_is_done(const struct table *table); /* nothing more is played here: over or stopped */

#endif
