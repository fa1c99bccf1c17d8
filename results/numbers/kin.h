/* kin.h - how often two bots choose the same at the same position, against what the others of the
 * event lead to expect.
 *
 * For bots A and B and each position that both decided: did they choose the same? The expectation
 * comes from the third bots X at the same positions: how often B chooses the same as X, where X's
 * choice has the same support among the rest as A's, and the same size of error where a judge has
 * valued it; without a judge, X is a bot that chooses as the rest does about as often as A; the
 * same with A and B exchanged. Positions of two bots alone count where a judge has valued them: B
 * and A there against B and X at other positions. So what everybody plays, forced plays and good
 * plays are expected to agree, and so are the errors that many make. Where many have decided a
 * position, each pair looks at some of the third bots, other ones at each position: a field of 120
 * would take minutes, and more of them add next to nothing. docs/statistics.md has the
 * formulas and the limits. Pure.
 */
#ifndef RESULTS_NUMBERS_KIN_H
#define RESULTS_NUMBERS_KIN_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

enum {
    KIN_FEWEST = 30, /* compared positions of a pair that is tested */
    KIN_THIRDS = 24, /* third bots that a pair is compared with at one position, at most */
    KIN_RARE = 10    /* listed choices of a pair */
};

/* A choice of an error from here on is wrong, in normalised equity. */
#define KIN_WRONG 0.02

/* What a bot chose at a position. */
struct kin_choice {
    int position; /* from 0 */
    int bot;
    int choice;   /* equal numbers are equal choices of this position */
    int cluster;  /* from 0: positions of one cluster (a game) are not independent */
    double error; /* by a judge; NaN unknown */
};

/* Two bots. Numbers are counts of positions; shares are 0..1, NaN if there is none. */
struct kin_pair {
    int a, b;
    size_t both;        /* positions that both decided */
    size_t same;        /* of these: the same choice */
    size_t compared;    /* of these: with an expectation */
    double share;       /* of these: the same choice */
    double expected;    /* the share to be expected */
    double excess, se;  /* share - expected, and its standard error by clusters */
    double df, p;       /* one-sided p of the excess; NaN: not tested */
    double p_all;       /* p after Holm's correction for all tested pairs */
    bool alike;         /* p_all is below 0.05 */
    size_t both_wrong;  /* positions where a judge calls both choices wrong; */
    size_t wrong_alike; /* of these: the same choice */
};

struct kin {
    int bots;
    struct kin_pair *pair; /* owned; by a, then b > a */
    size_t pairs;
    size_t positions; /* decided by two bots or more */
};

/* Computes every pair. choices: in order; of two choices of one bot at one position the first
 * counts. */
void kin_of(struct kin *out, int bots, const struct kin_choice *choices, size_t count);
/* A choice that two bots share and that says something: wrong by the judge, and made by no third
 * bot; without a judge made by no third bot where there is one. */
struct kin_rare {
    size_t choice; /* the first bot's, by number in the list */
    int others;    /* third bots at this position */
};

/* Finds at most KIN_RARE, the largest errors first, then those with most third bots. Returns
 * how many. */
size_t kin_rare_of(struct kin_rare out[KIN_RARE], const struct kin_choice *choices, size_t all,
                   int a, int b);
void kin_deinit(struct kin *kin); /* accepts a zeroed struct */

#endif
