/* strength.h - the bots' strengths, as printed by an event's table, JSON, event stream and report.
 *
 * A posterior (field.h): strengths are normal around their field's mean with an unknown variance.
 * Matches (strength_of_matches) are on the FIBS scale, money (strength_of_money) in points a game.
 * Both estimate the spread of pairs over the whole event; the error bar, LOS and "established" use
 * one standard error and one Student quantile (docs/statistics.md). Pure.
 */
#ifndef RESULTS_NUMBERS_STRENGTH_H
#define RESULTS_NUMBERS_STRENGTH_H

#include "ppg.h"
#include "rating.h"
#include "winrate.h"

/* With fewer clusters, a variance is not estimated. */
#define STRENGTH_SMALL 30
/* Number of clusters at which an encounter's own spread counts as much as the event's. */
#define STRENGTH_OWN 30.0

struct strength_bot {
    double rating;        /* NaN: no results, or no single number describes them */
    double se, df;        /* against the anchor; NaN without a rating or a variance */
    double bar;           /* half of the 95 % interval; 0 for the anchor itself */
    double low, high;     /* the 95 % interval; NaN: open, as no result bounds it there */
    double anchor_weight; /* its share in the mean that is the anchor: by what is known of it */
    int group;            /* bots that have met, numbered by size; -1 unplayed */
    enum rating_flag flag;
    double expected_wins;    /* matches; NaN without a rating */
    int rank_low, rank_high; /* 95 % for all bots together; 0 unplayed */
    double best;             /* probability to be the strongest; NaN: not comparable */
};

struct strength {
    int bots, groups;
    struct strength_bot *bot; /* owned */
    double *los;              /* owned; [a * bots + b], NaN if unknown */
    bool *established; /* owned; [a * bots + b]: a is better than b, Holm at 5 % over the event */
    double clusters;   /* pairs, and matches or games without a partner */
    double design_effect; /* matches: design effect of pairs over the event; NaN if there is none or
                             it is not used */
    double pair_sd;       /* money: standard deviation of a cluster's points over the event; NaN if
                             unknown */
    double df;            /* degrees of freedom of these two; INFINITY: the model's own variance */
    double chi2, dof, chi2_p; /* money: test of one number per bot; chi2_p is NaN if not tested */
    bool rejected; /* that test failed: rated are only the bots that one number describes; the
                      others are RATING_APART, and los compares them by the games between them */
};

/* Money games between two bots, from a's side: clusters of D points in n games. */
struct strength_money {
    int a, b;
    double clusters, games, points;
    double dd, dn, nn; /* sums over clusters */
};

/* rows: pairs and plain matches, by length. options: the anchor. BG_E_MISMATCH: the
 * fit fails in double precision. */
enum bg_status strength_of_matches(struct strength *out, int bots, const struct rating_row *rows,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err);
enum bg_status strength_of_money(struct strength *out, int bots,
                                 const struct strength_money *encounters, size_t count,
                                 struct bg_error *err);
/* Only the event's spread, for strength_ppg: without ratings and what compares bots, which cost
 * most.
 */
enum bg_status strength_spread_of_money(struct strength *out, int bots,
                                        const struct strength_money *encounters, size_t count,
                                        struct bg_error *err);
void strength_deinit(struct strength *strength); /* accepts a zeroed struct */

/* A sequential test ended the event. It stops where the results lean, so that a wrong order would
 * be "established" too often: asks more of the claims. LOS and intervals stay. */
void strength_allow_stop(struct strength *strength);

/* Points per game of one encounter, or of a bot over several (stratified by opponent), with the
 * event's shared spread. side[k]: 1 for a's view, -1 for b's. */
void strength_ppg(struct ppg *out, double *df, const struct strength *strength,
                  const struct strength_money *encounters, const int *side, size_t count);

/* Fills in the encounters with their weights in the ratings' least-squares fit. */
void strength_money_rows(struct ppg_encounter *out, const struct strength *strength,
                         const struct strength_money *encounters, size_t count);

/* Share of matches that the bot won in its rows, with the event's shared spread; df: degrees of
 * freedom of its interval. */
void strength_winrate(struct winrate *out, double *df, const struct strength *strength,
                      const struct rating_row *rows, size_t count, int bot);

/* The same for every bot over all its rows: out[bots]. The rows of two bots must be adjacent. */
void strength_winrates(struct winrate *out, const struct strength *strength,
                       const struct rating_row *rows, size_t count);

/* The weight (0..1) of an encounter's own spread beside the event's, with these degrees of freedom.
 */
double strength_own_share(double own_df);

/* The declarations below are only for the two fits. */
void strength_create(struct strength *out, int bots);
/* Fills rank_low, rank_high and established from los. */
void strength_claim(struct strength *strength);

/* unit: of a field's strengths; anchor: a bot, or -1: the mean, weighted by what is known. */
struct strength_scale {
    double unit, anchor_rating;
    int anchor;
};

struct field;
/* Fills in the ratings of a group, and their errors with df if the field has a variance; member[i]
 * is the bot of node i. */
void strength_publish(struct strength *out, const struct field *field, const int *member,
                      const struct strength_scale *scale);
/* Fills in los between the bots of a group, and `best` if it is the only group. */
void strength_compare(struct strength *strength, const struct field *field, const int *member);

#endif
