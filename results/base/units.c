/* A name goes into game ids, file names and words of commands, so its alphabet has none of their
 * separators: no '|', '/', blank or '='. "-" alone is left out, because it stands for standard
 * input and output. '@' is only for the day of an event of a series. */
#include "units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A week: with a bank of a week for each of 10,000 points, the total still fits in 63 bits of
 * nanoseconds. */
static const int64_t longest_ns = INT64_C(7) * 24 * 3600 * 1000000000;

struct time_unit {
    const char *name;
    int64_t ns;
};

/* In falling order: the writer takes the largest unit that divides the time. */
static const struct time_unit time_units[] = {
    {"h", INT64_C(3600000000000)},
    {"m", INT64_C(60000000000)},
    {"s", 1000000000},
    {"ms", 1000000},
    {"us", 1000},
    {"ns", 1},
};

enum { TIME_UNITS = sizeof time_units / sizeof time_units[0] };

bool name_is_valid(const char *text)
{
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");

    return length > 0 && length < NAME_SIZE && text[length] == '\0' && strcmp(text, "-") != 0;
}

enum bg_status name_check(const char *text, struct bg_error *err)
{
    if (name_is_valid(text)) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "'%.70s' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -",
                        text);
}

bool event_name_is_valid(const char *text)
{
    static const char pattern[] = "dddd-dd-dd";
    const char *day = strchr(text, '@');
    char name[NAME_SIZE];

    if (day == NULL || strlen(text) >= NAME_SIZE || strlen(day + 1) != sizeof pattern - 1) {
        return name_is_valid(text);
    }
    for (size_t i = 0; i < sizeof pattern - 1; i++) {
        if (pattern[i] == 'd' ? !isdigit((unsigned char)day[1 + i]) : day[1 + i] != pattern[i]) {
            return false;
        }
    }
    snprintf(name, sizeof name, "%.*s", (int)(day - text), text);
    return name_is_valid(name);
}

static enum bg_status time_error(struct bg_error *err, const char *text, const char *why)
{
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s': %s", text, why);
}

/* Uses decimal arithmetic on integers, because a binary fraction would change 0.1s. */
enum bg_status duration_read(int64_t *out_ns, const char *text, struct bg_error *err)
{
    const char *at = text;
    int64_t whole = 0, part = 0, scale = 1;
    int64_t unit_ns = 0, total_ns;

    if (!isdigit((unsigned char)*at)) {
        return time_error(err, text,
                          "not a time; write a number and a unit, like 50ms, 1.5s or 2m");
    }
    for (; isdigit((unsigned char)*at); at++) {
        whole = whole * 10 + (*at - '0');
        if (whole > longest_ns) {
            return time_error(err, text, "longer than a week (168h), the longest time allowed");
        }
    }
    if (*at == '.') {
        at++;
        if (!isdigit((unsigned char)*at)) {
            return time_error(err, text, "digits are missing after the decimal point");
        }
        for (; isdigit((unsigned char)*at); at++) {
            if (scale == 1000000000) {
                return time_error(err, text, "more than nine decimals");
            }
            part = part * 10 + (*at - '0');
            scale *= 10;
        }
    }
    for (int i = 0; i < TIME_UNITS; i++) {
        if (strcmp(at, time_units[i].name) == 0) {
            unit_ns = time_units[i].ns;
        }
    }
    if (unit_ns == 0) {
        return time_error(err, text,
                          *at == '\0' ? "a time needs a unit: ns, us, ms, s, m or h (12s, 50ms)"
                                      : "unknown unit of time; there are ns, us, ms, s, m and h");
    }
    if (whole > longest_ns / unit_ns) {
        return time_error(err, text, "longer than a week (168h), the longest time allowed");
    }
    /* part < 1e9 and an hour is 3.6e12 ns, so the product can exceed 63 bits. Divide first where
     * that is exact; refuse where it is not. */
    if (unit_ns >= scale ? unit_ns % scale != 0 : part * unit_ns % scale != 0) {
        return time_error(err, text, "finer than a nanosecond");
    }
    total_ns =
        whole * unit_ns + (unit_ns >= scale ? part * (unit_ns / scale) : part * unit_ns / scale);
    if (total_ns > longest_ns) {
        return time_error(err, text, "longer than a week (168h), the longest time allowed");
    }
    *out_ns = total_ns;
    return BG_OK;
}

void duration_write(char *out, size_t size, int64_t ns)
{
    int i = 0;

    /* Use a large unit only from two of it on, so that a minute stays 60s. */
    while (i < TIME_UNITS - 1 && (ns % time_units[i].ns != 0 ||
                                  (i < 2 && ns < 2 * time_units[i].ns) || ns < time_units[i].ns)) {
        i++;
    }
    if (ns == 0) {
        snprintf(out, size, "0s");
    } else {
        snprintf(out, size, "%" PRId64 "%s", ns / time_units[i].ns, time_units[i].name);
    }
}

enum bg_status seconds_read(int *out, const char *text, struct bg_error *err)
{
    int64_t ns = 0;
    enum bg_status status = duration_read(&ns, text, err);

    if (status != BG_OK) {
        return status;
    }
    if (ns % 1000000000 != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a whole number of seconds", text);
    }
    *out = (int)(ns / 1000000000);
    return BG_OK;
}

enum bg_status time_read(int64_t *out, const char *text, int64_t least, struct bg_error *err)
{
    int64_t ns = 0;
    enum bg_status status = duration_read(&ns, text, err);

    if (status == BG_OK && ns < least) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is too short; it must be more than 0",
                            text);
    }
    if (status == BG_OK) {
        *out = ns;
    }
    return status;
}

enum bg_status bytes_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err)
{
    static const char units[] = "KMG";
    char digits[24];
    size_t length = strspn(text, "0123456789");
    const char *unit = text[length] == '\0' ? NULL : strchr(units, text[length]);
    int shift = unit == NULL ? 0 : 10 * (int)(unit - units + 1);
    uint64_t value;

    if (strcmp(text, "none") == 0) {
        *out = 0;
        return BG_OK;
    }
    if (length < sizeof digits) {
        memcpy(digits, text, length);
        digits[length] = '\0';
    }
    if (length >= sizeof digits || text[length + (unit != NULL)] != '\0' ||
        count_read(&value, digits, (least + (UINT64_C(1) << shift) - 1) >> shift, most >> shift,
                   NULL) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not a size from 1M on, like 512M or 2G, nor none", text);
    }
    *out = value << shift;
    return BG_OK;
}

void bytes_write(char *out, size_t size, uint64_t value)
{
    int step = 0;

    while (value != 0 && value % 1024 == 0 && step < 3) {
        value /= 1024;
        step++;
    }
    if (value == 0) {
        snprintf(out, size, "none");
    } else {
        snprintf(out, size, "%" PRIu64 "%.1s", value, &"\0K\0M\0G"[2 * step]);
    }
}
