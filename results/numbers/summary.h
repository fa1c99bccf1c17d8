/* summary.h - a tally turned into numbers once: what every report of an event shows.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <numbers/ppg.h>
#include <numbers/rating.h>
#include <numbers/standings.h>
#include <numbers/tally.h>
#include <numbers/winrate.h>

struct summary_bot {
    struct tally_sum sum;
    struct ppg ppg;         /* over everybody it met */
    struct winrate winrate; /* match play: over everybody, by pairs where both legs are played */
    double faults;          /* games lost by faults */
    bool dropped;           /* played under half of its fixtures: not in the standings */
};

struct summary {
    const struct tally *tally; /* lent */
    bool money;
    struct summary_bot *bot;        /* owned; as in the tally */
    struct standings_row *standing; /* owned; best first, dropped bots left out */
    int standings;
    bool uneven;            /* numbers of games differ between the ranked bots */
    struct rating_row *row; /* owned; match play: what the ratings come from */
    size_t rows;
    struct rating_fit fit;           /* match play; players 0 when it could not be fitted */
    struct bg_error trouble;         /* why not; status BG_OK else */
    struct ppg_rating *money_rating; /* owned; money play */
    struct ppg_table money_table;
};

struct summary_options {
    struct rating_options rating; /* anchor: index into the tally's bots */
    uint64_t planned_legs;        /* in each pairing; 0 not known: nobody is dropped */
    bool final;                   /* bots with under half of their fixtures are dropped */
};

/* BG_E_MEMORY, BG_E_ARGUMENT (options). */
enum bg_status summary_of(struct summary *out, const struct tally *tally,
                          const struct summary_options *options, struct bg_error *err);
void summary_deinit(struct summary *summary); /* also of a zeroed one */

/* Points per game of what was summed. */
void summary_ppg_of(struct ppg *out, const struct tally *tally, const struct tally_sum *sum);

/* Points per game of one bot against one foe (-1: everybody). Never fails. */
enum bg_status summary_ppg(struct ppg *out, const struct tally *tally, int bot, int foe,
                           struct bg_error *err);

/* Bots in rank order, those without a rank last. Returns how many; order has a place for each bot.
 */
int summary_order(int *order, const struct summary *summary);

/* Chance that bot a is better than b, 0..1: from the ratings, in money play from the games of the
 * two; NaN not known. BG_E_MEMORY. */
enum bg_status summary_los(double *los, const struct summary *summary, int a, int b,
                           struct bg_error *err);

/* Matches won by one bot: from pairs when only pairs are there, else as plain matches. */
void summary_winrate(struct winrate *out, const struct tally_sum *sum);

#endif
