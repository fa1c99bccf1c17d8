/* exact_race.h - an exact evaluator of races with three checkers a side, the others off: equities
 * by a plain enumeration, money play with or without the cube, one-point matches. */
#ifndef SUPPORT_EXACT_RACE_H
#define SUPPORT_EXACT_RACE_H

#include <bgref/evaluate.h>

enum {
    EXACT_RACE_CHECKERS = 3,
    EXACT_RACE_PLACES = 7 * 7 * 7,
    EXACT_RACE_DEAD = 3, /* owners of the cube: 0 own, 1 opponent's, 2 centred, no cube */
    EXACT_RACE_OWNERS
};

/* Call it before a test. */
void exact_race_setup(void);

/* Three checkers of one side on points 0 to 6 as one number. */
int exact_race_place(const uint8_t at[BG_SLOTS]);

/* Equity of at[0] for each point of the cube: before its cube decision; when it rolls now; after
 * its play. owner is from its view. */
double exact_race_equity(const struct bg_board *board, int owner);
double exact_race_rolling(const struct bg_board *board, int owner);
double exact_race_after(const struct bg_board *board, int owner);

/* The owner of the cube in ask. */
int exact_race_owner(const struct bg_ask *ask);

/* Answers ask: all rolls, or the cube. */
void exact_race_value(struct bg_value *out, const struct bg_ask *ask);

#endif
