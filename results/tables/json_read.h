/* json_read.h - the readers of kinds with tests and judged games. Private to json_*.c.
 *
 * Each fills the fields of its kind from the place `input`; out owns what it allocated, also after
 * a failure.
 */
#ifndef RESULTS_TABLES_JSON_READ_H
#define RESULTS_TABLES_JSON_READ_H

#include "json_input.h"
#include "json_place.h"

enum bg_status json_read_sprt(struct json_input *out, const struct json_place *input);
enum bg_status json_read_luck(struct json_input *out, const struct json_place *input);
enum bg_status json_read_errors(struct json_input *out, const struct json_place *input);

#endif
