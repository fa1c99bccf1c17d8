/* actions.h - a backgammon game in the form of other programs: one entry for each roll with its
 * play, one for each cube action.
 *
 * A record has separate steps for dice and plays, merged moves, opening ties and offers to resign;
 * other formats do not. Reading the actions replays the record through bg_match_step, so they are
 * legal.
 */
#ifndef RESULTS_FORMAT_ACTIONS_H
#define RESULTS_FORMAT_ACTIONS_H

#include <record/record.h>

enum action_kind {
    ACTION_ROLL, /* dice and the play made with them */
    ACTION_DOUBLE,
    ACTION_RAISE, /* beaver, raccoon, ... */
    ACTION_TAKE,  /* accepts a double or a raise */
    ACTION_DROP
};

struct action {
    enum action_kind kind;
    int seat;
    int step;               /* ROLL: the record's step with the dice; else the step itself */
    int play_step;          /* ROLL: step of the play; -1 if nothing was played */
    struct bg_roll roll;    /* ROLL: high first */
    struct bg_play play;    /* ROLL: single moves, in an order in which they are possible */
    bool hit[BG_MOVES_MAX]; /* ROLL: this move hits */
    bool unplayed;          /* ROLL: the game ended (resignation, forfeit) before the play */
    int64_t cube;           /* DOUBLE, RAISE: the offered value */
};

/* An event that is not an action: a resignation or a fault. */
struct action_note {
    int step;
    int seat;      /* the seat that resigned, or made the fault */
    int level;     /* level of a resignation, refused or accepted; 0: a fault */
    bool accepted; /* the resignation was accepted and ended the game */
    enum bg_fault fault;
};

struct actions {
    struct bg_match start, end; /* before the first step, and after the last */
    struct action *action;      /* owned */
    int count;
    struct action_note *note; /* owned */
    int notes;
};

/* Reads the game of view. BG_E_ARGUMENT: a variant other than those whose turn is one roll of two
 * dice, played with hits (backgammon, nackgammon, hypergammon); BG_E_MISMATCH: a step breaks a
 * rule. */
enum bg_status actions_read(struct actions *out, const struct record_view *view,
                            struct bg_error *err);
void actions_deinit(struct actions *actions); /* accepts a zeroed struct */

/* Writes what the seat thought of an action, of its double and of its play, in words; "": nothing.
 */
enum { ACTION_THOUGHT = 2 * 1024 };
void action_thought_write(char out[ACTION_THOUGHT], const struct record_view *view,
                          const struct action *action);

/* Writes a note as part of a sentence, with this name for the seat: "bob loses by a fault (late)",
 * "bob offers to resign a gammon, refused". */
enum { ACTION_NOTE = 160 };
void action_note_write(char out[ACTION_NOTE], const struct action_note *note, const char *name);

#endif
