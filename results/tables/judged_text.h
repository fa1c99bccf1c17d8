/* judged_text.h - one judge's judgements of an event, as text tables: plain beside luck-adjusted
 * results, error rates if there are any, the cost of judging.
 */
#ifndef RESULTS_TABLES_JUDGED_TEXT_H
#define RESULTS_TABLES_JUDGED_TEXT_H

#include <stdio.h>

#include <sums/judged_sums.h>

struct judged_text_options {
    bool pairings;               /* prints every encounter, also with more than two bots */
    const char *results, *judge; /* as typed by the user, for a hint */
};

/* Prints the cost of judging. With two bots also their encounter; with more only encounters that
 * have an alarm, unless pairings is set, because adjusted_text has a row for each bot. An encounter
 * is printed from the view of the bot with the smaller number: the one entered first, if a tally
 * numbers the bots. */
void judged_text(FILE *out, const struct judged_sums *sums,
                 const struct judged_text_options *options);

#endif
