/* standings_text.h - text tables, at most 100 columns, UTF-8, never inf or nan. */
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

enum { REPORT_LOS_BOTS = 10 };

/* Returns the options for this event's table: title, planned legs, whether it has ended. */
struct report_options event_results_options(const struct event_results *results);

/* Returns the part of these options that the computation uses. */
struct summary_options report_summary_options(const struct report_options *options);

/* Writes the tally's standings with ratings (match play) or the money rating table beside them, the
 * crosstable, LOS, and explanations. BG_E_MISMATCH. */
enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err);

/* Writes the report of two bots: result with error bar, classes, seats, score. */
enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err);

#endif
