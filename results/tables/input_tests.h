/* input_tests.h - answers to input files of kind sprt, fibs, errors and luck, as text. Private to
 * input_text.c and input_tests.c.
 */
#ifndef RESULTS_TABLES_INPUT_TESTS_H
#define RESULTS_TABLES_INPUT_TESTS_H

#include <stdio.h>

#include "json_input.h"

/* Returns the columns of the longest player's name. */
int input_text_width(const struct json_input *input);

/* Return BG_OK. */
enum bg_status input_text_sprt(FILE *out, const struct json_input *input, struct bg_error *err);
enum bg_status input_text_fibs(FILE *out, const struct json_input *input, struct bg_error *err);
enum bg_status input_text_errors(FILE *out, const struct json_input *input, struct bg_error *err);
enum bg_status input_text_luck(FILE *out, const struct json_input *input, struct bg_error *err);

#endif
