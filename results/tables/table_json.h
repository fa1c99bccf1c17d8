/* table_json.h - numbers as JSON: full precision, null for undefined values. */
#ifndef RESULTS_TABLES_TABLE_JSON_H
#define RESULTS_TABLES_TABLE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include "standings_text.h"

/* Makes the same as a value, owned by the caller. */
enum bg_status table_json_of(json_t **out, const struct tally *tally,
                             const struct report_options *options, struct bg_error *err);

/* Writes everything in an event's table as one line: standings (standing.h), model, encounters. */
enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err);

#endif
