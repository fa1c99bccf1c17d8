/* utc.h - times as text: UTC, "2026-11-22T08:30:00Z". */
#ifndef RESULTS_BASE_UTC_H
#define RESULTS_BASE_UTC_H

#include <stdbool.h>
#include <stdint.h>

enum { UTC_TEXT = 24 };

/* Its year would have five digits and not fit the field. */
#define UTC_YEAR_10000 INT64_C(253402300800)

/* Returns the monotonic clock: setting the time does not move it. */
int64_t utc_steady_ns(void);

/* Returns the processor time of this thread. */
int64_t utc_thread_ns(void);

/* Writes seconds since 1970; "" for 0 (unknown), for times before 1970 and beyond year 9999. */
void utc_write(char out[UTC_TEXT], int64_t seconds);

/* Returns whether the text is exactly of this form, with a day that exists. */
bool utc_is_valid(const char *text);

#endif
