/* units.h - plain values as text: names, times, sizes; numbers and words are in base/plain.h.
 * Every reader is strict, leaves *out alone on failure, and says what is wrong (BG_E_ARGUMENT)
 * without naming the key. */
#ifndef RESULTS_BASE_UNITS_H
#define RESULTS_BASE_UNITS_H

#include <bgref/error.h>
#include "plain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of a name of a bot, an event or an option, with its terminator: 1 to 64 letters, digits
 * or '.', '_', '+', '-'. */
enum { NAME_SIZE = 65 };
bool name_is_valid(const char *text);
enum bg_status name_check(const char *text, struct bg_error *err);

/* An event's name: a name, in a host's repeated event with a day behind it, "cup@2027-01-16"; both
 * together fit NAME_SIZE. */
bool event_name_is_valid(const char *text);

/* Converts "50ms", "1.5s", "2m" to nanoseconds: a number and a unit, nothing else. */
enum bg_status duration_read(int64_t *out_ns, const char *text, struct bg_error *err);

/* Writes the shortest text that duration_read reads back: "50ms", "1500ms", "2m", "0s". */
void duration_write(char *out, size_t size, int64_t ns);

/* Both read a time: of at least `least` nanoseconds, or in whole seconds. */
enum bg_status time_read(int64_t *out, const char *text, int64_t least, struct bg_error *err);
enum bg_status seconds_read(int *out, const char *text, struct bg_error *err);

/* Reads a size like "512M" or "2G"; "none" is 0. */
enum bg_status bytes_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err);
void bytes_write(char *out, size_t size, uint64_t value);

#endif
