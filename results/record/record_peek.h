/* record_peek.h - looks up single values in a record's text, without reading all of it.
 *
 * For counting over thousands of records that were checked when written. Skips missing values.
 * These functions do not fail and do not check the record (record_read does).
 */
#ifndef RESULTS_RECORD_RECORD_PEEK_H
#define RESULTS_RECORD_RECORD_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the value of a header line, lent from the text; NULL: no such line. */
const char *peek_value(size_t *size, const char *text, size_t text_size, const char *key);

/* Calls fn for every step with a time: the seat, and the time charged to it. */
void peek_times(const char *text, size_t size, void (*fn)(void *user, int seat, int64_t spent_ns),
                void *user);

/* Calls fn for every roll of two dice except the opening roll. */
void peek_rolls(const char *text, size_t size, void (*fn)(void *user, int die, int other),
                void *user);

/* Returns the seat that won the opening roll; -1: no opening roll, or nothing after it. */
int peek_starter(const char *text, size_t size);

#endif
