/* quasi.h - joint ratings from results that are not counts: luck-adjusted matches.
 *
 * An adjusted result of a match has the mean of the plain one, its chance to be won, but may lie
 * outside 0..1. So there is no likelihood: ratings solve the score equations of the FIBS model with
 * the adjusted sums in place of wins (a quasi-likelihood), and their errors come from the residuals
 * of the clusters (sandwich), with the spread of a cluster shared by the event. An encounter whose
 * mean lies outside (0, 1) has no finite difference: it is left out of the fit, and a bot that has
 * no other one gets a one-sided 95 % bound against those that are rated. Pure.
 */
#ifndef RESULTS_NUMBERS_QUASI_H
#define RESULTS_NUMBERS_QUASI_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* Everything between two bots, from a's side: clusters of D adjusted matches won in n matches. */
struct quasi_encounter {
    int a, b;
    double clusters, matches, sum;
    double dd, dn, nn; /* sums over clusters of DD, Dn, nn */
};

struct quasi_bot {
    double rating, se, bar; /* bar: half of the 95 % interval; NaN without a rating */
    double bound;           /* one-sided 95 %; NaN none */
    int side;               /* of the bound: 1 at least, -1 at most, 0 none */
    int group;              /* ratings compare only inside one; -1 not rated */
};

struct quasi_options {
    double length_points;
    int anchor;           /* the bot that has anchor_rating; -1, or in another group: the mean */
    double anchor_rating; /* else of the mean */
    const bool *core; /* [bots] over whom the mean goes, where a group has two of them; NULL: over
                         all of a group */
};

/* bot[bots] is the caller's. BG_E_ARGUMENT, BG_E_MEMORY, BG_E_MISMATCH. */
enum bg_status quasi_fit(struct quasi_bot *bot, int bots, const struct quasi_encounter *encounters,
                         size_t count, const struct quasi_options *options, struct bg_error *err);

#endif
