/* calendar.h - when the events of a host begin: UTC instants and their repeats, as arithmetic.
 *
 * No clock is read here. Times are seconds since 1970, UTC.
 */
#ifndef HOST_CALENDAR_CALENDAR_H
#define HOST_CALENDAR_CALENDAR_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>

enum calendar_repeat {
    CALENDAR_ONCE, /* "none" */
    CALENDAR_DAILY,
    CALENDAR_WEEKLY,
    CALENDAR_MONTHLY, /* the same day of each month; in a shorter month its last day */
    CALENDAR_REPEATS
};

/* Their words, with NULL at the end. */
extern const char *const calendar_words[CALENDAR_REPEATS + 1];

/* A time after all others. */
#define CALENDAR_NEVER INT64_MAX

enum { CALENDAR_DATE = 11 };

/* Reads "2027-01-16T12:00Z" or "2027-01-16T12:00:30Z", a second of 1970 to 9999 that exists.
 * BG_E_ARGUMENT. */
enum bg_status calendar_read(int64_t *out, const char *text, struct bg_error *err);

/* Writes the day, "2027-01-16". */
void calendar_date(char out[CALENDAR_DATE], int64_t at_s);

/* Returns when instance `number` (from 0) begins; CALENDAR_NEVER: there is none, or after the year
 * 9999. */
int64_t calendar_nth(int64_t first_s, enum calendar_repeat repeat, int64_t number);

/* Returns the first instance that begins at `from_s` or later; CALENDAR_NEVER: none. */
int64_t calendar_next(int64_t first_s, enum calendar_repeat repeat, int64_t from_s);

/* Returns the last instance that begins at `until_s` or earlier; CALENDAR_NEVER: none. */
int64_t calendar_latest(int64_t first_s, enum calendar_repeat repeat, int64_t until_s);

#endif
