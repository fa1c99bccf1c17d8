/* input_text.h - what JSON results come to, as a table for people.
 */
#ifndef RESULTS_ANSWERS_INPUT_TEXT_H
#define RESULTS_ANSWERS_INPUT_TEXT_H

#include <stdio.h>

#include "json_input.h"

/* Statuses as report_json_input. */
enum bg_status report_text_input(FILE *out, const struct json_input *input, struct bg_error *err);

#endif
