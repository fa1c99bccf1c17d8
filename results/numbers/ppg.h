/* ppg.h - points per game with cluster standard errors, and the money rating table.
 *
 * Pure functions over plain arrays (docs/statistics.md). A value that is not defined is NaN.
 */
#ifndef RESULTS_NUMBERS_PPG_H
#define RESULTS_NUMBERS_PPG_H

#include <stddef.h>

#include <bgref/error.h>

/* z of a two-sided 95 % interval. */
#define STAT_Z95 1.959963984540054

/* Distribution function of the standard normal distribution. */
double stat_phi(double x);

/* LOS of a difference with its standard error: 0.5, 0 or 1 by sign when se is 0; NaN stays NaN. */
double stat_los(double difference, double se);

struct ppg {
    double clusters, games, points; /* counts; empty clusters are not counted */
    double ppg, se, ci[2], los;
    double sd_game;       /* of single games; NaN when game points are not given */
    double design_effect; /* below 1: the pairing of dice helped */
};

/* Cluster c: points[c] won in games[c] games, from one side's view. sd_game: standard deviation of
 * single games by one of the next two; NaN when not known. Below two clusters only ppg is given. */
void ppg_of(struct ppg *out, const double *points, const double *games, size_t count,
            double sd_game);

/* The same from sums over clusters with D points in n games: of D, n, DD, Dn and nn. */
struct ppg_sums {
    double clusters, points, games;
    double dd, dn, nn;
};

void ppg_of_sums(struct ppg *out, const struct ppg_sums *sums, double sd_game);

/* Sample standard deviation of single games, from the games or from their sums; NaN below two. */
double ppg_sd_of_games(const double *points, size_t games);
double ppg_sd_of_sums(double games, double sum, double square_sum);

/* One encounter of the money rating table: a beats b by ppg with this standard error. Ignored when
 * either is NaN. games: its number of games, the floor of se is 1/games; 0 not known. */
struct ppg_encounter {
    int a, b;
    double ppg, se, games;
};

struct ppg_rating {
    double rating, se; /* NaN: the engine has no encounter */
    int group;         /* -1 likewise */
};

struct ppg_table {
    int groups;
    double chi2;
    double dof;
};

/* Weighted least squares, sum of ratings 0 in every group; players[0..count-1] is the caller's.
 * BG_E_ARGUMENT: an encounter whose se is not above 0 (the message names its number); BG_E_MEMORY.
 */
enum bg_status ppg_table_fit(struct ppg_rating *players, struct ppg_table *table, int count,
                             const struct ppg_encounter *encounters, size_t encounter_count,
                             struct bg_error *err);

#endif
