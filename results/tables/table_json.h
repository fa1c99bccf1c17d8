/* table_json.h - numbers as JSON: full precision, null for undefined values. */
#ifndef RESULTS_TABLES_TABLE_JSON_H
#define RESULTS_TABLES_TABLE_JSON_H

#include <stdio.h>

#include "standings_text.h"

/* Writes everything in an event's table as one line: standings (standing.h), model, encounters. */
enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err);

#endif
