/* trial.h - one game played on from a position by a bot that values positions. Pure.
 *
 *     trial_begin(&trial, &rules, &start, number);
 *     while (trial_ask(&ask, &trial)) {
 *         ...the bot's answer to ask, checked with bg_value_check...
 *         trial_take(&trial, &value, &err);
 *     }
 *     trial.value, trial.chances
 *
 * Each turn the bot gives its best play of all 21 rolls and their values; the dice choose one. With
 * variance reduction the luck of each roll, by the same values, is taken off again, which leaves
 * the expectation as it is (docs/statistics.md, "Luck"). A truncated trial ends with the value
 * after its last play. With a cube the bot is asked before each roll whether a double is right.
 *
 * Values are for the seat `own`, in units of the cube at the start (money: points; match: chance to
 * win the match).
 */
#ifndef REFEREE_JUDGE_TRIAL_H
#define REFEREE_JUDGE_TRIAL_H

#include <bgref/dice.h>
#include <bgref/evaluate.h>

#include "numbers/met.h"

/* What all trials of a rollout have in common; lent to each. */
struct trial_rules {
    struct bg_dice_key key; /* of the dice: equal keys, equal dice */
    int own;                /* the seat from whose view values are */
    int cube_log2;          /* the cube at the start, the unit of money values */
    int plies;              /* turns until it is cut off; 0: none, to the end of the game */
    bool reduces;           /* variance reduction */
    bool chances;           /* ask for the chances where it is cut off */
    struct met met;         /* match: what an ended game is worth; owned by trial_rules */
};

/* Sets the dice, and in match play the match equities. seed and text name the dice. BG_E_ARGUMENT:
 * the match is too long. */
enum bg_status trial_rules_init(struct trial_rules *out, const struct bg_match *start,
                                uint64_t seed, const char *text, struct bg_error *err);
void trial_rules_deinit(struct trial_rules *rules); /* accepts a zeroed struct */

/* Returns the first throw's roll (0..20) of trial `number`: of each 36 trials in a row every throw
 * of two dice is first once. */
int trial_first_roll(const struct trial_rules *rules, uint64_t number);

struct trial {
    const struct trial_rules *rules;
    struct bg_match match;
    uint64_t number;
    int ply;      /* rolls so far */
    bool decided; /* rolls, although it may double */
    bool cut;     /* value is set, chances are still to be asked for */
    bool over;
    bool has_chances;
    double luck; /* own's minus the opponent's */
    double value;
    struct bg_chances chances; /* of own; equity is not set */
};

/* Where trials begin. */
struct trial_start {
    struct bg_match match; /* a seat is about to double or roll, or the game is over */
    bool decided;          /* it rolls, although it may double */
};

void trial_begin(struct trial *out, const struct trial_rules *rules,
                 const struct trial_start *start, uint64_t number);

/* Fills in the next question. Returns false if the trial is over. */
bool trial_ask(struct bg_ask *out, const struct trial *trial);

/* Plays on with the answer. BG_E_ARGUMENT: the bot cannot value the rolls of this position. */
enum bg_status trial_take(struct trial *trial, const struct bg_value *value, struct bg_error *err);

#endif
