/* summary.h - all figures of an event, computed once from a tally; every report uses them. */
#ifndef RESULTS_SUMS_SUMMARY_H
#define RESULTS_SUMS_SUMMARY_H

#include <sums/bootstrap.h>
#include <sums/legs.h>
#include <numbers/ppg.h>
#include <numbers/rating.h>
#include <numbers/standings.h>
#include <numbers/strength.h>
#include <sums/tally.h>
#include <numbers/winrate.h>

struct adjusted;

struct summary_bot {
    struct tally_sum sum;
    struct ppg ppg; /* money: over all opponents, stratified by opponent; else NaN */
    double ppg_df;  /* degrees of freedom of ppg's interval */
    struct winrate
        winrate;        /* match play: over all opponents, with the variance of the event's pairs */
    double faults;      /* games lost by faults */
    struct tails tails; /* money, if legs are given; else zeroed */
    bool dropped;       /* played under half of its fixtures: not in the standings */
};

struct summary {
    const struct tally *tally; /* lent */
    bool money;
    struct summary_bot *bot;        /* owned; order as in the tally */
    struct standings_row *standing; /* owned; best first, without dropped bots */
    int standings;
    bool by_form;           /* ranks are the places in the standing of the event's form */
    bool uneven;            /* the ranked bots have unequal numbers of legs: ranks by share */
    struct rating_row *row; /* owned; match play: the ratings' input */
    size_t rows;
    struct strength_money *encounter; /* owned; money play: the ratings' input */
    size_t encounters;
    uint32_t *place; /* owned; [a * bots + b]: number of their first row or encounter; 0 none */
    struct strength strength;
    bool looked;                /* legs were given: tails and bootstrap may be known */
    struct bootstrap bootstrap; /* for points per game (money) and ratings; draws 0: none */
    struct bg_error trouble;    /* why nothing could be rated; else status BG_OK */
};

struct summary_options {
    struct rating_options rating; /* anchor: index into the tally's bots */
    const int *place; /* lent; by bot: in the standing of the event's form, 0 none; NULL: no form */
    uint64_t planned_legs;   /* in each pairing; 0 unknown: no bot is dropped */
    bool final;              /* drop bots with under half of their fixtures */
    bool decided;            /* a sequential test ended the event: asks more of "established" */
    const struct legs *legs; /* closed; NULL: unknown, so tails are not computed */
    int bootstrap;           /* draws, also for ratings; 0: only for money's points per game */
};

/* What a table of an event is to say beside its figures: its head, its notes, what is known of it.
 */
struct report_options {
    const char *title;            /* event name; NULL none */
    bool jacoby;                  /* Jacoby's rule is used, with a cube */
    const char *trust;            /* event key `trust`; NULL unknown */
    struct rating_options rating; /* anchor is an index into the tally's bots */
    const int *place; /* lent; by bot: in the standing of the event's form, 0 none; NULL: no form */
    uint64_t planned_legs; /* matches or money games planned in each pairing; 0 unknown */
    bool final; /* the event has ended: drops bots with under half of their fixtures from the
                   standings (needs planned_legs) */
    const struct adjusted *adjusted; /* lent; JSON prints it beside the plain ratings; NULL none */
    uint64_t surplus;                /* games finished after the end of a test: kept, not counted */
    bool brief;                      /* notes only of this event, and a short legend */
    bool decided;                    /* a sequential test ended the event */
    double elapsed_s;                /* duel: time of this run, for the RATE line; 0 unknown */
    const struct legs *legs;         /* lent; for tails and bootstrap; NULL: unknown */
    int bootstrap;                   /* draws, also for ratings; 0: only money's points per game */
    uint64_t run_games;              /* duel: games finished in elapsed_s; 0 unknown */
};

#define REPORT_OPTIONS_INIT                                                                        \
    {                                                                                              \
        .rating = RATING_OPTIONS_INIT                                                              \
    }

/* Returns the part of these options that the computation uses. */
struct summary_options report_summary_options(const struct report_options *options);

/* BG_E_ARGUMENT (options). */
enum bg_status summary_of(struct summary *out, const struct tally *tally,
                          const struct summary_options *options, struct bg_error *err);
void summary_deinit(struct summary *summary); /* accepts a zeroed struct */

/* Points per game of one bot against one opponent (-1: all) with the event's shared variance, and
 * the degrees of freedom of the interval; all NaN in match play. */
void summary_ppg(struct ppg *out, double *df, const struct summary *summary, int bot, int opponent);

/* Share of matches won by one bot against one opponent (-1: all); NaN in money play. */
void summary_winrate(struct winrate *out, const struct summary *summary, int bot, int opponent);

/* Fills order with the bots in rank order, those without a rank last. order needs one element per
 * bot. Returns how many. */
int summary_order(int *order, const struct summary *summary);

/* Probability that bot a is better than b, 0..1, from the ratings; NaN if unknown. */
double summary_los(const struct summary *summary, int a, int b);
/* Whether that is established: Holm's procedure at 5 % over all pairs of bots. */
bool summary_established(const struct summary *summary, int a, int b);
/* Half of the 95 % interval for this standard error and its degrees of freedom; NaN if unknown. */
double summary_bar(double se, double df);

#endif
