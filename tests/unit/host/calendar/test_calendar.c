/* The calendar against a plain enumeration: day by day from 1970, with the rule of leap years. */
#include "calendar/calendar.h"
#include "support/suite.h"

#include <string.h>

enum { DAY_S = 86400, YEARS = 24 };

/* ---- the plain version ---- */

struct day {
    int year, month, day; /* month and day from 1 */
};

static int length_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

static void walk(struct day *day)
{
    if (++day->day > length_of(day->year, day->month)) {
        day->day = 1;
        if (++day->month > 12) {
            day->month = 1;
            day->year++;
        }
    }
}

/* Whether an event that first was on `first`, which was `since` days ago, is on this day. */
static bool is_on(enum calendar_repeat repeat, const struct day *first, const struct day *day,
                  int since)
{
    int wanted = first->day, most = length_of(day->year, day->month);

    switch (repeat) {
    case CALENDAR_DAILY:
        return true;
    case CALENDAR_WEEKLY:
        return since % 7 == 0;
    case CALENDAR_MONTHLY:
        return day->day == (wanted < most ? wanted : most);
    default:
        return since == 0;
    }
}

/* ---- the tests ---- */

static void compare(enum calendar_repeat repeat, int skip, int time_of_day)
{
    struct day day = {1970, 1, 1}, first;
    int64_t first_s = (int64_t)skip * DAY_S + time_of_day, before_s = CALENDAR_NEVER;
    int64_t number = 0;

    for (int i = 0; i < skip; i++) {
        walk(&day);
    }
    first = day;
    for (int i = 0; i < YEARS * 365; i++, walk(&day)) {
        int64_t at_s = first_s + (int64_t)i * DAY_S;

        if (is_on(repeat, &first, &day, i)) {
            ck_assert_int_eq(calendar_nth(first_s, repeat, number), at_s);
            ck_assert_int_eq(calendar_next(first_s, repeat, at_s), at_s);
            ck_assert_int_eq(calendar_next(first_s, repeat, at_s - DAY_S / 2), at_s);
            ck_assert_int_eq(calendar_latest(first_s, repeat, at_s), at_s);
            ck_assert_int_eq(calendar_latest(first_s, repeat, at_s - 1), before_s);
            before_s = at_s;
            number++;
        } else {
            ck_assert_int_eq(calendar_latest(first_s, repeat, at_s), before_s);
        }
    }
}

TEST(repeats_are_those_of_a_plain_enumeration)
{
    /* 2024-01-31, 2024-02-29, 2023-12-30, 2099-10-31 (2100 has no leap day), 1970-01-01 */
    static const int firsts[] = {19753, 19782, 19721, 47420, 0};

    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        compare(CALENDAR_MONTHLY, firsts[i], 12 * 3600);
        compare(CALENDAR_MONTHLY, firsts[i], DAY_S - 1);
    }
    compare(CALENDAR_DAILY, firsts[0], 0);
    compare(CALENDAR_WEEKLY, firsts[1], 60);
    compare(CALENDAR_ONCE, firsts[2], 0);
}

TEST(nothing_begins_after_year_9999)
{
    int64_t last_s;

    ck_assert_int_eq(calendar_read(&last_s, "9999-12-31T23:59:59Z", NULL), BG_OK);
    for (int repeat = 0; repeat < CALENDAR_REPEATS; repeat++) {
        enum calendar_repeat how = (enum calendar_repeat)repeat;

        ck_assert_int_eq(calendar_next(last_s, how, last_s), last_s);
        ck_assert_int_eq(calendar_next(last_s, how, last_s + 1), CALENDAR_NEVER);
        ck_assert_int_eq(calendar_nth(last_s, how, INT64_MAX), CALENDAR_NEVER);
        ck_assert_int_eq(calendar_nth(last_s, how, -1), CALENDAR_NEVER);
        ck_assert_int_eq(calendar_latest(last_s, how, CALENDAR_NEVER - 1), last_s);
        ck_assert_int_eq(calendar_latest(last_s, how, last_s - 1), CALENDAR_NEVER);
    }
}

TEST(a_time_is_read_strictly)
{
    static const struct {
        const char *text;
        int64_t at_s; /* -1: refused */
    } rows[] = {{"2027-01-16T12:00Z", 1800100800},
                {"2027-01-16T12:00:30Z", 1800100830},
                {"2024-02-29T00:00Z", 1709164800},
                {"2023-02-29T00:00Z", -1},
                {"2100-02-29T00:00Z", -1},
                {"2027-01-16T24:00Z", -1},
                {"2027-01-16T12:60Z", -1},
                {"2027-13-01T12:00Z", -1},
                {"2027-01-16T12:00", -1},
                {"2027-01-16T12:00z", -1},
                {"2027-01-16 12:00Z", -1},
                {"2027-01-16T12:00+01:00", -1},
                {"2027-01-16", -1},
                {"27-01-16T12:00Z", -1},
                {"2027-1-16T12:00Z", -1},
                {" 2027-01-16T12:0Z", -1},
                {"", -1},
                {"tomorrow", -1}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t at_s = -1;
        enum bg_status status = calendar_read(&at_s, rows[i].text, NULL);

        ck_assert_msg(status == (rows[i].at_s < 0 ? BG_E_ARGUMENT : BG_OK), "%s", rows[i].text);
        ck_assert_msg(at_s == rows[i].at_s, "%s is %lld", rows[i].text, (long long)at_s);
    }
}

TEST(a_day_is_written)
{
    char date[CALENDAR_DATE];

    calendar_date(date, 1709164799);
    ck_assert_str_eq(date, "2024-02-28");
    calendar_date(date, 1709164800);
    ck_assert_str_eq(date, "2024-02-29");
}
