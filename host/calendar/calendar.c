/* UTC only: a host's members live in several time zones, and no hour is missing or comes twice.
 * The n-th start is computed from the first one, never from the last, so an event of the 31st
 * that was held on the 28th of February comes back to the 31st. */
#define _GNU_SOURCE /* timegm, strptime */
#include "calendar.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/utc.h"

enum { DAY_S = 86400 };

static const int64_t YEAR_10000 = 253402300800;

const char *const calendar_words[CALENDAR_REPEATS + 1] = {"none", "daily", "weekly", "monthly",
                                                          NULL};

static struct tm parts_of(int64_t at_s)
{
    time_t time = (time_t)at_s;
    struct tm parts = {0};

    gmtime_r(&time, &parts);
    return parts;
}

enum bg_status calendar_read(int64_t *out, const char *text, struct bg_error *err)
{
    static const char without_seconds[] = "2027-01-16T12:00Z";
    char full[UTC_TEXT];
    size_t length = strlen(text);
    struct tm parts = {0};

    full[0] = '\0';
    if (length == sizeof without_seconds - 1 && text[length - 1] == 'Z') {
        snprintf(full, sizeof full, "%.*s:00Z", (int)length - 1, text);
    } else if (length < sizeof full) {
        snprintf(full, sizeof full, "%s", text);
    }
    if (!utc_is_valid(full)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not a time like 2027-01-16T12:00Z (UTC)", text);
    }
    strptime(full, "%Y-%m-%dT%H:%M:%SZ", &parts);
    *out = (int64_t)timegm(&parts);
    return BG_OK;
}

void calendar_date(char out[CALENDAR_DATE], int64_t at_s)
{
    struct tm parts = parts_of(at_s);

    strftime(out, CALENDAR_DATE, "%Y-%m-%d", &parts);
}

/* Number of days of a month; month may be above 11, as months after the year's. */
static int days_in(int year, int month)
{
    struct tm last = {.tm_year = year, .tm_mon = month + 1, .tm_mday = 0};

    timegm(&last);
    return last.tm_mday;
}

static int64_t month_nth(int64_t first_s, int64_t number)
{
    struct tm parts = parts_of(first_s);
    int days;

    parts.tm_mon += (int)number;
    days = days_in(parts.tm_year, parts.tm_mon);
    parts.tm_mday = parts.tm_mday > days ? days : parts.tm_mday;
    return (int64_t)timegm(&parts);
}

int64_t calendar_nth(int64_t first_s, enum calendar_repeat repeat, int64_t number)
{
    /* A year of more than four digits has no place in the texts of times. */
    int64_t most = (YEAR_10000 - first_s) / DAY_S + 1; /* so that nothing overflows */
    int64_t at_s = first_s;

    if (number < 0 || number > most || (repeat == CALENDAR_ONCE && number > 0)) {
        return CALENDAR_NEVER;
    }
    if (repeat == CALENDAR_DAILY) {
        at_s = first_s + number * DAY_S;
    } else if (repeat == CALENDAR_WEEKLY) {
        at_s = first_s + number * 7 * DAY_S;
    } else if (repeat == CALENDAR_MONTHLY) {
        at_s = month_nth(first_s, number);
    }
    return at_s < YEAR_10000 ? at_s : CALENDAR_NEVER;
}

/* Returns the number of the last instance at until_s or earlier; -1: none. */
static int64_t last_number(int64_t first_s, enum calendar_repeat repeat, int64_t until_s)
{
    int64_t low = 0, high = 1; /* low begins in time, high does not */

    if (first_s > until_s) {
        return -1;
    }
    /* By doubling and halving: months have different lengths, so there is no division for it. */
    while (calendar_nth(first_s, repeat, high) <= until_s) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (calendar_nth(first_s, repeat, middle) <= until_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t calendar_next(int64_t first_s, enum calendar_repeat repeat, int64_t from_s)
{
    return calendar_nth(first_s, repeat, last_number(first_s, repeat, from_s - 1) + 1);
}

int64_t calendar_latest(int64_t first_s, enum calendar_repeat repeat, int64_t until_s)
{
    return calendar_nth(first_s, repeat, last_number(first_s, repeat, until_s));
}
