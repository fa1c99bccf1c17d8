/* winrate.h - Wilson intervals of a win rate, for plain matches and for duplicate pairs.
 *
 * Pure; undefined values are NaN.
 */
#ifndef RESULTS_NUMBERS_WINRATE_H
#define RESULTS_NUMBERS_WINRATE_H

#include <stdbool.h>
#include <stdint.h>

struct winrate {
    double matches, wins;
    double rate, se;  /* for pairs: se is NaN with fewer than two pairs or at rate 0 or 1 */
    double deff;      /* design effect of pairing; 1 for plain matches */
    double wilson[2]; /* 95 %; two bots rated only by their own results: from the ratings */
};

void winrate_of_matches(struct winrate *out, double wins, double matches);

/* pairs[s]: pairs in which s matches were won. */
void winrate_of_pairs(struct winrate *out, const double pairs[3]);

/* The same if the variance of the number of wins is known better than from these wins alone.
 * expected: wins that belong to this variance; both come from one fit, so that a share changed by
 * chance does not change its design effect. units: independent observations; t: quantile of the
 * interval. If all or none were won, or the variance is larger than the units', only the units are
 * used. */
void winrate_of_variance(struct winrate *out, double wins, double matches, double expected,
                         double variance, double units, double t);

/* The figures of chess programs for two bots: money games or matches as wins, draws and losses. */
struct winrate_counts {
    uint64_t won, lost, drawn;
    uint64_t pairs[5]; /* duplicate pairs, by half wins (pentanomial) */
};

struct winrate_stats {
    double share, se; /* a draw is half; se is NaN if all clusters are equal */
    double per_game;  /* standard deviation of one share, pairing included; NaN as se */
};

/* At least one game was played. paired: duplicate pairs are the clusters; else single games. */
struct winrate_stats winrate_stats_of(const struct winrate_counts *counts, bool paired);

/* Chess Elo: 400 points for odds of 10 to 1. */
struct winrate_elo {
    double elo, elo_bar; /* elo_bar: half of the 95 % interval; NaN if undefined */
    int side; /* all or nothing was won, so elo is a bound: 1 at least, -1 at most; 0 otherwise */
    double nelo, nelo_bar; /* normalised Elo: in standard deviations of a game */
};

/* played: the wins, draws and losses that stats was computed from. */
struct winrate_elo winrate_elo_of(const struct winrate_stats *stats, double played);

/* Likelihood that the bot is better, 0..1; NaN if unknown. If all clusters are equal, computed as
 * for that many coin tosses. */
double winrate_los(const struct winrate_stats *stats, double clusters);

#endif
