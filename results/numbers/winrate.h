/* winrate.h - Wilson intervals of a win rate, for plain matches and for duplicate pairs.
 *
 * Pure; a value that is not defined is NaN.
 */
#ifndef RESULTS_NUMBERS_WINRATE_H
#define RESULTS_NUMBERS_WINRATE_H

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

#endif
