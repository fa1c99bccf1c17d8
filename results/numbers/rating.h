/* rating.h - maximum-likelihood ratings on the FIBS scale.
 *
 *     P(a beats b in n points) = 1 / (1 + 10^(-(Ra - Rb) sqrt(n) / 2000))
 *
 * Pure functions over plain arrays (docs/statistics.md). A value that is not defined is NaN, a
 * group that does not exist -1.
 */
#ifndef RESULTS_NUMBERS_RATING_H
#define RESULTS_NUMBERS_RATING_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

#define RATING_START 1500.0

/* Results between two engines at one length. Several rows may name the same two. */
struct rating_row {
    int a, b;              /* indices, different */
    double length_points;  /* at least 1 */
    double wins_a, wins_b; /* plain matches; of pairs: derived by rating_row_pairs */
    bool paired;
    double pairs[3]; /* paired: pairs of matches in which a won 0, 1, 2 */
    double drawn[2]; /* paired: one match drawn, and the other one lost, won by a */
};

/* A row of pair counts, its wins filled in. A drawn match is half a win for each; a pair of two is
 * like one that was split. */
struct rating_row rating_row_pairs(int a, int b, double length_points, const double pairs[3]);
struct rating_row rating_row_drawn(int a, int b, double length_points, const double pairs[3],
                                   const double drawn[2]);

/* Pairs of a row, 0 of plain matches, and the sum of (wins of a - 2 p) squared over them. */
double rating_row_count(const struct rating_row *row);
double rating_row_squares(const struct rating_row *row, double p);

enum rating_prior { RATING_PRIOR_AUTO, RATING_PRIOR_FIXED };

struct rating_options {
    int anchor; /* index of the engine with anchor_rating; -1: the mean of each group */
    double anchor_rating;
    enum rating_prior prior; /* AUTO: one virtual draw an engine where no maximum exists */
    double draws;            /* FIXED: virtual draws an engine; 0 none */
};

#define RATING_OPTIONS_INIT                                                                        \
    {                                                                                              \
        -1, RATING_START, RATING_PRIOR_AUTO, 0                                                     \
    }

/* ABOVE, BELOW, APART: member of a set outside the core (strength.h), better than it, worse, or
 * neither by any chain of results. */
enum rating_flag {
    RATING_OK,
    RATING_UNBEATEN,
    RATING_WINLESS,
    RATING_UNPLAYED,
    RATING_ABOVE,
    RATING_BELOW,
    RATING_APART
};

struct rating_player {
    double rating, se;
    double robust_se; /* NaN unless some row is paired */
    int group;        /* by size, then by smallest index; ratings compare only inside one group */
    bool prior;       /* virtual draws were added in its group */
    enum rating_flag flag;
    double matches, wins, expected_wins;
};

struct rating_fit {
    int players, groups;
    struct rating_player *player; /* owned */
    double *los;                  /* owned; [a * players + b], NaN across groups */
    bool robust;                  /* los comes from robust standard errors */
};

/* Fits all groups. BG_E_ARGUMENT: an invalid row or option, with its number; BG_E_MEMORY;
 * BG_E_MISMATCH: the likelihood has no maximum that can be reached in double precision. */
enum bg_status rating_fit(struct rating_fit *out, int players, const struct rating_row *rows,
                          size_t row_count, const struct rating_options *options,
                          struct bg_error *err);
void rating_fit_deinit(struct rating_fit *fit); /* also of a zeroed one */

/* Chance that a rating above the opponent's by `difference` wins a match of this length. */
double rating_expected(double difference, double length_points);

/* Its natural logarithm, finite where the chance itself is too small for a double. */
double rating_log_expected(double difference, double length_points);

/* One result against a fixed opponent. */
struct rating_opponent {
    double rating, length_points, wins, losses;
};

/* Performance; NaN: no matches, all won or all lost. */
double rating_performance(const struct rating_opponent *opponents, size_t count);

/* Fit check of one length: (w - N P) summed over the stronger sides, in standard deviations. */
struct rating_length_check {
    double length_points, matches, deviation;
};

/* Fills at most room entries, ascending by length; returns how many lengths there are. */
size_t rating_check_lengths(struct rating_length_check *out, size_t room,
                            const struct rating_fit *fit, const struct rating_row *rows,
                            size_t row_count);

const char *rating_flag_name(enum rating_flag flag);

#endif
