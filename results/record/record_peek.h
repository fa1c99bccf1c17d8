/* record_peek.h - looks up single values in a record's text, without reading all of it.
 *
 * For counting over thousands of records that were checked when they were written. Missing
 * values are left out. Nothing here fails, and the record is not checked (record_read does that).
 */
#ifndef RESULTS_RECORD_RECORD_PEEK_H
#define RESULTS_RECORD_RECORD_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a header line, lent from the text; NULL: no such line. */
const char *peek_value(size_t *size, const char *text, size_t text_size, const char *key);

/* Calls fn for every step that has a time: which seat, and what it was charged. */
void peek_times(const char *text, size_t size, void (*fn)(void *user, int seat, int64_t spent_ns),
                void *user);

/* Calls fn for every roll of two dice but the one that opens the game. */
void peek_rolls(const char *text, size_t size, void (*fn)(void *user, int die, int other),
                void *user);

/* The seat that won the opening roll; -1: no opening roll, or nothing after it. */
int peek_starter(const char *text, size_t size);

#endif
