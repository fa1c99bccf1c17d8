/* table_json.h - numbers as JSON for programs: full precision, null for what is not defined.
 *
 * The structure of report_json_input is that of the `expected` member of the test vectors.
 */
#ifndef RESULTS_TABLES_TABLE_JSON_H
#define RESULTS_TABLES_TABLE_JSON_H

#include <stdio.h>

#include <answers/json_input.h>
#include "standings_text.h"

/* Computes what the input asks for and writes it as one line. BG_E_ARGUMENT, BG_E_MISMATCH: it
 * cannot be computed; BG_E_MEMORY; BG_E_SYSTEM: cannot be written. */
enum bg_status report_json_input(FILE *out, const struct json_input *input, struct bg_error *err);

/* Everything in the table of an event, as one line: standings (standing.h), model, encounters. */
enum bg_status report_json_table(FILE *out, const struct tally *tally,
                                 const struct report_options *options, struct bg_error *err);

#endif
