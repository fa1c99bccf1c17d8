/* event_table.h - an event's table: as text of at most 100 columns, UTF-8, never inf or nan; as
 * JSON at full precision, null for undefined values.
 */
#ifndef RESULTS_TABLES_EVENT_TABLE_H
#define RESULTS_TABLES_EVENT_TABLE_H

#include <stdio.h>

#include <jansson.h>

#include "sums/summary.h"

enum { REPORT_LOS_BOTS = 10 };

/* Writes the tally's standings with ratings (match play) or the money rating table beside them, the
 * crosstable, LOS, and explanations. BG_E_MISMATCH. */
enum bg_status report_table(FILE *out, const struct tally *tally,
                            const struct report_options *options, struct bg_error *err);

/* Writes the report of two bots: result with error bar, classes, seats, score. */
enum bg_status report_duel(FILE *out, const struct tally *tally, int a, int b,
                           const struct report_options *options, struct bg_error *err);

/* Writes everything in an event's table as one line: standings (standing.h), model, encounters. */
enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err);

/* Makes the same as a value, owned by the caller. */
enum bg_status table_json_of(json_t **out, const struct tally *tally,
                             const struct report_options *options, struct bg_error *err);

#endif
