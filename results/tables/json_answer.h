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

/* What both answers, text and JSON, take from what was read. */

/* SPRT: the ratio and the decision; no decision below min_clusters. */
double json_test_llr(const struct json_test *test);
enum sprt_state json_test_state(const struct json_test *test);

/* FIBS: returns one new player for each name; the caller frees them. */
struct fibs_player *json_fibs_players(const struct json_input *input);

/* ERRORS, LUCK: sums for A and B. */
void json_errors_sum(struct errors_sum sum[2], const struct json_input *input);
void json_luck_sum(double luck[2], const struct json_input *input);

#endif
