/* evaluate.h - a position's chances by hand-made terms.
 *
 * For each side the terms of terms.h are weighted by the classes of positions that its own position
 * belongs to; the difference of the two sums is the logarithm of the odds to win. Without search.
 */
#ifndef BOTS_BKG_EVALUATE_H
#define BOTS_BKG_EVALUATE_H

#include "terms.h"

/* Chances of seat 0, 0..1; each includes the larger wins. */
struct outlook {
    double win, gammon, backgammon; /* of seat 0 */
    double lose_gammon, lose_backgammon;
    double live; /* the share of its full value that the right to double has here, 0..1 */
};

/* What Janowski found on average: about two thirds. */
#define OUTLOOK_LIVE 0.68

/* What a term is worth: hundredths of log-odds for each unit, by class of position. Never
 * negative: whether a term helps or hurts is its sign. */
struct weights {
    double win[TERMS][PHASE_COUNT];
    double gammon[GAMMON_TERMS][PHASE_COUNT];     /* odds that a win is a gammon */
    double backgammon[GAMMON_TERMS][PHASE_COUNT]; /* odds that a gammon is a backgammon */
};

extern const struct weights weights;

/* Returns what all terms make for seat 0, in hundredths of log-odds to win. */
double evaluate_odds(const struct weights *worth, const struct facts *facts);

/* Values board by these weights when `roller` is about to throw; the game is not over. */
void evaluate(struct outlook *out, const struct weights *worth, const struct bg_board *board,
              int roller);

#endif
