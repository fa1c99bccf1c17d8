/* json_value.h - our numbers as JSON values. Private to the JSON reports.
 *
 * Building does not check each step: jansson passes NULL on, and json_line reports it. The caller
 * owns every returned value; functions take every value given to them.
 */
#ifndef RESULTS_DOCUMENT_JSON_VALUE_H
#define RESULTS_DOCUMENT_JSON_VALUE_H

#include <stdio.h>

#include <jansson.h>

#include "document.h"

/* null if not finite. */
json_t *json_of(double x);
json_t *json_of_count(double x);
/* [low, high]; null if low is NaN. */
json_t *json_of_range(const double x[2]);
/* null below 0. */
json_t *json_of_group(int group);

/* A document's cell; counts: writes whole numbers as integers. */
json_t *json_of_cell(const struct doc_cell *cell, bool counts);

/* JSON_INSIDE: the members of an object or array, without its brackets, so that more can follow. */
enum json_part { JSON_WHOLE, JSON_INSIDE };

/* Writes one value at full precision, and frees it. BG_E_MEMORY: it is NULL; BG_E_SYSTEM: writing
 * failed. */
enum bg_status json_put(FILE *out, json_t *json, enum json_part part, struct bg_error *err);

/* Writes one value on its own line, at full precision, and frees it. BG_E_MEMORY: it is NULL;
 * BG_E_SYSTEM: writing failed. */
enum bg_status json_line(FILE *out, json_t *json, struct bg_error *err);

#endif
