/* tails.h - heavy tails: if one game outweighs the others, a mean and its error are unreliable.
 * Pure.
 */
#ifndef RESULTS_NUMBERS_TAILS_H
#define RESULTS_NUMBERS_TAILS_H

#include <stdbool.h>
#include <stddef.h>

/* A tail is heavy if one game has at least this share of all squared deviations. A variance whose
 * largest part is s has at most about 2 / s^2 degrees of freedom, with any number of games: 32 at a
 * quarter. */
#define TAILS_SHARE 0.25
/* The last face of a doubling cube: with larger cubes a tail is heavy with any number of games. */
#define TAILS_CUBE 64.0
/* With fewer games, the largest always has a large share. */
#define TAILS_GAMES 60

struct tails {
    double games;
    double cube;    /* the largest cube of a counted game */
    double largest; /* points of the game furthest from the mean, from the bot's view */
    double share;   /* its share of the squared deviations from the mean; NaN if undefined */
    double median;  /* median points of a game */
    bool heavy;
};

/* points: of each game; this function sorts them. cube: the largest of them. Zeroes *out if count
 * is 0. */
void tails_of(struct tails *out, double *points, size_t count, double cube);

#endif
