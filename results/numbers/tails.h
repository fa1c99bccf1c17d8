/* tails.h - heavy tails: if one game outweighs the others, a mean and its error are unreliable.
 * Pure.
 */
#ifndef RESULTS_NUMBERS_TAILS_H
#define RESULTS_NUMBERS_TAILS_H

#include <stdbool.h>
#include <stddef.h>

/* The share of all squared deviations in one game from which a tail is called heavy. A variance
 * whose largest part is s has about 2 / s^2 degrees of freedom at most, whatever the number of
 * games: 32 at a quarter. */
#define TAILS_SHARE 0.25
/* The last face of a doubling cube: beyond it a tail is heavy in any number of games. */
#define TAILS_CUBE 64.0
/* Fewer games have a largest one anyway. */
#define TAILS_GAMES 60

struct tails {
    double games;
    double cube;    /* the largest that counted */
    double largest; /* points of the game furthest from the mean, of the bot's view */
    double share;   /* of the squared deviations from the mean that lie in it; NaN: none */
    double median;  /* points a game */
    bool heavy;
};

/* points: of each game, put in order by this. cube: the largest of them. Zeroed when count is 0. */
void tails_of(struct tails *out, double *points, size_t count, double cube);

#endif
