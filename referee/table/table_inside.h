/* table_inside.h - a table's members, and what its files (table*.c) share; for them only.
 *
 * table.c has its games and questions, table_dice.c the rolls, table_judge.c the answers and the
 * faults.
 */
#ifndef REFEREE_TABLE_TABLE_INSIDE_H
#define REFEREE_TABLE_TABLE_INSIDE_H

#include "hand_dice.h"
#include "keeping.h"
#include "rules/dice_draw.h"
#include "table.h"
#include "telling.h"

struct table {
    struct table_setup setup;
    char id[BG_GAME_ID];     /* of the running game; bots see slot.ask.game */
    char key[BG_KEY_HEX];    /* copy of setup.key_digest, which has a shorter life */
    const char *name[2];     /* of the bots on seats 0 and 1; lent */
    struct dice_ahead rolls; /* under setup.pair_key; unused if people roll */
    struct bg_match match;
    struct record record; /* of the running game */
    bool recording;
    struct record_view *before; /* owned; without sessions: the last game that was stored */
    struct clock clocks[2];
    int on_clock;             /* seat asked last, -1 none: its turn goes on */
    struct session_slot slot; /* the one open decision */
    int asked;                /* seat that owes it, -1 none */
    int64_t charged_ns;       /* time for the decision being judged, -1 none */
    bool thinks; /* the next step that is noted is the judged answer's: with its thought */
    char prev[RECORD_HASH];         /* hash of the leg's game before */
    char dice[2 * BG_KEY_HEX + 16]; /* copy of setup.dice_kind, which has a shorter life */
    struct store_fault *evidence;   /* owned; evidence of the fault that ended the game, else
                                     * NULL */
    struct telling *telling;        /* owned; NULL: no bot at this table wants to be told */
    unsigned unprepared;    /* bit for each seat that must be Ready before the game begins */
    struct keeping keeping; /* of the running game's steps */
    struct hand_dice hand;  /* of the roll that is due, if people roll */
    int64_t rolling_ns;     /* time of the decision to roll before it, -1: nobody was asked */
    int64_t owed_ns[2]; /* by seat: time that its next decision is charged with besides its own */
    bool waiting;       /* for the store */
    bool has_news;      /* a game has ended, and its bots will be told when it is durable */
    bool is_reported;   /* the listener knows that the table is done */
    bool stopping, done;
};

/* Handles an error of the system: the table stops playing. */
void table_broken(struct table *table, const struct bg_error *err);

/* Fills all of an ask but the decision's number, the game's id and the seed. */
void table_fill_ask(struct bg_ask *ask, const struct table *table, int seat);

/* The seat's clock runs from now on: in a new turn its delay starts again. */
void table_clock_turn(struct table *table, int seat);

/* Makes a step that is legal, and records, tells and keeps one that was made. spent_ns: time of the
 * decision, -1 none. */
void table_must_step(struct table *table, const struct bg_step *step);
void table_note(struct table *table, const struct bg_step *step, int64_t spent_ns);

/* ---- rolls (table_dice.c) ---- */

/* Draws the opening. */
enum bg_status table_roll_opening(struct table *table, struct bg_error *err);
/* The seat rolls. Draws the dice; if people roll, they are due now, and asked for by the next
 * table_advance. spent_ns: time taken to decide not to double, -1 if it was not asked. */
enum bg_status table_roll(struct table *table, int seat, int64_t spent_ns, struct bg_error *err);
/* Whether people have to say dice now. */
bool table_dice_are_due(const struct table *table);
/* Asks the operator whose turn it is to say them; nobody if the game is held. */
void table_ask_dice(struct table *table);
/* Takes the answer to that. */
void table_take_dice(struct table *table, const struct bg_answer *answer, int64_t charged_ns);
/* The time for that is over. */
void table_dice_overdue(struct table *table, int64_t spent_ns);

/* ---- answers (table_judge.c) ---- */

/* Records the evidence, ends the game with the seat's fault, and continues the match. rule,
 * answer, text: what is known of it, else BG_RULE_NONE and NULL. */
struct table_loss {
    enum bg_fault fault;
    enum bg_rule rule;
    const struct bg_answer *answer;
    const char *text;
};
void table_lose(struct table *table, int seat, const struct table_loss *loss);
void table_lose_misfit(struct table *table, int seat, const struct bg_answer *answer);
/* A completed turn adds the increment. turn: match.turn before the step. */
void table_end_turn(struct table *table, int seat, int turn);

#endif
