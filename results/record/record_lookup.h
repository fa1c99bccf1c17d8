/* record_lookup.h - looks up single values in a record's text, without reading all of it.
 *
 * For counting over thousands of records that were checked when written. Skips missing values.
 * These functions do not fail and do not check the record (record_read does).
 */
#ifndef RESULTS_RECORD_RECORD_LOOKUP_H
#define RESULTS_RECORD_RECORD_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the value of a header line, lent from the text; NULL: no such line. */
const char *header_lookup(size_t *size, const char *text, size_t text_size, const char *key);

/* A header line's value; at NULL: no such line. */
struct header_value {
    const char *at; /* lent from the text */
    size_t size;
};

/* Those of several keys, in one pass. */
void header_values(struct header_value *out, const char *const *keys, int count, const char *text,
                   size_t text_size);

/* What steps say; a function may be NULL. */
struct record_lookup_steps {
    void (*time)(void *user, int seat, int64_t spent_ns); /* a step has a time, charged to seat */
    void (*roll)(void *user, int die, int other);         /* but not the roll that opens the game */
    void *user;
};

void record_lookup_steps(const char *text, size_t size, const struct record_lookup_steps *fns);

/* Calls fn with every chance to win that a bot has told of its own step. */
void record_lookup_chances(const char *text, size_t size,
                           void (*fn)(void *user, int seat, double win), void *user);

/* Returns the seat that won the opening roll; -1: no opening roll, or nothing after it. */
int record_lookup_starter(const char *text, size_t size);

#endif
