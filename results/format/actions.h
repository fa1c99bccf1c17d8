/* actions.h - a game of backgammon as other programs list it: one entry for each roll with its
 * play, one for each cube action.
 *
 * A record has separate steps for dice and plays, merged moves, opening ties and offers to resign;
 * other formats do not. Reading the actions of a record plays it once more through
 * bg_match_step, so they are legal.
 */
#ifndef RESULTS_FORMAT_ACTIONS_H
#define RESULTS_FORMAT_ACTIONS_H

#include <record/record.h>

enum action_kind {
    ACTION_ROLL, /* dice and the play made with them */
    ACTION_DOUBLE,
    ACTION_RAISE, /* beaver, raccoon, ... */
    ACTION_TAKE,  /* of a double, or a raise accepted */
    ACTION_DROP
};

struct action {
    enum action_kind kind;
    int seat;
    int step;               /* ROLL: step of the record that gave the dice; else the step itself */
    int play_step;          /* ROLL: step of the play; -1 when nothing was played */
    struct bg_roll roll;    /* ROLL: high first */
    struct bg_play play;    /* ROLL: single moves, in an order in which they can be made */
    bool hit[BG_MOVES_MAX]; /* ROLL: that move hits */
    bool unplayed;          /* ROLL: the game ended (resignation, forfeit) before it was played */
    int64_t cube;           /* DOUBLE, RAISE: the value that is offered */
};

/* Something that is not an action: a resignation or a fault. */
struct action_note {
    int step;
    int seat;      /* who resigned, or was at fault */
    int level;     /* of a resignation that was refused, or accepted; 0: a fault */
    bool accepted; /* the resignation ended the game */
    enum bg_fault fault;
};

struct actions {
    struct bg_match start, end; /* before the first step, after the last */
    struct action *action;      /* owned */
    int count;
    struct action_note *note; /* owned */
    int notes;
};

/* Reads the game of view. BG_E_ARGUMENT: not a game in which each turn has one roll of two dice
 * played with hits, as backgammon, nackgammon and hypergammon have it; BG_E_MISMATCH: a step breaks
 * a rule; BG_E_MEMORY. */
enum bg_status actions_read(struct actions *out, const struct record_view *view,
                            struct bg_error *err);
void actions_deinit(struct actions *actions); /* also when zeroed */

/* Writes a note as part of a sentence, with this name for the seat: "bob loses by a fault (late)",
 * "bob offers to resign a gammon, refused". */
enum { ACTION_NOTE = 160 };
void action_note_write(char out[ACTION_NOTE], const struct action_note *note, const char *name);

#endif
