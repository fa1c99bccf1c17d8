/* units.h - plain values as text: numbers, words, times, sizes. Every reader is strict, leaves *out
 * alone on failure, and says what is wrong (BG_E_ARGUMENT) without naming the key. */
#ifndef REFEREE_TEXT_UNITS_H
#define REFEREE_TEXT_UNITS_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of a bot, an event or an option: 1 to 64 of letters, digits, '.', '_', '+', '-'; with
 * its terminator it has room in NAME_SIZE bytes. */
enum { NAME_SIZE = 65 };
bool name_is_valid(const char *text);
enum bg_status name_check(const char *text, struct bg_error *err);

/* on, yes, true or off, no, false. */
enum bg_status flag_read(bool *out, const char *text, struct bg_error *err);

/* Digits only, between least and most. */
enum bg_status count_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err);
/* The same for an int. */
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
