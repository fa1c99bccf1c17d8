/* rating.h - maximum-likelihood ratings on the FIBS scale, and the rating of a FIBS player.
 *
 *     P(a beats b in n points) = 1 / (1 + 10^(-(Ra - Rb) sqrt(n) / 2000))
 *
 * Pure functions over plain arrays (docs/statistics.md). Undefined values are NaN; a group that
 * does not exist is -1.
 */
#ifndef RESULTS_NUMBERS_RATING_H
#define RESULTS_NUMBERS_RATING_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

#define RATING_START 1500.0

/* Results between two engines at one length. Several rows may have the same two engines. */
struct rating_row {
    int a, b;              /* indices, different */
    double length_points;  /* at least 1 */
    double wins_a, wins_b; /* plain matches; for pairs: computed by rating_row_pairs */
    bool paired;
    double pairs[3]; /* paired: pairs of matches in which a won 0, 1, 2 */
    double drawn[2]; /* paired: pairs with one match drawn, and the other match lost [0] or won [1]
                        by a */
};

/* Makes a row of pair counts and computes its wins. A drawn match is half a win for each side; a
 * pair of two draws counts as one that was split. */
struct rating_row rating_row_pairs(int a, int b, double length_points, const double pairs[3]);
struct rating_row rating_row_drawn(int a, int b, double length_points, const double pairs[3],
                                   const double drawn[2]);

/* rating_row_matches: the row's matches. rating_row_count: its pairs, or 0 for plain matches.
 * rating_row_squares: sum of (wins of a - 2 p) squared over the pairs. */
double rating_row_matches(const struct rating_row *row);
double rating_row_count(const struct rating_row *row);
double rating_row_squares(const struct rating_row *row, double p);

enum rating_prior { RATING_PRIOR_AUTO, RATING_PRIOR_FIXED };

struct rating_options {
    int anchor; /* index of the engine with anchor_rating; -1: the mean of each group */
    double anchor_rating;
    enum rating_prior prior; /* AUTO: one virtual draw per engine where no maximum exists */
    double draws;            /* FIXED: virtual draws per engine; 0 none */
    bool uncompared; /* strength.h: without LOS, `established` and `best`, which cost most */
};

#define RATING_OPTIONS_INIT                                                                        \
    {                                                                                              \
        -1, RATING_START, RATING_PRIOR_AUTO, 0, false                                              \
    }

/* APART: no single number describes its results (strength.h). */
enum rating_flag { RATING_OK, RATING_UNBEATEN, RATING_WINLESS, RATING_UNPLAYED, RATING_APART };

struct rating_player {
    double rating, se;
    double robust_se; /* NaN unless a row is paired */
    int group;        /* by size, then by smallest index; ratings compare only inside one group */
    bool prior;       /* its group has virtual draws */
    enum rating_flag flag;
    double matches, wins, expected_wins;
};

struct rating_fit {
    int players, groups;
    struct rating_player *player; /* owned */
    double *los;                  /* owned; [a * players + b], NaN across groups */
    bool robust;                  /* los comes from robust standard errors */
};

/* Fits all groups. BG_E_ARGUMENT: an invalid row or option, with its number;
 * BG_E_MISMATCH: the maximum of the likelihood is out of reach in double precision. */
enum bg_status rating_fit(struct rating_fit *out, int players, const struct rating_row *rows,
                          size_t row_count, const struct rating_options *options,
                          struct bg_error *err);
void rating_fit_deinit(struct rating_fit *fit); /* accepts a zeroed struct */

/* By how much a rating point changes the logit of a match of this length. */
double rating_slope(double length_points);

/* Chance to win a match of this length with a rating `difference` above the opponent's. */
double rating_expected(double difference, double length_points);

/* Its natural logarithm, finite where the chance itself is too small for a double. */
double rating_log_expected(double difference, double length_points);

/* One result against a fixed opponent. */
struct rating_opponent {
    double rating, length_points, wins, losses;
};

/* Performance rating; NaN without matches, or if all were won or all lost. */
double rating_performance(const struct rating_opponent *opponents, size_t count);

/* Check of the fit at one length: the sum of (w - N P) over the stronger sides, in standard
 * deviations. */
struct rating_length_check {
    double length_points, matches, deviation;
};

/* Fills at most room entries, ascending by length. Returns how many lengths there are. */
size_t rating_check_lengths(struct rating_length_check *out, size_t room,
                            const struct rating_fit *fit, const struct rating_row *rows,
                            size_t row_count);

const char *rating_flag_name(enum rating_flag flag);

/* --- a running rating like a match server's ----------------------------------------------- */

/* Each match changes both ratings by the result minus the expectation. The rating depends on the
 * order of the matches and does not converge; for conclusions use the ratings above, which have
 * error bars. */
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
