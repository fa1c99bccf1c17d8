/* standings_text.h - tables for people, at most 100 columns, UTF-8, never inf or nan.
 */
#ifndef RESULTS_TABLES_STANDINGS_TEXT_H
#define RESULTS_TABLES_STANDINGS_TEXT_H

#include <stdio.h>

#include <numbers/rating.h>
#include <tally/tally.h>

struct adjusted;
struct event_results;
struct summary_options;

struct report_options {
    const char *title;            /* event name; NULL none */
    bool jacoby;                  /* Jacoby's rule is in force, with a cube */
    const char *trust;            /* whose bots these are, event key `trust`; NULL not known */
    struct rating_options rating; /* anchor is an index into the tally's bots */
    uint64_t planned_legs;        /* matches or money games planned in each pairing; 0 not known */
    bool final;                   /* the event has ended: bots with under half of their fixtures
                                     are dropped from the standings (needs planned_legs) */
    bool crosstable;              /* with the crosstable, up to 40 bots */
    const struct adjusted *adjusted; /* lent; in JSON: beside the plain ratings; NULL none */
    bool los;                        /* with the LOS matrix, up to REPORT_LOS_BOTS bots */
    uint64_t surplus;                /* games that a test left over: kept, and counted nowhere */
    double elapsed_s;                /* duel: time of this run, for the RATE line; 0 not known */
    const struct legs *legs;         /* lent; for tails and bootstrap; NULL: not known */
    int bootstrap;                   /* draws for ratings too; 0: money's points a game alone */
    uint64_t run_games;              /* duel: games finished in that time; 0 not known */
};

#define REPORT_OPTIONS_INIT                                                                        \
    {                                                                                              \
        .rating = RATING_OPTIONS_INIT, .crosstable = true, .los = true                             \
    }

enum { REPORT_LOS_BOTS = 10 };

/* Options for the table of this event: title, planned legs, whether it has ended. */
struct report_options event_results_options(const struct event_results *results);

/* Of these, what the numbers are computed with. */
struct summary_options report_summary_options(const struct report_options *options);

/* Writes the standings of the tally with ratings (match play) or the money rating table beside
 * them, the crosstable, LOS, and what the numbers mean. BG_E_MEMORY, BG_E_MISMATCH. */
enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err);

/* The report of two bots: result with error bar, classes, sides, score. */
enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err);

#endif
