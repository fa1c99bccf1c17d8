/* selfplay.h - a net plays against itself, and learns from it.
 *
 * Tesauro's temporal differences: after a game each position's chances move towards what came
 * later, the result included, with weight lambda for each step farther (computed backward from the
 * end).
 */
#ifndef BOTS_TD_SELFPLAY_H
#define BOTS_TD_SELFPLAY_H

#include <bgref/match.h>

#include "chance.h"
#include "player.h"

struct recipe {
    long games;
    float rate_begin, rate_end;     /* falls by the same factor each game */
    float lambda_begin, lambda_end; /* falls evenly */
    float random;                   /* share of plays that are random */
};

struct selfplay;

/* All is lent. BG_E_MEMORY. */
enum bg_status selfplay_create(struct selfplay **out, struct player *player,
                               const struct recipe *recipe, uint64_t seed, struct bg_error *err);
void selfplay_destroy(struct selfplay *selfplay);

/* Plays and learns from game number `game` of the recipe. */
void selfplay_game(struct selfplay *selfplay, long game);

/* Sets out to the board after a play of the list. Returns false if the game need not go on. */
typedef bool (*choose_fn)(void *user, struct bg_board *out, const struct bg_match *match, int seat,
                          const struct bg_play_list *plays);

/* Plays a game, money without a cube, until its end or until choose ends it; chance throws. player:
 * of this game; it only names doubles. */
void selfplay_play(struct bg_match *match, const struct player *player, struct chance *chance,
                   choose_fn choose, void *user);

/* Returns the number of the play with the best chances, and sets these. */
int selfplay_best(float out[NET_OUTPUTS], const struct player *player, const struct bg_board *board,
                  int seat, const struct bg_play_list *plays);

/* Points a game of the net against random plays, money without a cube, this many games. */
double selfplay_against_random(const struct player *player, long games, uint64_t seed);

#endif
