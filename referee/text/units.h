/* units.h - plain values as text: numbers, words, times, sizes. Every reader is strict, leaves *out
 * alone on failure, and says what is wrong (BG_E_ARGUMENT) without naming the key. */
#ifndef REFEREE_TEXT_UNITS_H
#define REFEREE_TEXT_UNITS_H

#include "config/config.h"

/* The same as config_number_read, for an int. */
enum bg_status int_read(int *out, const char *text, uint64_t least, uint64_t most,
                        struct bg_error *err);

/* Copies a text that is not empty and fits. */
enum bg_status copy_read(char *out, size_t size, const char *text, struct bg_error *err);

/* The number of the word in a list that ends with NULL. */
enum bg_status word_read(int *out, const char *text, const char *const *words,
                         struct bg_error *err);

/* A time of at least `least` nanoseconds, and one of whole seconds. */
enum bg_status time_read(int64_t *out, const char *text, int64_t least, struct bg_error *err);
enum bg_status seconds_read(int *out, const char *text, struct bg_error *err);

/* "512M", "2G"; "none" is 0. */
enum bg_status bytes_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err);
void bytes_write(char *out, size_t size, uint64_t value);

#endif
