/* json_answer.h - computes the answer to a JSON file of numbers, as JSON.
 *
 * The structure is the `expected` member of the test vectors.
 */
#ifndef RESULTS_TABLES_JSON_ANSWER_H
#define RESULTS_TABLES_JSON_ANSWER_H

#include <stdio.h>

#include "json_input.h"

/* Computes the answer and writes it as one line. BG_E_ARGUMENT, BG_E_MISMATCH: it cannot be
 * computed; BG_E_SYSTEM: writing failed. */
enum bg_status report_json_input(FILE *out, const struct json_input *input, struct bg_error *err);

#endif
