/* plays_plain.h - the legal results of a stage the slow way, for every game and option: all
 * sequences of single moves on plain arrays in own numbering, each restriction tried after every
 * single move, then the compulsory rule word for word. Written only from docs/rules.md; the oracle
 * of property tests. */
#ifndef SUPPORT_PLAYS_PLAIN_H
#define SUPPORT_PLAYS_PLAIN_H

#include <bgref/play.h>

#include "plain_games.h"

enum { PLAIN_MAX = 4096, PLAIN_NUMBERS = 4 };

struct plain_stage {
    int count, number[PLAIN_NUMBERS];
};

struct plain_list {
    int count;
    int most, sum;                     /* numbers that G6 requires, and their sum */
    struct bg_board result[PLAIN_MAX]; /* all different */
};

/* The position before the first roll. */
void plain_setup(struct bg_board *out, const struct plain_game *game);

/* The numbers of a roll (G5); c is 0 where there are two dice. */
struct plain_stage plain_stage_roll(const struct plain_game *game, int a, int b, int c);

/* The results that seat can legally reach by the stage, in no order; none if nothing can be
 * played. */
void plays_plain(struct plain_list *out, const struct plain_game *game,
                 const struct bg_board *board, int seat, const struct plain_stage *stage);

/* True if the board belongs to a finished game: all checkers of a side off, or the mother
 * decided. */
bool plain_over(const struct plain_game *game, const struct bg_board *board);

bool plain_has(const struct plain_list *list, const struct bg_board *board);

#endif
