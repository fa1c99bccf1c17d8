/* input_text.h - prints the answer to a JSON input file as a table. */
#ifndef RESULTS_TABLES_INPUT_TEXT_H
#define RESULTS_TABLES_INPUT_TEXT_H

#include <stdio.h>

#include "json_input.h"

/* Statuses as for report_json_input. */
enum bg_status report_text_input(FILE *out, const struct json_input *input, struct bg_error *err);

#endif
