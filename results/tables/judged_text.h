/* judged_text.h - one judge's judgements of an event, as tables for people: plain beside
 * luck-adjusted results, error rates where there are any, the cost of judging.
 */
#ifndef RESULTS_TABLES_JUDGED_TEXT_H
#define RESULTS_TABLES_JUDGED_TEXT_H

#include <stdio.h>

#include <sums/judged_sums.h>

struct judged_text_options {
    bool pairings;               /* every encounter by itself, also of more than two bots */
    const char *results, *judge; /* how the user names them, for the way to see the encounters */
};

/* The cost of judging; of two bots their encounter, of more only what is wrong with one, unless
 * all are asked for: adjusted_text has a row for each bot. Encounters are seen from the bot with
 * the smaller number: the one that was entered first, where sums are numbered by a tally.
 * BG_E_MEMORY. */
enum bg_status judged_text(FILE *out, const struct judged_sums *sums,
                           const struct judged_text_options *options, struct bg_error *err);

#endif
