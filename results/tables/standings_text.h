/* standings_text.h - text tables, at most 100 columns, UTF-8, never inf or nan. */
#ifndef RESULTS_TABLES_STANDINGS_TEXT_H
#define RESULTS_TABLES_STANDINGS_TEXT_H

#include <stdio.h>

#include "sums/summary.h"

enum { REPORT_LOS_BOTS = 10 };

/* Writes the tally's standings with ratings (match play) or the money rating table beside them, the
 * crosstable, LOS, and explanations. BG_E_MISMATCH. */
enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err);

/* Writes the report of two bots: result with error bar, classes, seats, score. */
enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err);

#endif
