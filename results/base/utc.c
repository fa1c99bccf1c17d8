/* No local time anywhere: results are compared between machines, and records must give the same
 * bytes in every zone. */
#define _GNU_SOURCE
#include "utc.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define FORMAT "%Y-%m-%dT%H:%M:%SZ"

void utc_write(char out[UTC_TEXT], int64_t seconds)
{
    time_t time = (time_t)seconds;
    struct tm utc;

    out[0] = '\0';
    if (seconds > 0 && seconds < UTC_YEAR_10000 && gmtime_r(&time, &utc) != NULL) {
        strftime(out, UTC_TEXT, FORMAT, &utc);
    }
}

bool utc_is_valid(const char *text)
{
    struct tm utc = {0};
    const char *end = strptime(text, FORMAT, &utc);
    char again[UTC_TEXT];

    if (end == NULL || *end != '\0') {
        return false;
    }
    /* strptime takes the 31st of February; only a time that comes back as the same text is one. */
    utc_write(again, (int64_t)timegm(&utc));
    return strcmp(again, text) == 0;
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now = {0};

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t utc_steady_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t utc_thread_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
