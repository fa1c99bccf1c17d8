/* A name goes into game ids, file names and words of commands, so its alphabet has none of their
 * separators: no '|', '/', blank or '='. "-" alone is left out, because it stands for standard
 * input and output. '@' is only for the day of an event of a series. */
#include "units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/clock.h"

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

enum bg_status seconds_read(int *out, const char *text, struct bg_error *err)
{
    int64_t ns = 0;
    enum bg_status status = clock_time_read(&ns, text, err);

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
    enum bg_status status = clock_time_read(&ns, text, err);

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
