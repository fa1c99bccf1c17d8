/* plain.h - numbers and words as text. Every reader is strict, leaves *out alone on failure, and
 * says what is wrong (BG_E_ARGUMENT) without naming the key or the option. */
#ifndef RESULTS_BASE_PLAIN_H
#define RESULTS_BASE_PLAIN_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether c is a blank, a tab or a part of a line end; unlike isspace() in every locale. */
bool plain_is_blank(char c);

/* Reads on, yes, true or off, no, false. */
enum bg_status flag_read(bool *out, const char *text, struct bg_error *err);

/* Reads an integer between least and most; only digits are accepted. */
enum bg_status count_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err);
/* Same as count_read, for an int. */
enum bg_status int_read(int *out, const char *text, uint64_t least, uint64_t most,
                        struct bg_error *err);

/* Copies a text. BG_E_ARGUMENT: it is empty or does not fit. */
enum bg_status copy_read(char *out, size_t size, const char *text, struct bg_error *err);

/* Returns in *out the index of text in a list that ends with NULL. */
enum bg_status word_read(int *out, const char *text, const char *const *words,
                         struct bg_error *err);

/* Whether the text from at to end begins with the word. Only there a zero byte is like any other.
 */
bool text_begins(const char *at, const char *end, const char *word);

#endif
