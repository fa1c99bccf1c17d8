/* sprt.h - sequential probability ratio tests: stop a comparison as soon as it is decided.
 *
 *     struct sprt_plan plan = SPRT_PLAN_INIT;      fixed before the first game
 *     plan.h0 = 0, plan.h1 = 0.05;                 points per game
 *     sprt_init(&test, &plan, &err);
 *     sprt_put(&test, cluster, score, &err);       each finished cluster, in any order
 *     if (test.state != SPRT_CONTINUE) ...         decided
 *     sprt_deinit(&test);
 *
 * The likelihood ratios below are pure functions over counts and moments (docs/statistics.md). An
 * undefined ratio is NaN; ratios are never infinite. A cluster is a pair of legs with the same
 * dice, or a single leg with plain dice. Everything is from A's view.
 */
#ifndef RESULTS_NUMBERS_SPRT_H
#define RESULTS_NUMBERS_SPRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

/* --- bounds and decisions ---------------------------------------------------------------- */

enum sprt_state {
    SPRT_CONTINUE,
    SPRT_H0,
    SPRT_H1,
    SPRT_UNDECIDED /* the largest allowed number of clusters is reached */
};

/* "continue", "H0", "H1", "undecided". */
const char *sprt_state_name(enum sprt_state state);

struct sprt_bounds {
    double lower, upper; /* logarithms of likelihood ratios; lower < 0 < upper */
};

/* alpha: probability to accept H1 although H0 is true; beta: the reverse. Both above 0, their sum
 * below 1. */
struct sprt_bounds sprt_bounds_of(double alpha, double beta);

/* Returns CONTINUE between the bounds and for NaN; never UNDECIDED. */
enum sprt_state sprt_decide(double llr, struct sprt_bounds bounds);

/* --- log likelihood ratios --------------------------------------------------------------- */

/* Normal scores of unknown variance (generalised ratio): m clusters with this mean and this
 * variance (divisor m). NaN without spread. */
double sprt_normal(double m, double mean, double variance, double h0, double h1);

/* The same after Wald, with the variance taken as known; for information only. */
double sprt_normal_wald(double m, double mean, double variance, double h0, double h1);

/* Mean and variance (divisor count) of scores; NaN without scores. Equal scores have variance 0. */
void sprt_moments(double *mean, double *variance, const double *score, size_t count);

/* Plain matches of one length; h0 and h1 are rating differences. Add the results of several
 * lengths. */
double sprt_binomial(double length_points, double won, double lost, double h0, double h1);

enum { SPRT_OUTCOMES_MAX = 9 };

/* Scores i / (outcomes - 1) with counts[i], 2 to SPRT_OUTCOMES_MAX of them; s0 and s1 are mean
 * scores strictly between 0 and 1. Zero counts become 0.001. */
double sprt_multinomial(const double *counts, int outcomes, double s0, double s1);

/* --- planning ---------------------------------------------------------------------------- */

struct sprt_length {
    double accept_h1; /* probability */
    double clusters;  /* expected */
};

/* Brownian approximation for a true mean and variance per cluster; variance above 0, h0 < h1. */
struct sprt_length sprt_length_of(double mean, double variance, double h0, double h1,
                                  struct sprt_bounds bounds);

/* --- a test while it runs ---------------------------------------------------------------- */

enum sprt_model {
    SPRT_NORMAL,      /* score: mean points (or adjusted points, MWC) per game; h in that unit */
    SPRT_BINOMIAL,    /* score: 1 won, 0 lost; h are rating differences at length_points */
    SPRT_MULTINOMIAL, /* score: share of a pair, 0..1 in steps of 1/(outcomes-1); h are rating
                         differences, or mean scores if length_points is 0 */
    SPRT_NORMALISED   /* score as NORMAL; h in standard deviations of a cluster from plan.even */
};

struct sprt_plan {
    enum sprt_model model;
    double h0, h1; /* h0 < h1 */
    double alpha, beta;
    double even;           /* NORMALISED: the mean for equal bots */
    double length_points;  /* BINOMIAL, MULTINOMIAL: at least 1; MULTINOMIAL also allows 0 */
    int outcomes;          /* MULTINOMIAL: 3 for pairs of matches, 5 if games can be tied */
    uint64_t min_clusters; /* no decision with fewer */
    uint64_t max_clusters; /* undecided at this number; 0 no limit */
};

#define SPRT_PLAN_INIT                                                                             \
    {                                                                                              \
        .alpha = 0.05, .beta = 0.05, .length_points = 1, .outcomes = 3, .min_clusters = 100        \
    }

/* Read only, except `plan`. Nothing changes once state is not CONTINUE. */
struct sprt {
    struct sprt_plan plan;
    struct sprt_bounds bounds;
    enum sprt_state state;
    double llr;                       /* of the counted clusters; NaN if undefined */
    double llr_wald;                  /* NORMAL; otherwise NaN */
    uint64_t clusters;                /* counted: the clusters before the schedule's first gap */
    double mean;                      /* of the scores */
    double squares;                   /* sum of squared distances from the mean */
    double counts[SPRT_OUTCOMES_MAX]; /* BINOMIAL: lost, won; MULTINOMIAL: by outcome */

    uint64_t next;                /* first number of the schedule that is not counted */
    struct sprt_waiting *waiting; /* owned; clusters after the first gap, ascending */
    size_t waiting_count, waiting_room;
};

/* BG_E_ARGUMENT: the plan is invalid; the message has the reason. */
enum bg_status sprt_init(struct sprt *out, const struct sprt_plan *plan, struct bg_error *err);
void sprt_deinit(struct sprt *test); /* accepts a zeroed struct */

/* Counts the next cluster in schedule order. A score of NaN marks a cluster that will never be
 * played; it is skipped. */
void sprt_add(struct sprt *test, double score);

/* Takes cluster `number` of the schedule, from 0, in any order. Clusters after a gap wait until it
 * is closed, so that long games do not count later than short ones. Ignores a number seen before.
 */
void sprt_put(struct sprt *test, uint64_t number, double score);

/* Estimated variance of a score (divisor: clusters); NaN without clusters. */
double sprt_variance(const struct sprt *test);

#endif
