/* fibs.h - a running rating like a match server's; for conclusions use rating.h.
 *
 * Each match changes both ratings by the result minus the expectation. The rating depends on the
 * order of the matches and does not converge; rating.h gives ratings with error bars. Pure.
 */
#ifndef RESULTS_NUMBERS_FIBS_H
#define RESULTS_NUMBERS_FIBS_H

#define FIBS_START 1500.0

struct fibs_options {
    double start;      /* rating of a new player */
    double ramp_top;   /* factor for a new player's changes; 1: no ramp */
    double ramp_slope; /* experience after which the factor falls by 1 */
};

/* Start 1500; factor max(1, 5 - experience / 100). Some clubs use 2 and 400. */
#define FIBS_OPTIONS_INIT                                                                          \
    {                                                                                              \
        FIBS_START, 5, 100                                                                         \
    }

struct fibs_player {
    double rating;
    double experience; /* points of all matches played */
};

struct fibs_player fibs_newcomer(const struct fibs_options *options);

/* Counts one match of this length. Call in the order of completion (ties by match id). */
void fibs_match(struct fibs_player *winner, struct fibs_player *loser, double length_points,
                const struct fibs_options *options);

#endif
