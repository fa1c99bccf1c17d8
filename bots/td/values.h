/* values.h - td as a judge, and what its plays and cube decisions are chosen by. */
#ifndef BOTS_TD_VALUES_H
#define BOTS_TD_VALUES_H

#include <bgref/evaluate.h>

#include "../bkg/cube.h"
#include "choice.h"

/* Returns the player of this game, with its net; NULL: there is none. The nets that it reads are
 * kept. */
struct player *values_player(const struct bg_variant *variant);

/* The table of exact bear-offs, among the nets. */
#define VALUES_BEAROFF "bear-off.values"

/* Reads everything that questions need. Returns the games for which there is a net, separated by
 * blanks; BG_E_CONFIG: none, or one is damaged; BG_E_SYSTEM, BG_E_FORMAT: the table of bear-offs is
 * missing, or damaged. folder: where the files are; lent. */
enum bg_status values_begin(char *games, size_t size, const char *folder, struct bg_error *err);

/* Chances of own, which is about to roll (roller 0), or of which the opponent is (1). Where
 * checkers are counted there are no gammons, and cube decisions go by the chance to win. */
void values_outlook(struct outlook *out, const struct player *player, const struct bg_board *board,
                    int roller);

/* Returns what own's chances are worth with the cube as it stands. */
double values_worth(const struct player *player, const struct bg_ask *ask,
                    const float chances[NET_OUTPUTS]);

/* Returns own's value of a board where own is about to roll (roller 0), or the opponent (1). */
double values_position(const struct player *player, const struct bg_ask *ask,
                       const struct bg_board *board, int roller);

/* Returns the value of a board after a play of own from ask's: the opponent is about to double or
 * to roll. */
double values_after(const struct player *player, const struct bg_ask *ask,
                    const struct bg_board *board);

/* Returns own's value while `roller` is about to roll and no longer doubles: the mean over its best
 * plays of all rolls, each with what the cube is worth then. Where a turn is not one roll, or
 * checkers are counted: values_outlook's with the cube, without looking ahead. */
double values_before(const struct player *player, const struct bg_ask *ask,
                     const struct bg_board *board, int roller, struct cube_at at);

/* Finds what own's doubling or not is worth, by values_before. */
void values_cube(struct bg_cube_values *out, const struct player *player, const struct bg_ask *ask);

/* Finds the plays of own, from ask's board, that are worth values_after. */
void values_choose(struct choice *out, const struct player *player, const struct bg_ask *ask,
                   const struct bg_play_list *plays);

/* As values_after, by values_before where that looks ahead. */
double values_after_roll(const struct player *player, const struct bg_ask *ask,
                         const struct bg_board *board);

/* Answers ask, of one of the kinds BG_VALUE_.... */
void values_find(struct bg_value *out, const struct bg_ask *ask);

#endif
