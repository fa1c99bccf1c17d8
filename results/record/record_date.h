/* record_date.h - the line with a game's date that follows its record in an export:
 *
 *     at 2026-11-22T08:30:00Z #5c1e
 *
 * It is not part of the record, so the record's hash does not cover it. Its check (record_line.h)
 * runs over the hash and the text of this line, so it belongs to this record.
 */
#ifndef RESULTS_RECORD_RECORD_DATE_H
#define RESULTS_RECORD_RECORD_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

enum { RECORD_DATE = 40 };

/* Writes the line with its LF; "" if at_s is 0. */
void record_date_write(char out[RECORD_DATE], const char *hash, int64_t at_s);

/* Returns the size of a record's text without its line of a date; *is_sound: there is none, or it
 * has this form and fits its check. */
size_t record_date_cut(const char *text, size_t size, bool *is_sound);

#endif
