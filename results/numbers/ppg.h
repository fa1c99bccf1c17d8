/* ppg.h - points per game with cluster standard errors, the money rating table, and heavy tails: if
 * one game outweighs the others, a mean and its error are unreliable.
 *
 * Pure functions over plain arrays (docs/statistics.md). Undefined values are NaN.
 */
#ifndef RESULTS_NUMBERS_PPG_H
#define RESULTS_NUMBERS_PPG_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

struct ppg {
    double clusters, games, points; /* counts; empty clusters do not count */
    double ppg, se, ci[2], los;
    double sd_game;       /* standard deviation of single games; NaN if unknown */
    double design_effect; /* below 1: duplicate dice helped */
};

/* Cluster c: points[c] won in games[c] games, from one side's view. sd_game: standard deviation of
 * single games, from one of the next two functions; NaN if unknown. With fewer than two clusters
 * only ppg is defined. */
void ppg_of(struct ppg *out, const double *points, const double *games, size_t count,
            double sd_game);

/* Sample standard deviation of single games, from the games or from their sums; NaN with fewer than
 * two games. */
double ppg_sd_of_games(const double *points, size_t games);
double ppg_sd_of_sums(double games, double sum, double square_sum);

/* One encounter of the money rating table: a beats b by ppg with this standard error. Ignored if
 * either is NaN. games: number of games, which gives the smallest se, 1/games; 0 if unknown. */
struct ppg_encounter {
    int a, b;
    double ppg, se, games;
};

struct ppg_rating {
    double rating, se; /* NaN if the engine has no encounter */
    int group;         /* -1 if the engine has no encounter */
};

struct ppg_table {
    int groups;
    double chi2;
    double dof;
};

/* Weighted least squares; the ratings of every group have sum 0. The caller owns
 * players[0..count-1]. BG_E_ARGUMENT: an encounter's se is not above 0 (the message has its
 * number). */
enum bg_status ppg_table_fit(struct ppg_rating *players, struct ppg_table *table, int count,
                             const struct ppg_encounter *encounters, size_t encounter_count,
                             struct bg_error *err);

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
