/* strength.h - how strong the bots of an event are: what its table, JSON, event stream and report
 * print.
 *
 * Matches (strength_of_matches): maximum likelihood on the FIBS scale of the core of each group,
 * the bots that are connected by chains of wins both ways; every other bot gets a bound against the
 * core, never an estimate. Money (strength_of_money): points a game by weighted least squares. In
 * both the spread of pairs is estimated over the whole event, and one standard error with one
 * Student quantile serves the error bar, LOS and "established" (docs/statistics.md). Pure.
 */
#ifndef RESULTS_NUMBERS_STRENGTH_H
#define RESULTS_NUMBERS_STRENGTH_H

#include "ppg.h"
#include "rating.h"
#include "winrate.h"

/* Fewer clusters claim nothing about a variance. */
#define STRENGTH_SMALL 30

enum strength_side { STRENGTH_ESTIMATE, STRENGTH_AT_MOST, STRENGTH_AT_LEAST };

struct strength_bot {
    double rating;           /* NaN: only a bound, or nothing */
    double se, df;           /* against the anchor; NaN without a rating or a variance */
    double bar;              /* half of the 95 % interval; 0 of the anchor itself; NaN: prior */
    double low, high;        /* the 95 % interval; with a prior of the profile likelihood */
    double bound;            /* one-sided 95 %, NaN none */
    enum strength_side side; /* of the bound */
    int group;               /* who has met; by size; -1 unplayed */
    int component;           /* 0 the core; ratings compare only inside one; -1 unplayed */
    enum rating_flag flag;
    double expected_wins;    /* matches; NaN without a rating */
    int rank_low, rank_high; /* 95 %, for all bots at once; 0 unplayed */
    double best;             /* chance to be the strongest; NaN: not comparable */
};

struct strength {
    int bots, groups;
    struct strength_bot *bot; /* owned */
    double *los;              /* owned; [a * bots + b], NaN: not known */
    bool *established;        /* owned; likewise: a is better than b, Holm at 5 % over the event */
    double clusters;          /* pairs, and matches or games without a partner */
    double design_effect;     /* matches: of pairs over the event; NaN: none, or not used */
    double pair_sd;           /* money: of a cluster's points over the event; NaN unknown */
    double df;                /* of these; INFINITY: the model's own variance */
    double
        prior; /* virtual draws a bot: se from the model, intervals and LOS from the profile; 0 */
    double chi2, dof, chi2_p; /* money: fit of one number a bot; chi2_p NaN: not tested */
};

/* What two bots have scored with money, from a's side: clusters of D points in n games. */
struct strength_money {
    int a, b;
    double clusters, games, points;
    double dd, dn, nn; /* sums over clusters */
};

/* rows: of pairs and of plain matches, by length. options: anchor;
 * RATING_PRIOR_AUTO is the core alone, FIXED with draws adds virtual draws. BG_E_ARGUMENT,
 * BG_E_MEMORY; BG_E_MISMATCH: the fit fails in double precision. */
enum bg_status strength_of_matches(struct strength *out, int bots, const struct rating_row *rows,
                                   size_t count, const struct rating_options *options,
                                   struct bg_error *err);
enum bg_status strength_of_money(struct strength *out, int bots,
                                 const struct strength_money *encounters, size_t count,
                                 struct bg_error *err);
void strength_deinit(struct strength *strength); /* also of a zeroed one */

/* Points a game of one encounter, or of a bot over several (stratified by opponent), with the
 * spread that the event shares. side[k]: 1 the view of a, -1 of b. */
void strength_ppg(struct ppg *out, double *df, const struct strength *strength,
                  const struct strength_money *encounters, const int *side, size_t count);

/* Encounters as the least-squares fit of the ratings weighs them. */
void strength_money_rows(struct ppg_encounter *out, const struct strength *strength,
                         const struct strength_money *encounters, size_t count);

/* Share of matches that a bot won in those of the rows that are its own, with the spread that the
 * event shares; df: degrees of freedom of its interval. */
void strength_winrate(struct winrate *out, double *df, const struct strength *strength,
                      const struct rating_row *rows, size_t count, int bot);

/* The parts below are the two fits' own. */
enum bg_status strength_create(struct strength *out, int bots, struct bg_error *err);
/* Fills rank_low, rank_high and established from los. */
enum bg_status strength_claim(struct strength *strength, struct bg_error *err);
/* Fills `best` of a component: member[i] is the bot of node i. */
struct contrasts;
enum bg_status strength_best(struct strength *strength, const struct contrasts *contrasts,
                             const int *member, struct bg_error *err);

#endif
