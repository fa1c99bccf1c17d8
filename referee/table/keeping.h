/* keeping.h - the steps of a table's running game, on their way to the store and back.
 *
 * With `durable: decision` a table puts the steps since the last decision before it asks the next
 * one, and waits until they are durable. After a kill keeping_resume leads the game to its open
 * decision. It knows no bots. Where games that are played again get other dice, it only puts that a
 * game has begun (`marks`).
 */
#ifndef REFEREE_TABLE_KEEPING_H
#define REFEREE_TABLE_KEEPING_H

#include "record/clock.h"
#include "rules/dice_draw.h"
#include "sink.h"

struct keeping {
    bool on;
    bool marks;  /* without `on`: puts that a game begins */
    char *lines; /* owned; steps that were not put yet */
    size_t size, room;
    int first;          /* how many steps of the game were put before */
    int count;          /* steps in lines */
    uint64_t ticket;    /* the sink's count after the last put of this table */
    uint64_t durable;   /* how many of the sink's puts are durable, as far as is known */
    int rolling;        /* after keeping_resume: the seat that had decided to roll; -1 none */
    int64_t rolling_ns; /* ... and its time for that */
};

/* What steps change besides their own text. All lent. */
struct keeping_game {
    const struct game_sink *sink;
    const struct game_id *id;
    struct bg_match *match;
    struct clock *clocks; /* of seats 0 and 1 */
    int *on_clock;
};

void keeping_deinit(struct keeping *keeping);

/* A new game begins: nothing of it is put. */
void keeping_begin(struct keeping *keeping);
/* Adds a step to those that will be put. */
void keeping_add(struct keeping *keeping, const struct bg_step *step,
                 const struct record_time *time);
/* Adds what was thought of that step. */
void keeping_add_thought(struct keeping *keeping, const struct bg_thought *thought);
/* Adds that the seat decided to roll, which is no step before the dice are known: where people roll
 * it must not decide again. */
void keeping_add_rolling(struct keeping *keeping, int seat, int64_t spent_ns);
/* Puts what was added, if anything, with the clocks as they are. Statuses as the sink's. */
enum bg_status keeping_put(struct keeping *keeping, const struct keeping_game *game,
                           struct bg_error *err);
/* Puts that the game begins, without steps. Statuses as the sink's. */
enum bg_status keeping_mark(struct keeping *keeping, const struct keeping_game *game,
                            struct bg_error *err);
/* The game is finished and was put: its steps are not needed. */
void keeping_end(struct keeping *keeping, const struct game_sink *sink);
/* Whether everything that this table has put is durable. */
bool keeping_is_durable(const struct keeping *keeping);

/* Plays the stored steps of the game, which has just begun: appends them to the record, sets the
 * clocks, and calls nobody. rolls NULL: people roll, so any dice are possible. BG_E_STORE: they
 * break a rule, have other dice than rolls, or one is missing. Without stored steps it changes
 * nothing. */
enum bg_status keeping_resume(struct keeping *keeping, const struct keeping_game *game,
                              struct record *record, struct dice_ahead *rolls,
                              struct bg_error *err);

#endif
