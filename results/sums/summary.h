/* summary.h - a tally turned into numbers once: what every report of an event shows.
 */
#ifndef RESULTS_SUMS_SUMMARY_H
#define RESULTS_SUMS_SUMMARY_H

#include <numbers/bootstrap.h>
#include <tally/legs.h>
#include <numbers/ppg.h>
#include <numbers/rating.h>
#include <numbers/standings.h>
#include <numbers/strength.h>
#include <numbers/tails.h>
#include <tally/tally.h>
#include <numbers/winrate.h>

struct summary_bot {
    struct tally_sum sum;
    struct ppg ppg; /* money: over all its opponents, stratified by opponent; else NaN */
    double ppg_df;  /* degrees of freedom of its interval */
    struct winrate
        winrate;        /* match play: over all opponents, with the variance of the event's pairs */
    double faults;      /* games lost by faults */
    struct tails tails; /* money, where the legs are given; else of no games */
    bool dropped;       /* played under half of its fixtures: not in the standings */
};

struct summary {
    const struct tally *tally; /* lent */
    bool money;
    struct summary_bot *bot;        /* owned; as in the tally */
    struct standings_row *standing; /* owned; best first, dropped bots left out */
    int standings;
    bool uneven;            /* numbers of legs differ between the ranked bots: ranks by share */
    struct rating_row *row; /* owned; match play: what the ratings come from */
    size_t rows;
    struct strength_money *encounter; /* owned; money play: likewise */
    size_t encounters;
    size_t *
        place; /* owned; [a * bots + b]: the two's first row or encounter, counted from 1; 0 none */
    struct strength strength;
    bool looked;                /* the legs were given: tails and bootstrap may be known */
    struct bootstrap bootstrap; /* of points a game (money) and ratings; draws 0: none */
    struct bg_error trouble;    /* why nothing could be rated; status BG_OK else */
};

struct summary_options {
    struct rating_options rating; /* anchor: index into the tally's bots */
    uint64_t planned_legs;        /* in each pairing; 0 unknown: no bot is dropped */
    bool final;                   /* bots with under half of their fixtures are dropped */
    const struct legs *legs;      /* closed; NULL: not known, so nothing is said of tails */
    int bootstrap;                /* draws for ratings too; 0: money's points a game alone */
};

/* BG_E_MEMORY, BG_E_ARGUMENT (options). */
enum bg_status summary_of(struct summary *out, const struct tally *tally,
                          const struct summary_options *options, struct bg_error *err);
void summary_deinit(struct summary *summary); /* also of a zeroed one */

/* Points per game of one bot against one opponent (-1: all) with the variance that the event
 * shares, and the degrees of freedom of its interval; all NaN in match play. BG_E_MEMORY. */
enum bg_status summary_ppg(struct ppg *out, double *df, const struct summary *summary, int bot,
                           int opponent, struct bg_error *err);

/* Share of matches won by one bot against one opponent (-1: all); NaN in money play.
 * BG_E_MEMORY. */
enum bg_status summary_winrate(struct winrate *out, const struct summary *summary, int bot,
                               int opponent, struct bg_error *err);

/* Bots in rank order, those without a rank last. Returns how many; order has a place for each bot.
 */
int summary_order(int *order, const struct summary *summary);

/* Chance that bot a is better than b, 0..1, from the ratings; NaN not known. */
double summary_los(const struct summary *summary, int a, int b);
/* Whether that is established: Holm's procedure at 5 % over all pairs of bots. */
bool summary_established(const struct summary *summary, int a, int b);
/* Half of the 95 % interval of a standard error with its degrees of freedom; NaN not known. */
double summary_bar(double se, double df);

#endif
