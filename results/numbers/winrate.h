/* winrate.h - Wilson intervals of a win rate, for plain matches and for duplicate pairs.
 *
 * Pure; a value that is not defined is NaN.
 */
#ifndef RESULTS_NUMBERS_WINRATE_H
#define RESULTS_NUMBERS_WINRATE_H

#include <stdbool.h>
#include <stdint.h>

struct winrate {
    double matches, wins;
    double rate, se;  /* of pairs: se NaN below two pairs or at 0 and 1 */
    double deff;      /* design effect of pairing; 1 plain */
    double wilson[2]; /* 95 %; of two bots rated by them alone: their rating's */
};

void winrate_of_matches(struct winrate *out, double wins, double matches);

/* pairs[s]: pairs of matches in which s were won. */
void winrate_of_pairs(struct winrate *out, const double pairs[3]);

/* The same where the variance of the number of wins is known better than from them alone.
 * expected: wins that go with this variance; both come from one fit, so that a share that chance
 * has moved does not move its design effect. units: independent observations, t: quantile of the
 * interval. Where all or none were won, or the variance is larger than that of the units, the units
 * alone count. */
void winrate_of_spread(struct winrate *out, double wins, double matches, double expected,
                       double variance, double units, double t);

/* What chess harnesses say of two bots: money games or matches as wins, draws and losses. */
struct winrate_counts {
    uint64_t won, lost, drawn;
    uint64_t pairs[5]; /* duplicate pairs by twice the legs won (pentanomial) */
};

struct winrate_spread {
    double share, se; /* won, a drawn one half; standard error, NaN where clusters are all alike */
    double per_game;  /* standard deviation of one share, pairing counted in; NaN likewise */
};

/* Something was played. paired: duplicate pairs are the clusters; else single ones. */
struct winrate_spread winrate_spread_of(const struct winrate_counts *counts, bool paired);

/* Elo of chess, 400 points a decade. */
struct winrate_elo {
    double elo, elo_bar;   /* half of the 95 % interval; NaN not defined */
    int side;              /* all or nothing was won: elo is a bound, 1 at least, -1 at most */
    double nelo, nelo_bar; /* normalised: in standard deviations of a game */
};

/* played: wins, draws and losses that the spread comes from. */
struct winrate_elo winrate_elo_of(const struct winrate_spread *spread, double played);

/* Likelihood that the bot is better, 0..1; where all clusters are alike, as of so many tosses of a
 * coin; NaN not known. */
double winrate_los(const struct winrate_spread *spread, double clusters);

#endif
