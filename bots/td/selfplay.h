/* selfplay.h - a net plays against itself, and learns from it.
 *
 * Tesauro's temporal differences: after a game each position's chances move towards what came
 * later, the result included, with weight lambda for each step farther (computed backward from the
 * end).
 */
#ifndef BOTS_TD_SELFPLAY_H
#define BOTS_TD_SELFPLAY_H

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

/* Points a game of the net against random plays, money without a cube, this many games. */
double selfplay_against_random(const struct player *player, long games, uint64_t seed);

#endif
