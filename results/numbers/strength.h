/* strength.h - the bots' strengths, as printed by an event's table, JSON, event stream and report.
 *
 * Matches (strength_of_matches): maximum likelihood on the FIBS scale for each group's core, the
 * bots connected by chains of wins in both directions. Every other bot gets a bound against the
 * core, never an estimate. Money (strength_of_money): points per game by weighted least squares.
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

enum strength_side { STRENGTH_ESTIMATE, STRENGTH_AT_MOST, STRENGTH_AT_LEAST };

struct strength_bot {
    double rating;    /* NaN: only a bound, or no results */
    double se, df;    /* against the anchor; NaN without a rating or a variance */
    double bar;       /* half of the 95 % interval; 0 for the anchor itself; NaN with a prior */
    double low, high; /* the 95 % interval; with a prior from the profile likelihood */
    double bound;     /* one-sided 95 %; NaN if there is none */
    enum strength_side side; /* side of the bound */
    int group;               /* bots that have met, numbered by size; -1 unplayed */
    int component; /* 0 is the core; ratings compare only inside one component; -1 unplayed */
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
    double prior; /* virtual draws per bot: se comes from the model, intervals and LOS from the
                     profile; 0 none */
    double chi2, dof, chi2_p; /* money: test of one number per bot; chi2_p is NaN if not tested */
};

/* Money games between two bots, from a's side: clusters of D points in n games. */
struct strength_money {
    int a, b;
    double clusters, games, points;
    double dd, dn, nn; /* sums over clusters */
};

/* rows: pairs and plain matches, by length. options: anchor and prior; RATING_PRIOR_AUTO fits the
 * core alone, FIXED with draws adds virtual draws. BG_E_ARGUMENT, BG_E_MEMORY; BG_E_MISMATCH: the
 * fit fails in double precision. */
enum bg_status strength_of_matches(struct strength *out, int bots, const struct rating_row *rows,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err);
enum bg_status strength_of_money(struct strength *out, int bots,
                                 const struct strength_money *encounters, size_t count,
                                 struct bg_error *err);
void strength_deinit(struct strength *strength); /* accepts a zeroed struct */

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

/* The same for every bot over all its rows: out[bots]. The rows of two bots must be adjacent.
 * BG_E_MEMORY. */
enum bg_status strength_winrates(struct winrate *out, const struct strength *strength,
                                 const struct rating_row *rows, size_t count, struct bg_error *err);

/* The declarations below are only for the two fits. */
enum bg_status strength_create(struct strength *out, int bots, struct bg_error *err);
/* The design effect of pairs whose legs are won with chance p: the event's, but limited, because
 * two legs cannot exclude each other more than their chances allow. */
double strength_effect_at(double p, double effect);
/* Fills rank_low, rank_high and established from los. */
enum bg_status strength_claim(struct strength *strength, struct bg_error *err);
/* Fills los between the bots of a component; member[i] is the bot of node i. Ratings that differ
 * by less than `equal` are equal. */
struct contrasts;
void strength_compare(struct strength *strength, const struct contrasts *contrasts,
                      const int *member, double equal);
/* Fills `best` for a component. */
enum bg_status strength_best(struct strength *strength, const struct contrasts *contrasts,
                             const int *member, struct bg_error *err);

#endif
