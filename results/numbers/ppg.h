/* ppg.h - points per game with cluster standard errors, and the money rating table.
 *
 * Pure functions over plain arrays (docs/statistics.md). Undefined values are NaN.
 */
#ifndef RESULTS_NUMBERS_PPG_H
#define RESULTS_NUMBERS_PPG_H

#include <stddef.h>

#include <bgref/error.h>

/* z of a two-sided 95 % interval. */
#define STAT_Z95 1.959963984540054

/* Distribution function of the standard normal distribution. */
double stat_phi(double x);

/* LOS of a difference with its standard error; 0.5, 0 or 1 by the difference's sign if se is 0; NaN
 * stays NaN. */
double stat_los(double difference, double se);

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

#endif
