/* games.h - greedy's values for positions of games that are not played like backgammon. */
#ifndef BOTS_GREEDY_GAMES_H
#define BOTS_GREEDY_GAMES_H

#include <bgref/bot.h>

/* How a game is valued. An unknown game is played by counting pips. */
enum kind {
    KIND_CLASSIC, /* backgammon and similar games: main.c */
    KIND_PIPS,    /* only pips: the piles, and unknown games */
    KIND_HIT,     /* checkers in hand, common tracks, long boards, three dice */
    KIND_BLOCK,   /* one checker closes a point */
    KIND_PIN,     /* one checker is held by another on top of it */
    KIND_MISERE   /* the first to bear off all checkers loses */
};

enum kind games_kind(const struct bg_variant *variant);

/* Returns the position's value for seat 0, which has just played, in pips. Not for KIND_CLASSIC. */
double games_value(const struct bg_variant *variant, enum kind kind, const struct bg_board *board);

/* Sets seat 0's chance to win, 0..1, when it is about to roll, by what such values have won in
 * games of greedy with itself. False: classic.c has finer ones for this game. */
bool games_chance(double *chance, const struct bg_variant *variant, const struct bg_board *board);

/* Returns the mean level of a win in such games; 0: as values.c counts gammons. */
double games_level(const struct bg_variant *variant);

#endif
