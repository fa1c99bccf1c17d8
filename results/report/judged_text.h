/* judged_text.h - what a judge said of an event, as tables for people: plain beside luck-adjusted
 * results, error rates where there are any, the cost of judging.
 */
#ifndef REPORT_JUDGED_TEXT_H
#define REPORT_JUDGED_TEXT_H

#include <stdio.h>

#include <tally/judged_sums.h>

/* first: the bot that its encounters are seen from; NULL: the first of both by bytes. BG_E_MEMORY.
 */
enum bg_status judged_text(FILE *out, const struct judged_sums *sums, const char *first,
                           struct bg_error *err);

#endif
